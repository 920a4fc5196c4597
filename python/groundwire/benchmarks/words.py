"""
Lists words by frequency, for synthetic texts.

Each language has its most common spoken words or characters, the most common first, and the syllables of rare words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["LANGUAGES", "Language"]


@dataclass(frozen=True, slots=True)
class Language:
    """
    Holds the parts of a language's synthetic speech.

    Attributes:
        speakers: The two speakers.
        common: Words, the most common first.
        syllables: Syllables of rare words.
        rare: Number of rare words.
        blank: Separator between words.
        stops: End marks of sentences, the most common first.
        comma: Comma inside sentences, with its blank.
        capitals: Whether a sentence begins with a capital.
    """

    speakers: tuple[str, str]
    common: Sequence[str]
    syllables: Sequence[str]
    rare: int
    blank: str = " "
    stops: Sequence[str] = (".", "?", "…")
    comma: str = ", "
    capitals: bool = True


def _words(text: str) -> list[str]:
    return text.split()


ENGLISH = Language(
    speakers=("Interviewer", "Marlene"),
    common=_words(
        "the I and to a of it you that in was is but have my so for on with not this just know like what do be we "
        "they all at about when out me it's up I'm don't there really one get had then if go think no he she or as "
        "because time work well mean can from now her his day sleep some would how very been feel going got did "
        "were could people more your something things that's much good back said didn't really never down home "
        "always night week little right them who an our why still too tired anything maybe only lot only before "
        "after last year since kind talk house mother morning nothing sometimes better brother couldn't wasn't"
    ),
    syllables=_words(
        "er in re ti en an con ly de ter ble al com per ment ri di un ex ver to ex pro ter ing mu si no ca la be ra "
        "po ma ha sta tion ness ful est low ber tle gan dor mid han win sel tor pen mar lin sha thr sto cre wor"
    ),
    rare=1_500,
    stops=(".", ".", "?", "...", "!"),
)

RUSSIAN = Language(
    speakers=("Врач", "Марина"),
    common=_words(
        "и в не что на я с он а как это по но они к у ты из мы за вы так же от сказать этот который мочь человек о "
        "ещё бы такой только себя свой какой когда уже для вот кто да говорить год мой до или если время рука нет "
        "самый ни стать большой даже другой наш под где дело есть сам раз чтобы два там чем глаз жизнь первый день "
        "тут ничего потом очень хотеть ли при надо без видеть идти теперь стоять друг дом сейчас можно после слово"
    ),
    syllables=_words(
        "ра но ва ко го ни по ро ли пре ло ста ка на те ре ви ле до ти ма ле мо ще ность тель ный ся ших дёр жить "
        "бы лю чал щий под раз вы при ску грай зво клю тро сло"
    ),
    rare=1_500,
)

ARABIC = Language(
    speakers=("الطبيب", "مريم"),
    common=_words(
        "في من على أن إلى التي عن لا ما هذا هو ذلك مع كان الذي بعد هذه كل لم قد قال أو كانت بين أنا حتى ثم إذا عند "
        "وهو غير لقد نعم يوم كنت أنت نحن هم هناك أي شيء عندما لكن منذ أكثر قبل كيف لماذا الآن دائمًا ليل النوم "
        "العمل البيت الناس الحياة أمي صباح وقت سنة جدًّا مرّة رُبَّما كَتَبَ لأنّ"
    ),
    syllables=_words("ال با تا سا عا لي مو را نا كا فا قا حا دي شو هم يس مس تر عم حد رف نق بل صد طر غض خل ذك زو"),
    rare=1_500,
    stops=(".", "؟", "!"),
    comma="، ",
    capitals=False,
)

# Rare characters come from the whole block; a longer text has two thousand different ones.
_HAN = [chr(code) for code in range(0x4E00, 0x9FA0, 9)]

CHINESE = Language(
    speakers=("医生", "小玲"),
    common=list(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所"
        "然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日睡夜累觉"
    ),
    syllables=_HAN,
    rare=1_500,
    blank="",
    stops=("。", "。", "？", "！"),
    comma="，",
    capitals=False,
)

JAPANESE = Language(
    speakers=("医師", "真理子"),
    common=_words(
        "の に は て を が と し で た な い も れ さ る か ら す ます です から ない こと よう まで それ これ 私 もう "
        "だけ 思う 人 時 今日 仕事 眠れ 夜 朝 全部 少し ちょっと でも けど 何 家 疲れ 母 彼 コーヒー テレビ ストレス "
        "ﾃﾚﾋﾞ ガス エレベーター 先生 昨日 毎日 本当に いつも たぶん 気持ち 食べ 行っ 言っ 考え"
    ),
    syllables=[*"あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわ", *_HAN[::3]],
    rare=1_500,
    blank="",
    stops=("。", "。", "？", "！"),
    comma="、",
    capitals=False,
)

LANGUAGES = {"english": ENGLISH, "russian": RUSSIAN, "arabic": ARABIC, "chinese": CHINESE, "japanese": JAPANESE}
