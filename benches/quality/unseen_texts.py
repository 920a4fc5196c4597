"""
Six sources of our own that no rule was written with: what they say in other words, and edits of that.

Frozen: a rule that is changed because of a line here is measured with lines that are new.
"""

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["SOURCES", "UnseenSource"]


class UnseenSource(NamedTuple):
    """The subject, the named source, the claims it supports, and the claims it does not support by kind of edit."""

    person: str
    name: str
    text: str
    told: list[str]
    edits: list[tuple[str, str]]


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


def _edits(text: str) -> Iterator[tuple[str, str]]:
    for line in _lines(text):
        kind, _, claim = line.partition("|")
        yield kind, claim


_GLAZIER = """\
Interviewer: What do you do all day?
Tomas: I run a small glazing workshop with my brother-in-law in Brno. We mostly repair shop windows, and in winter
greenhouses. There are four of us, one is an apprentice.
Interviewer: How do orders reach you?
Tomas: By phone, nearly all of them. There is a form on our website, but I look at it once a week at best. My wife
set it up and I keep forgetting the password.
Interviewer: What goes wrong most often?
Tomas: Measurements. A customer sends me a number from a tape, I order the pane, and it is eleven millimetres too
wide. Last year I threw away panes for about 2,300 euros. Since March I drive out and measure everything myself.
Interviewer: Do you use any software for that?
Tomas: A spreadsheet, and even that only for invoices. I tried an app with lasers in it. It was sold to me as
simple, it crashed on the second day, I gave it back.
Interviewer: What would help you?
Tomas: If the supplier told me early that glass is late. Now I learn it when the van arrives without it. And a
person, not a chatbot. I cannot stand chatbots.
Interviewer: Do you plan to grow?
Tomas: No. At fifty-one I would rather have my Fridays off, which I have had since summer.
"""

_MIDWIFE = """\
# Notes from the visit with Adaeze

Adaeze Obi is a midwife who works freelance in two districts of Leeds. She trained in Enugu and came to England nine
years ago. On an ordinary day she sees six mothers, most of them at home.

## Tools

- Writes her notes on paper first and types them up after supper.
- Her phone has three messaging apps because families use different ones. She would get rid of two at once.
- The trust's records system logs her out after ten minutes. She calls it "the bouncer".
- Never carries a laptop into a home: it comes between people, she says.

## What she worries about

Parking takes up to forty minutes of her day. She is afraid of missing a high blood pressure because the old readings
are in another folder. Twice this year a discharge letter came after the visit.

## What she likes

She loves the first visit, when there is time to talk. She has no interest in management; she was offered a post as
team lead and said no. On Sundays she sings in a choir.

> If the system knew that I was standing at a door, it could simply open the right page.
"""

_GAMER = """\
[00:01] Moderator: Could you introduce yourself?
[00:04] Ilse: Ilse, I'm nineteen, second year of marine biology in Bergen.
[00:12] Moderator: What do you play?
[00:15] Ilse: Strategy games, the slow kind. I used to play shooters with my cousins, they gave me headaches.
[00:27] Moderator: On what?
[00:29] Ilse: An old desktop that my uncle left me. I don't own a console.
[00:36] Moderator: How much do you spend?
[00:39] Ilse: Hardly anything, maybe eighty kroner a month. I wait for sales. I've never bought a skin in my life, it's
paint.
[00:52] Moderator: Who do you play with?
[00:55] Ilse: With two friends from school who moved to Tromsø. Wednesdays at nine, that's sacred.
[01:06] Moderator: What makes you quit a game?
[01:09] Ilse: Advertisements. One banner and it's off my disk. And when I can't save where I want.
[01:18] Moderator: Do you watch streams?
[01:21] Ilse: No, watching someone else play bores me. My flatmate does it for hours.
[01:30] Moderator: What would you pay for?
[01:33] Ilse: A good editor for maps. I make maps, I have published five of them, and one got eleven thousand downloads.
"""

_CAMPERS = """\
guest,age,nights,arrives by,pays with,pet,wish
Ruben,44,3,motorhome,card,dog,more shade
Solveig,29,1,bicycle,cash,,a place to dry clothes
Pilar,61,14,caravan,card,cat,quieter nights
Haruto,35,2,bicycle,card,,hot showers after ten
Nadia,52,7,motorhome,cash,dog,a bakery van
Emre,38,2,tent and car,card,,faster internet
Greta,67,21,caravan,cash,dog,quieter nights
Owen,24,1,bicycle,card,,a place to dry clothes
"""

_LIBRARIAN = """\
{
  "interviewee": {"name": "Mirjam", "age": 58, "job": "librarian", "town": "Zwolle", "years in the job": 31},
  "answers": [
    {"question": "What does your morning look like?", "answer": "I open at ten, but I am in at eight. Those two hours are mine: returns, the plants, and the newspaper table. Nobody calls then."},
    {"question": "Who comes in?", "answer": "Pensioners until noon, schoolchildren after two. We have about 340 visitors on a weekday. Students have vanished since the university got its own hall."},
    {"question": "What annoys you?", "answer": "The self-service machine. It refuses one card in ten, and then people look at me as if I had built it. I asked for a new one in spring and got a sticker."},
    {"question": "Which system do you use for the catalogue?", "answer": "Koha. I was against it at first. Now I would not go back, it finds things even when people spell badly."},
    {"question": "Do you read e-books?", "answer": "On holiday, because of the weight. At home I want paper. I lend more audiobooks than e-books, by the way."},
    {"question": "What will you do when you retire?", "answer": "I will walk to Santiago with my sister. She is the one who plans, I only carry the stamps."}
  ]
}
"""  # noqa: E501 - one text per line

_BAKERS = """\
Interviewer: Introduce yourselves, please.
Paolo: Paolo, I bake. I get up at half past two, six days a week.
Wanda: And I'm Wanda, I sell. I joined the bakery in 2017, after I had lost my job at a bank.
Interviewer: How do you decide how much to bake?
Paolo: By feeling and by weather. When it rains we sell a third less.
Wanda: He writes it on the wall, I photograph the wall. That is our database.
Interviewer: What is left over in the evening?
Wanda: About fifteen loaves. A food bank collects them, we do not throw bread away.
Interviewer: Have you thought about online orders?
Paolo: Wanda wants it. I don't, people should smell the bread.
Wanda: I would like customers to reserve on Thursdays for Saturday. Saturday is when they stand in the street.
Interviewer: And payment?
Wanda: Cards since last year. The fee bothers Paolo. I am glad, I no longer have to carry coins to the bank.
Interviewer: What is hardest?
Paolo: Finding someone for the night. Our last trainee stayed eleven days.
Wanda: For me the allergens. Every change of a recipe means a new list of allergens, and I make them by hand.
"""

SOURCES = [
    UnseenSource(
        "Tomas",
        "glazier.txt",
        _GLAZIER,
        _lines("""
He owns a glazing workshop in Brno together with his brother-in-law.
The workshop has a team of four, including an apprentice.
Most of his work is repairing shop windows.
Nearly all orders come in by telephone.
He rarely checks the form on the website.
Wrong measurements are his most common problem.
He lost around 2,300 euros last year on panes that did not fit.
He now takes all measurements in person.
He uses a spreadsheet for invoices only.
He has Fridays off since summer and does not want to grow.
"""),
        list(
            _edits("""
number|He lost around 5,300 euros last year on panes that did not fit.
number|The workshop has a team of seven, including an apprentice.
negation|He does not measure everything himself.
negation|He plans to grow.
entity|He runs a glazing workshop in Ostrava.
entity|His brother set up the form on the website.
preference|He likes to be served by chatbots.
preference|He would rather work on Fridays.
invented|He sells his panes in an online shop.
invented|He is trained as a carpenter.
""")
        ),
    ),
    UnseenSource(
        "Adaeze",
        "visit.md",
        _MIDWIFE,
        _lines("""
She is a freelance midwife in Leeds.
She did her training in Enugu.
She has lived in England for nine years.
She usually visits six mothers a day.
She takes notes on paper and types them in the evening.
She would like to delete two of her messaging apps.
The records system signs her out after ten minutes.
She does not take a laptop into people's homes.
She turned down a job as team lead.
She sings in a choir on Sundays.
"""),
        list(
            _edits("""
number|She came to England four years ago.
number|She sees nine mothers on an ordinary day.
negation|She carries a laptop into homes.
negation|She does not write her notes on paper.
entity|She trained in Lagos.
entity|She works freelance in two districts of Bradford.
preference|She hates the first visit.
preference|She is interested in management.
invented|She has three children of her own.
invented|She rides a bicycle from home to home.
""")
        ),
    ),
    UnseenSource(
        "Ilse",
        "games.txt",
        _GAMER,
        _lines("""
She studies marine biology in Bergen.
She is 19 years old.
She enjoys slow strategy games.
Shooters gave her headaches.
She plays on an old desktop computer from her uncle.
She has no console.
She spends about 80 kroner a month on games.
She plays with two school friends on Wednesdays.
She deletes games that show advertisements.
She has published five maps.
"""),
        list(
            _edits("""
number|She spends about 800 kroner a month.
number|She has published nine maps.
negation|She owns a console.
negation|She has bought skins.
entity|She studies marine biology in Oslo.
entity|Her friends from school moved to Stavanger.
preference|She likes to watch other people play.
preference|She prefers shooters to strategy games.
invented|She works in an aquarium at weekends.
invented|She learned programming at school.
""")
        ),
    ),
    UnseenSource(
        "Guest",
        "guests.csv",
        _CAMPERS,
        _lines("""
3 of 8 guests arrive by bicycle.
Half of the guests have a pet.
The average age of the guests is 44.
Ruben travels by motorhome with a dog.
Greta stays for 21 nights.
Pilar pays by card.
Solveig wants a place to dry her clothes.
Two guests wish for quieter nights.
The youngest guest is 24.
Emre wishes for faster internet.
"""),
        list(
            _edits("""
number|Greta stays for 12 nights.
number|6 of 8 guests arrive by bicycle.
negation|Pilar does not pay by card.
negation|Ruben has no dog.
entity|Emre arrives by caravan.
entity|Nadia has a cat.
preference|Haruto wants cold showers.
preference|Greta wishes for louder nights.
invented|Owen is a member of the camping club.
invented|Solveig booked on the website.
""")
        ),
    ),
    UnseenSource(
        "Mirjam",
        "librarian.json",
        _LIBRARIAN,
        _lines("""
She is a 58-year-old librarian from Zwolle.
She has been a librarian for 31 years.
She is at work two hours before the library opens.
Pensioners visit in the morning.
About 340 people visit on a weekday.
Students hardly come any more.
The self-service machine rejects one card in ten.
She was sceptical about Koha at first.
She reads e-books only on holiday.
She wants to walk to Santiago with her sister after retirement.
"""),
        list(
            _edits("""
number|They have about 430 visitors on a weekday.
number|The machine refuses one card in three.
negation|She would go back from Koha.
negation|She does not read e-books on holiday.
entity|She will walk to Rome with her sister.
entity|She will walk to Santiago with her husband.
preference|She loves the self-service machine.
preference|At home she wants e-books instead of paper.
invented|She teaches a course on genealogy.
invented|She has a cat in the library.
""")
        ),
    ),
    UnseenSource(
        "Wanda",
        "bakery.txt",
        _BAKERS,
        _lines("""
Wanda has worked at the bakery since 2017.
She used to work at a bank.
Paolo starts his day at half past two.
They sell a third less in the rain.
She takes photos of the wall where he writes the amounts.
Around fifteen loaves remain in the evening.
Leftover bread goes to a food bank.
She is in favour of online orders.
They have accepted cards since last year.
She makes the allergen lists by hand.
"""),
        list(
            _edits("""
number|They sell a half less when it rains.
number|About fifty loaves are left over in the evening.
negation|They throw bread away.
negation|They do not take cards.
entity|A kindergarten collects the loaves.
entity|Wanda lost her job at a post office.
preference|Paolo wants online orders.
preference|Wanda is unhappy about cards.
invented|They deliver bread by bicycle.
invented|Wanda has an allergy to nuts.
""")
        ),
    ),
]
