"""
English words that mean the same in what is said of people, irregular forms, and words that say little.

Own lists of frequent words, and no thesaurus: within a line each may stand for each other where a
person tells of work, home and habits; of `child < son` only a
child may be told by a son. Words of kinds that exclude each other (names of places, tools,
jobs, days) are in none of them.
"""

from functools import cache

from groundwire.faithfulness.support.words import stem_of

__all__ = ["CEASING", "LITTLE", "WISHES", "equivalents_of", "forms_of"]

_FORMS = """
be is are was were been
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
cut cuts cutting
do does did done
draw drew drawn
drink drank drunk
drive drove driven drives driving
eat ate eaten
fall fell fallen
feel felt
fight fought
find found
fly flew flown flies
forget forgot forgotten
get got gotten
give gave given gives giving
go goes went gone
grow grew grown
have has had
hear heard
hold held
keep kept
know knew known
lead led leads
leave left leaves leaving
lend lent
live lives lived living
lose lost
make made
mean meant
meet met
pay paid pays
put puts putting
read reads reading
ride rode ridden
ring rang rung
rise rose risen
run ran runs running
say said says
see saw seen
sell sold
send sent
set sets setting
sing sang sung
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
swim swam swum
take took taken
teach taught teaches
tell told
think thought
throw threw thrown
try tried tries
understand understood
wake woke woken
wear wore worn
win won
write wrote written writes writing
child children
foot feet
man men
woman women
wife wives
life lives
"""
_SAME = """
lead run head manage supervise oversee
manager supervisor boss head lead
colleague coworker teammate
staff employee worker
company firm employer business organisation organization
job position role occupation profession
teach teacher
begin start
end finish
quit stop cease
refuse reject
move relocate come
buy purchase
own have possess
want wish
like love enjoy
prefer rather favor favour
hate dislike loathe detest
dislike annoy frustrate irritate bother
worry concern afraid fear nervous anxious
call phone ring telephone
talk speak chat
tell mention explain
write record note log document type
store save keep
look check
show display
rely depend
need require
help assist support
support fan follow
assistant helper aide
opinion view
useful helpful valuable
useless pointless worthless
quick fast rapid swift quickly rapidly
slow sluggish
big large huge
small little tiny
easy simple
hard difficult tough challenging
challenge difficulty problem issue struggle trouble
good great fine nice
bad poor terrible awful
happy glad pleased satisfied
important crucial essential vital key
often frequently regularly
seldom rarely hardly
sometimes occasionally
always constantly
daily day
weekly week
monthly month
yearly annually year
noon midday
autumn fall
live reside based
grow raise
bear born birth
kid child
mother mom mum
father dad
grandmother grandma
grandfather grandpa
husband married
wife married
married marry wed
divorced separated
single unmarried
friend buddy
student pupil
study learn
graduate degree
degree diploma
lesson class course
exam test
customer shopper buyer
appointment booking session visit
book schedule reserve
meeting meet
plan schedule prepare
plan intend
trip journey travel
commute way journey
walk stroll
ride cycle bike
car drive
take catch ride
spend lose waste
cost price expense
expensive pricey overpriced costly
cheap inexpensive affordable
money cash funds
salary pay wage income earnings
earn make
buy shop
cook prepare
alcohol drink
smoke cigarette
sleep bed
wake rise
sick ill
illness disease
doctor physician
medicine medication
hobby pastime
choir sing
photo photograph picture
film movie
television tv
phone smartphone mobile
mail email
app application
software program tool
website site
form paperwork
worksheet sheet
late delayed delay
cause due
fix repair
broken break fail
show turn appear
attend come
miss skip
journal diary
complaint complain
request ask
answer reply respond
advice recommendation
recommend suggest
suggest propose
decide choose
choose pick select
change switch
increase rise grow
reduce decrease lower cut
improve better
replace swap
hire recruit
team group
region area
country nation
foreign abroad
garden yard
name call named called
vote election
religion church faith
safe secure
stress stressed stressful
tired exhausted
alone solo
introvert introverted shy
researcher research
former previous earlier
first initially originally
recently lately
soon shortly
every each
entire whole
main primary chief
child < son daughter twin twins
parent < mother father mom mum dad
sibling < brother sister
grandparent < grandmother grandfather grandma grandpa
spouse < husband wife married
family < parent mother father child kid sibling brother sister relatives
pet < dog cat puppy kitten
dog < puppy
cat < kitten
home < house flat apartment
computer < laptop
vehicle < car van truck
student < kid
notes < note write
teacher < teach
work < teach job
musician < music
artist < art paint
smoker < smoke
vegetarian < vegetarianism
driver < drive
writer < write
runner < run
swimmer < swim
evening < night
communicate < talk call email write
use < rely employ
"""
_LITTLE = """
be is are was were been being have has had having do does did doing done get gets got getting go goes going went take
takes took taking taken make makes made making use uses used using work works worked working spend spends spent spending
consider considers considered find finds found think thinks thought say says said believe believes feel feels felt
keep keeps kept need needs currently now still also usually typically often generally mostly mainly longer way thing
things lot kind sort time part old aged age year years like likes become becomes became serve serves tend tends
include includes involve involves deal deals various several certain many some any person people per called named name
"""
CEASING = frozenset({"stopped", "quit", "quitted", "abandoned", "dropped"})
"""They deny for now what they tell of; so do `gave up`, `used to` and `no longer`."""
WISHES = frozenset(
    {"want", "wants", "wanted", "wish", "wishes", "hope", "hopes", "dream", "dreams", "would", "i'd", "we'd"}
)
"""What stands behind them is not yet so."""

LITTLE = frozenset(map(stem_of, _LITTLE.split()))
"""Stems of words that say little beside what stands with them, so that a claim may be told without them."""


def equivalents_of(word: str) -> frozenset[str]:
    """Return the stems that *word*, in small letters, may be told by: its own, those of its forms, and of the same."""
    forms = _with(_forms(), {stem_of(word)})
    return frozenset(_with(_forms(), _with(_same(), forms)))


def forms_of(word: str) -> frozenset[str]:
    """Return the stems of *word*, in small letters, and of its irregular forms: `teach` and `taught`."""
    return frozenset(_with(_forms(), {stem_of(word)}))


def _with(lines: dict[str, set[str]], stems: set[str]) -> set[str]:
    return stems.union(*(lines[stem] for stem in stems if stem in lines))


@cache
def _forms() -> dict[str, set[str]]:
    return _by_stem(_FORMS)


@cache
def _same() -> dict[str, set[str]]:
    return _by_stem(_SAME)


def _by_stem(text: str) -> dict[str, set[str]]:
    """For each stem those of its lines; of `one < other` only the first may be told by the other."""
    found: dict[str, set[str]] = {}
    for line in text.strip().splitlines():
        told, _, by = line.partition("<")
        stems = set(map(stem_of, line.replace("<", " ").split()))
        for word in (told if by else line).split():
            found.setdefault(stem_of(word), set()).update(stems)
    return found
