"""
Words that are not compared, or that change what is, in the languages of the lexicons.

Lists of our own, of frequent words and not of every such word.
"""

__all__ = ["COMMON_WORDS", "FAILING", "ROUNDING", "UNDOING"]

_ENGLISH = """
about above across after again against ahead also although always among another anyone anything around because become
becomes been before being below between both cannot could does doing down during each either else enough even ever
every everything from further furthermore generally have having hence here herself himself however including indeed
instead into itself just least less like likely made mainly make makes making many maybe might more moreover most much
must myself neither never nevertheless none nothing often once only onto other others otherwise ours ourselves over
overall perhaps quite rather really same several shall should since some someone something sometimes somewhat still
such than that their theirs them themselves then there thereby therefore these they this those though through
throughout thus together toward towards typically under until unless upon usually various very want well were what
whatever when whenever where whereas whether which while whom whose will with within without would your yours yourself
didn doesn hadn hasn haven isn wasn weren wouldn shouldn couldn
"""

_GERMAN = """
aber alle allem allen aller alles also andere anderen anderer auch beim beide beiden dabei dadurch dafür daher dann
daran darauf daraus darin darüber dass davon dazu dein deine denn dennoch deren dessen deshalb diese diesem diesen
dieser dieses doch dort durch eben eine einem einen einer eines einige etwa etwas euch euer ganz gegen haben hatte
hatten hier hinter ihnen ihre ihrem ihren ihrer immer indem jede jedem jeden jeder jedes jedoch jene kann kein keine
keinem keinen keiner können könnte machen manche mehr mein meine mich muss musste müssen nach nachdem nicht nichts
noch oder ohne sehr sein seine seinem seinen seiner seit selbst sich sind sogar solche sollen sollte sondern sowie
über unser unsere unter viel viele vom wann waren warum weil weiter welche welcher welches wenn werden wieder will
wird wirst wollen worden wurde wurden würde zwar zwischen
"""

_FRENCH = """
ainsi alors après aucun aucune aussi autre autres avant avec avoir avait avez avons beaucoup cela celle celles celui
ceux cette chaque chez comme comment dans depuis derrière donc dont elle elles encore entre était étaient être eux
fait font ici jamais leur leurs lors lorsque mais même mêmes moins mon notre nous parce parfois pendant peut peuvent
plus plusieurs pour pourquoi pourtant près puis quand quel quelle quelles quels quelque quelques sans sera seront
selon ses soit sont sous souvent sur tandis tant tous tout toute toutes très vers voici voilà votre vous
"""

_SPANISH = """
ahora algo alguna algunas alguno algunos ante antes aquel aquella aquí aunque bajo bien cada casi como cómo contra
cual cuál cuales cuando desde después donde dónde durante ella ellas ellos entonces entre eran eres esas esos esta
está estaba están estar estas este estos había haber hacia hasta incluso luego más menos mientras mismo misma mucha
muchas mucho muchos nada nosotros nuestra nuestro nunca otra otras otro otros para pero poco porque pues puede pueden
qué quien quién según será sido siempre siendo sino sobre solo sólo somos suya suyo también tampoco tanto tener tiene
tienen toda todas todo todos tras unas unos usted ustedes
"""

_RUSSIAN = """
более больше быть была были было вдруг ведь весь всегда всего всех вам ваша ваше даже для если есть еще ещё здесь или
именно ихний когда который которая которое которые кроме кто куда либо лишь между меня много может можно надо навсегда
наша наше него нельзя нибудь никогда ними ничего один однако около опять перед после потом потому почти поэтому при
про раз разве сам самый свою себе себя сейчас совсем такой также там тебя тем теперь только тоже тогда того тот три
туда тут уже хоть хотя чего чем через что чтобы чуть эта эти этим этих этого этой этом этот эту
"""

_ARABIC = """
الذي التي الذين اللذان اللتان اللواتي إلى على عند عندما حتى حيث خلال دون ذلك تلك هذا هذه هؤلاء هناك هنا كان كانت كانوا
يكون تكون ليس ليست لكن لكنه لأن لقد منذ بعد قبل بعض بين تحت فوق غير كذلك كما كيف لماذا متى مثل أكثر أيضا أيضاً إذا
أنها أنه أنهم ولكن والتي والذي وقد وكان وهذا وهذه
"""

_ADDRESSES = "http https html"

COMMON_WORDS: tuple[str, ...] = tuple(
    dict.fromkeys(" ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _RUSSIAN, _ARABIC, _ADDRESSES)).split())
)
"""Words of four letters or more that are no content: that both sides have them is no support."""

_FAILING = """
fail fails failed failing failure lack lacks lacked lacking unable refuse refuses refused refusing
"""
FAILING = frozenset(_FAILING.split())
"""They deny what follows them, and are in no list of negations."""

_UNDOING = """
only just more less fewer later least most nur seulement sólo solo -
"""
UNDOING = frozenset(_UNDOING.split())
"""A denial before them bounds a number, or denies nothing: not only, no more than, non-tariff."""

_ROUNDING = """
about around approximately roughly circa ca some over more less fewer least most up etwa rund ungefähr mehr weniger
mindestens höchstens environ presque plus moins unos unas casi más menos около более менее
"""
ROUNDING = frozenset(_ROUNDING.split())
"""They make a number a round one, or a bound, beside the limits of the lexicons."""
