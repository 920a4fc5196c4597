"""
Words that stand before a colon and name no speaker. Own list.

As `speaker_key` writes them. "Subject", "Participant", "Question", "Answer", "Q"
and "A" are missing on purpose: in interviews they speak.
"""

__all__ = ["CONNECTIVES", "INTERVIEWERS", "LABELS", "PROFILE_LABELS", "SHORT_INTERVIEWERS"]

_ENGLISH = """
note, notes, nb, n.b, warning, caution, important, attention, tip, hint, todo, fixme, example, examples, e.g, i.e,
for example, for instance, p.s, ps, update, edit, correction, disclaimer, source, sources, reference, references, see,
see also, figure, fig, table, date, time, place, location, venue, duration, length, recorded, recording, transcript,
transcribed by, transcription, title, topic, topics, agenda, attendees, participants, speakers, present, in attendance,
apologies, absent, summary, abstract, keywords, chapter, section, article, part, url, link, links, http, https, www,
email, e-mail, tel, phone, fax, to, from, cc, bcc, re, problem, solution, result, results, conclusion, background,
objective, remember
"""
_OTHERS = """
hinweis, anmerkung, achtung, wichtig, beispiel, zum beispiel, z.b, d.h, quelle, quellen, datum, ort, zeit, uhrzeit,
thema, themen, teilnehmer, anwesend, tagesordnung, zusammenfassung, beginn, ende, siehe, abschnitt, artikel,
remarque, exemple, par exemple, nota, p.ex, lieu, heure, sujet, résumé, ordre du jour, ejemplo, por ejemplo,
fecha, lugar, hora, asunto, tema, resumen, aviso, примечание, внимание, например, пример, дата, время, место, тема,
повестка дня, источник, 注, 注意, 备注, 備註, 例, 例如, 比如, 时间, 時間, 日期, 地点, 地點, 主题, 主題, 摘要, 来源,
來源, 例えば, 日時, 場所, 議題, 備考, 出典, 참고, 주의, 예, 날짜, 시간, 장소, 주제, ملاحظة, مثال, التاريخ, الوقت, المكان
"""
_INTERVIEWERS = """
interviewer interviewers moderator facilitator researcher host question questioner journalist reporter presenter
interviewerin interviewleiter interviewleiterin moderatorin forscher forscherin frage befrager befragerin
intervieweur intervieweuse enquêteur enquêtrice modérateur modératrice animateur animatrice chercheur chercheuse
entrevistador entrevistadora moderador moderadora investigador investigadora pregunta entrevistadores
intervistatore intervistatrice moderatore moderatrice domanda интервьюер модератор ведущий ведущая вопрос журналист
采访者 采訪者 访谈者 訪談者 访问者 主持人 主持 记者 記者 研究员 研究者 提问 問 问
聞き手 インタビュアー 司会 司会者 質問 質問者
면접관 면접자 진행자 질문 질문자 연구자 المحاور الباحث سؤال
"""
# Short for the above, and too short to be looked for among other words.
_SHORT_INTERVIEWERS = "q i int mod"
# A label with one of these as its last word, or as the whole, is a field of a profile: `Company Size`, `Job Title`.
_PROFILE_LABELS = """
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
# Words in names that begin with a small letter.
_CONNECTIVES = """
a al an and auf bei bin da das de del della den der des di do dos du e ed ein eine el en et für h c i ibn im in la le
les los of och og on the to und van vom von y z zu zum zur и з фон де
"""

LABELS = frozenset(" ".join(_ENGLISH.split()).split(", ") + " ".join(_OTHERS.split()).split(", "))
CONNECTIVES = frozenset(_CONNECTIVES.split())
PROFILE_LABELS = frozenset(_PROFILE_LABELS.split())
"""Last words of labels that name a field of a person or a company, and nobody who speaks."""
INTERVIEWERS = frozenset(_INTERVIEWERS.split())
"""Words for those who ask, in a speaker's name or beside it: `Interviewer 2`, `Anna (Moderator)`."""
SHORT_INTERVIEWERS = frozenset(_SHORT_INTERVIEWERS.split())
"""Abbreviations that are a speaker's whole name, but for a number."""
