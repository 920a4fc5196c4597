"""
Decides which beginnings of lines are speakers, and when two names are the same speaker.

`Name:` begins a turn; `Note:` and `There is one thing:` do not. A single line does not show the difference, so the
text is considered as a whole: speakers recur, and in a transcript most lines begin with one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from groundwire.unicode_forms import nfkc

__all__ = ["choose_speakers", "is_interviewer", "is_profile_label", "speaker_key"]

NAME_MAX_CHARS = 60
_NAME_MAX_WORDS = 8
# In scripts without white space between words, a longer text is a clause and no name.
_UNSPACED_MAX_CHARS = 8

_NOT_IN_NAMES = re.compile(r"[?!;\"“”„«»‹›…<>{}=|\\#。，、；？！「」『』\x00-\x1f\ufffe\uffff]|\.\.|://")
_WORD = re.compile(r"[^\W\d_]+")

# The word lists are groundwire's own, in the spelling of `speaker_key`.
#
# Labels before a colon that name no speaker. "Subject", "Participant", "Question", "Answer", "Q" and "A" are
# missing on purpose: in interviews they are speakers.
_LABEL_LIST = """
note, notes, nb, n.b, warning, caution, important, attention, tip, hint, todo, fixme, example, examples, e.g, i.e,
for example, for instance, p.s, ps, update, edit, correction, disclaimer, source, sources, reference, references, see,
see also, figure, fig, table, date, time, place, location, venue, duration, length, recorded, recording, transcript,
transcribed by, transcription, title, topic, topics, agenda, attendees, participants, speakers, present, in attendance,
apologies, absent, summary, abstract, keywords, chapter, section, article, part, url, link, links, http, https, www,
email, e-mail, tel, phone, fax, to, from, cc, bcc, re, problem, solution, result, results, conclusion, background,
objective, remember,
hinweis, anmerkung, achtung, wichtig, beispiel, zum beispiel, z.b, d.h, quelle, quellen, datum, ort, zeit, uhrzeit,
thema, themen, teilnehmer, anwesend, tagesordnung, zusammenfassung, beginn, ende, siehe, abschnitt, artikel,
remarque, exemple, par exemple, nota, p.ex, lieu, heure, sujet, résumé, ordre du jour, ejemplo, por ejemplo,
fecha, lugar, hora, asunto, tema, resumen, aviso, примечание, внимание, например, пример, дата, время, место, тема,
повестка дня, источник, 注, 注意, 备注, 備註, 例, 例如, 比如, 时间, 時間, 日期, 地点, 地點, 主题, 主題, 摘要, 来源,
來源, 例えば, 日時, 場所, 議題, 備考, 出典, 참고, 주의, 예, 날짜, 시간, 장소, 주제, ملاحظة, مثال, التاريخ, الوقت, المكان
"""
# Words for the person who asks, in a speaker's name or beside it: `Interviewer 2`, `Anna (Moderator)`.
_INTERVIEWER_LIST = """
interviewer interviewers moderator facilitator researcher host question questioner journalist reporter presenter
interviewerin interviewleiter interviewleiterin moderatorin forscher forscherin frage befrager befragerin
intervieweur intervieweuse enquêteur enquêtrice modérateur modératrice animateur animatrice chercheur chercheuse
entrevistador entrevistadora moderador moderadora investigador investigadora pregunta entrevistadores
intervistatore intervistatrice moderatore moderatrice domanda интервьюер модератор ведущий ведущая вопрос журналист
采访者 采訪者 访谈者 訪談者 访问者 主持人 主持 记者 記者 研究员 研究者 提问 問 问
聞き手 インタビュアー 司会 司会者 質問 質問者
면접관 면접자 진행자 질문 질문자 연구자 المحاور الباحث سؤال
"""
# Last words of labels that name a field of a person or company: `Company Size`, `Job Title`.
_PROFILE_LABEL_LIST = """
name role occupation job profession position title employer company organisation organization industry sector
department size age gender sex pronouns nationality ethnicity education degree qualification experience seniority tenure
salary income status family children household language languages city country region hometown residence address tools
devices device goals needs motivations frustrations points hobbies interests skills bio segment persona id code
rolle beruf tätigkeit branche firma unternehmen arbeitgeber abteilung größe unternehmensgröße alter geschlecht
nationalität ausbildung abschluss erfahrung berufserfahrung einkommen familienstand kinder sprache sprachen stadt land
wohnort ziele hobbys
rôle métier profession poste entreprise employeur secteur âge sexe genre nationalité formation diplôme expérience
ancienneté revenu enfants langue langues ville pays domicile objectifs loisirs nom
rol puesto ocupación profesión empresa empleador sector tamaño edad género sexo nacionalidad educación formación
experiencia ingresos hijos idioma idiomas ciudad país residencia objetivos aficiones nombre
роль должность профессия компания отрасль возраст пол образование опыт доход дети язык город страна имя
姓名 角色 职业 職業 职位 职务 公司 公司规模 行业 年龄 年齡 年齢 性别 性別
学历 学歴 经验 経験 经验年限 収入 收入 城市 国家 役割 役職 会社 会社規模
業界 氏名 居住地 이름 역할 직업 직무 회사 업종 나이 연령 성별 학력 경력 거주지
"""
# Words in names that begin with a lower-case letter.
_CONNECTIVE_LIST = """
a al an and auf bei bin da das de del della den der des di do dos du e ed ein eine el en et für h c i ibn im in la le
les los of och og on the to und van vom von y z zu zum zur и з фон де
"""
_LABELS = frozenset(" ".join(_LABEL_LIST.split()).split(", "))
_INTERVIEWERS = frozenset(_INTERVIEWER_LIST.split())
# These abbreviations count only as the whole name, a number aside.
_SHORT_INTERVIEWERS = frozenset({"q", "i", "int", "mod"})
_PROFILE_LABELS = frozenset(_PROFILE_LABEL_LIST.split())
_CONNECTIVES = frozenset(_CONNECTIVE_LIST.split())


def speaker_key(name: str) -> str:
    """
    Return the form that all spellings of one speaker share.

    The name is NFKC-normalised and case-folded, white space is collapsed, and `.`
    and `:` at the end are dropped: `DR. LEE:` and `Dr. Lee` are one speaker,
    `The Chair` and `The Chair (Mrs. Hughes)` are two.
    """
    folded = nfkc(nfkc(name).casefold())
    # A folded character may itself end in white space, so split() comes after folding.
    return " ".join(folded.split()).rstrip(".: ")


@lru_cache(maxsize=1024)
def is_interviewer(speaker: str) -> bool:
    """
    Tell whether the name of a speaker marks the person who asks the questions (ruling D12).

    `Interviewer`, `Moderator 2`, `Dr. Lee (Researcher)`, `Q`, `I2`, `主持人`; not `Participant 1`.
    """
    words = _WORD.findall(speaker_key(speaker))
    return not _INTERVIEWERS.isdisjoint(words) or (len(words) == 1 and words[0] in _SHORT_INTERVIEWERS)


def is_profile_label(name: str) -> bool:
    """Tell whether *name* is a field of a profile and no speaker: `Role`, `Company Size`."""
    words = _WORD.findall(speaker_key(name))
    return bool(words) and words[-1] in _PROFILE_LABELS


def choose_speakers(labels: Mapping[str, Counter[str]], line_count: int) -> dict[str, frozenset[str]]:
    """
    Choose the labels that are speakers.

    If at least half of the lines begin with a label, every label that is written
    like a name or recurs is a speaker. Otherwise a speaker is written like a name,
    and recurs or has more than one word; and at least two such labels must recur.
    A style that is much rarer than another one has no speakers.

    Args:
        labels: For each style in which a line can begin, how often each label occurs.
        line_count: Number of lines with words.

    Returns:
        The names as written, for each style.
    """
    names = {
        style: Counter({name: count for name, count in each.items() if _may_be_name(name)})
        for style, each in labels.items()
    }
    most = max((each.total() for each in names.values()), default=0)
    # Questions may be in bold type and answers not. A single bold label among plain names is no speaker.
    usual = {style: each if each.total() * 5 >= most else Counter[str]() for style, each in names.items()}
    accepted = _accepted(usual.values(), line_count)
    return {style: frozenset(each.keys() & accepted) for style, each in usual.items()}


def _accepted(styles: Iterable[Counter[str]], line_count: int) -> set[str]:
    counts = sum(styles, Counter[str]())
    keys = {name: speaker_key(name) for name in counts}
    by_key = Counter[str]()
    for name, count in counts.items():
        by_key[keys[name]] += count
    repeated = {name for name in counts if by_key[keys[name]] > 1}
    name_like = {name for name in counts if _is_name_like(name)}
    if sum(counts[name] for name in repeated | name_like) * 2 >= line_count:
        return repeated | name_like
    regular = repeated & name_like
    # A single label that recurs, such as the word for article in a law, makes no conversation.
    if len({keys[name] for name in regular}) < 2 or sum(counts[name] for name in regular) * 50 < line_count:
        return set()
    return regular | {name for name in name_like if " " in name}


def _may_be_name(name: str) -> bool:
    """Tell whether *name* is short, has a letter and no punctuation of sentences, and is no known label."""
    bare = _without_role(name).strip()
    return (
        0 < len(bare) <= NAME_MAX_CHARS
        and len(bare.split()) <= _NAME_MAX_WORDS
        and (bare[0].isalnum() or bare[0] == "_")
        and any(map(str.isalpha, bare))
        and _NOT_IN_NAMES.search(bare) is None
        and speaker_key(bare) not in _LABELS
    )


def _without_role(name: str) -> str:
    """Return *name* without a role in brackets at its end, as in `Ann (nurse)`; a role has no colon or line end."""
    opening = name.find("(", max(map(name.rfind, ":：\r\n")) + 1)
    return name[:opening].rstrip(" \t") if opening >= 0 and name.endswith(")") else name


def _is_name_like(name: str) -> bool:
    """Tell whether every word of *name* begins like a name: no lower-case letter, except in words such as `von`."""
    words = _without_role(name).split()
    if words[0][0].islower():
        return False
    if any(word[0].islower() and word.rstrip(".,") not in _CONNECTIVES for word in words):
        return False
    has_case = any(character.isupper() for character in name)
    return has_case or len(words) > 1 or len(words[0].rstrip("0123456789０１２３４５６７８９")) <= _UNSPACED_MAX_CHARS
