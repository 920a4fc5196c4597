"""Five texts of our own, with paraphrased claims and edits of them by kind."""

from typing import NamedTuple

__all__ = ["TEXTS", "Text"]


class Text(NamedTuple):
    """Holds the person, the text, paraphrased claims, and edited claims by kind."""

    name: str
    source: str
    told: list[str]
    edits: dict[str, list[str]]


def _text(name: str, source: str, told: str, edits: str) -> Text:
    kinds: dict[str, list[str]] = {}
    for line in edits.strip().splitlines():
        kind, _, claim = line.partition("|")
        kinds.setdefault(kind, []).append(claim)
    return Text(name, source, told.strip().splitlines(), kinds)


TEXTS = [
    _text(
        "Lena",
        """\
Interviewer: Could you start by telling me about your job?
Lena: Sure. I teach chemistry at a secondary school in Graz. I've been doing that for twelve years. Before that I
spent two years
in a research lab at a paint company, but I missed working with people.
Interviewer: How many classes do you have?
Lena: This year five classes, so roughly 130 students. My smallest class has 19 kids. On Thursdays I also run the
science club after lunch.
Interviewer: How do you prepare your lessons?
Lena: Mostly at home, late in the evening, when my kids are asleep. I use an old Lenovo laptop. I keep all my
worksheets in OneNote.
I tried Google Classroom for a year and gave it up, because parents never looked at it.
Interviewer: What annoys you?
Lena: Grading. I really hate grading lab reports, it eats my Sundays. And the printers. The printers in the staff
room break down every week.
What I don't mind is parents' evenings, most colleagues complain about them, I actually find them useful.
Interviewer: What would you change?
Lena: I'd like smaller classes, and an assistant for the lab. Our headmaster says there is no money for it. I am
not allowed to do
some experiments any more, since the fume hood failed the inspection in 2021.
Interviewer: And private life?
Lena: I'm married to Jakob, he is a carpenter. We have twins, they turned seven in May. We don't own a car, I take
the tram to school,
it's about 25 minutes. I sing alto in a choir on Tuesdays. I used to play the flute, but I sold it.
""",
        """
Lena is a chemistry teacher in Graz.
She teaches at a secondary school.
She has taught for twelve years.
She worked in the lab of a paint company for two years before.
She teaches five classes this year.
She has about 130 students.
Her smallest class has 19 students.
She leads the science club on Thursdays.
She prepares lessons at home in the evening.
She works on a Lenovo laptop.
Her worksheets are in OneNote.
She gave up Google Classroom after a year.
She hates grading lab reports.
The printers in the staff room often break down.
She finds parents' evenings useful.
She wants smaller classes.
She would like an assistant for the lab.
Her headmaster says there is no money for an assistant.
The fume hood failed its inspection in 2021.
Her husband Jakob is a carpenter.
She has twins.
Her twins are seven years old.
She does not own a car.
She takes the tram to school.
Her way to school takes 25 minutes.
She sings in a choir.
She sold her flute.
She no longer plays the flute.
""",
        """
number|She has taught for nine years.
number|She worked in the lab of a paint company for four years before.
number|She teaches seven classes this year.
number|She has about 180 students.
number|Her smallest class has 24 students.
number|The fume hood failed its inspection in 2018.
number|Her twins are nine years old.
number|Her way to school takes 45 minutes.
negation|She does not teach chemistry.
negation|She does not run the science club.
negation|She likes grading lab reports.
negation|She does not hate grading lab reports.
negation|She does not find parents' evenings useful.
negation|She wants larger classes.
negation|She owns a car.
negation|She does not take the tram to school.
negation|She never sings in a choir.
negation|She still plays the flute.
negation|The fume hood passed the inspection in 2021.
negation|Her worksheets are not in OneNote.
negation|She is not married.
negation|She uses Google Classroom.
negation|Parents always looked at Google Classroom.
negation|The printers in the staff room never break down.
name|Lena is a chemistry teacher in Linz.
name|She teaches physics at a secondary school.
name|She works on a Dell laptop.
name|Her worksheets are in Evernote.
name|She leads the science club on Mondays.
name|Her husband Martin is a carpenter.
name|Her husband Jakob is a plumber.
name|She takes the bus to school.
name|She worked in the lab of a glue company for two years before.
name|She sings soprano in a choir.
name|She gave up Microsoft Teams after a year.
name|Jakob teaches chemistry.
invented|She coaches the volleyball team.
invented|She speaks Hungarian.
invented|She wants to become headmaster.
invented|She grows tomatoes in her garden.
invented|She has a doctorate in chemistry.
invented|She is afraid of spiders.
invented|She lives with her parents.
invented|She plans to move to Vienna.
""",
    ),
    _text(
        "Omar",
        """\
# Field notes, visit 3: Omar Haddad, logistics coordinator

Omar Haddad, 46, coordinates deliveries for a wholesale bakery in Rotterdam. He has held this position since 2015;
before, he drove one of the vans.
He plans the routes of 17 drivers. A normal shift begins at 3:30 in the morning and ends around noon.

Omar plans routes on a whiteboard first and then types them into Excel. "The software we bought is useless, it
ignores the bridges," he says. He does not
use the route planner any more. He calls the drivers by phone; he finds chat groups distracting.

On an average day four or five deliveries are late. Most delays are caused by the bridge at the harbour. Customers
complain to Omar directly, and he
writes every complaint into a notebook. His manager, Saskia, never reads the notebook.

He would like a display in the vans that shows the next stop. He is worried that electric vans will not have enough
range in winter. The company plans to
replace six vans next year.

Omar grew up in Casablanca and came to the Netherlands when he was 19. He speaks Arabic, French and Dutch; his
English is limited. He is divorced and has
one daughter, Yasmin, who studies law in Leiden. He swims twice a week and has stopped smoking. He does not drink
alcohol. He supports Feyenoord.
""",
        """
Omar coordinates deliveries for a bakery.
He works in Rotterdam.
He is 46 years old.
He has been a coordinator since 2015.
He used to drive a van.
He plans routes for 17 drivers.
His shift starts at 3:30 in the morning.
He finishes work around noon.
He plans routes on a whiteboard.
He types the routes into Excel.
He considers the route software useless.
He no longer uses the route planner.
He phones his drivers.
Chat groups distract him.
Four or five deliveries are late on an average day.
The bridge at the harbour causes most delays.
He records complaints in a notebook.
His manager Saskia does not read the notebook.
He wants a display in the vans.
He worries about the range of electric vans in winter.
The company will replace six vans next year.
He grew up in Casablanca.
He moved to the Netherlands at the age of 19.
He speaks Arabic, French and Dutch.
He is divorced.
His daughter Yasmin studies law in Leiden.
He swims twice a week.
He quit smoking.
He does not drink.
He is a Feyenoord fan.
""",
        """
number|He is 52 years old.
number|He has been a coordinator since 2011.
number|He plans routes for 27 drivers.
number|His shift starts at 5:30 in the morning.
number|Nine deliveries are late on an average day.
number|The company will replace eleven vans next year.
number|He moved to the Netherlands at the age of 24.
number|He swims four times a week.
number|He has three daughters.
negation|He does not plan routes on a whiteboard.
negation|He uses the route planner.
negation|He considers the route software useful.
negation|He enjoys chat groups.
negation|His manager Saskia reads the notebook.
negation|He does not want a display in the vans.
negation|He is not worried about the range of electric vans.
negation|He smokes.
negation|He drinks alcohol.
negation|He never swims.
negation|He speaks English fluently.
negation|The company will not replace vans next year.
negation|He is not divorced.
negation|Customers never complain to Omar.
negation|He did not grow up in Casablanca.
name|Omar coordinates deliveries for a brewery.
name|He works in Antwerp.
name|He types the routes into Access.
name|The bridge at the station causes most delays.
name|His manager Marieke does not read the notebook.
name|He grew up in Tunis.
name|His daughter Yasmin studies medicine in Leiden.
name|His daughter Yasmin studies law in Utrecht.
name|He speaks Arabic, Spanish and Dutch.
name|He supports Ajax.
name|Saskia coordinates deliveries for a bakery.
name|He records complaints in a database.
invented|He owns a motorcycle.
invented|He suffers from back pain.
invented|He plans to retire early.
invented|He plays chess with the drivers.
invented|He has a degree in economics.
invented|He dislikes cold weather.
invented|He bakes bread at home.
invented|He trains new drivers every month.
""",
    ),
    _text(
        "Grace",
        """\
Facilitator: Grace, what does a typical week look like for you?
Grace: I'm a physiotherapist, I split my time between a clinic in Cork and home visits. Three days in the clinic,
two days on the road. I see around
45 patients a week, most of them over sixty.
Facilitator: What tools do you rely on?
Grace: My calendar, honestly. We book everything through Cliniko. I take notes on paper during a session and I type
them up afterwards, because
patients don't like it when I stare at a tablet. I can't stand video consultations.
Facilitator: Why is that?
Grace: You can't feel a shoulder through a camera. We did them for eight months during the pandemic and I was
relieved when it was over.
Facilitator: Where does time get lost?
Grace: Insurance forms. I spend six hours a week on forms, nobody pays me for that. And no-shows: about one patient
in ten doesn't turn up. We send
text reminders the day before, that helped a lot.
Facilitator: Who do you work with?
Grace: There are four of us, and a receptionist, Niamh, who keeps us sane. I trained in Dublin and qualified in
2009. I did a course in dry needling two
years ago, but I rarely use it.
Facilitator: What do you wish for?
Grace: Exercises that people really do at home. Half of them never open the app we recommend. I prefer printed
sheets, with photos. And I'd love a bigger gym room.
Facilitator: And after work?
Grace: I swim in the sea, all year round. I have a dog, Biscuit, and I foster cats now and then. I gave up coffee
last spring. My husband says I work too
much. We're saving for a house in Kinsale.
""",
        """
Grace is a physiotherapist.
She works in a clinic in Cork.
She spends three days a week in the clinic.
She makes home visits on two days.
She sees about 45 patients a week.
Most of her patients are over sixty.
She books appointments through Cliniko.
She takes notes on paper during sessions.
She types up her notes afterwards.
She dislikes video consultations.
She held video consultations for eight months during the pandemic.
She loses six hours a week to insurance forms.
One in ten patients does not show up.
Text reminders have helped.
There are four physiotherapists and a receptionist.
The receptionist is called Niamh.
She trained in Dublin.
She qualified in 2009.
She took a course in dry needling.
She seldom uses dry needling.
Half of her patients never open the recommended app.
She prefers printed sheets with photos.
She would love a bigger gym room.
She swims in the sea all year.
She has a dog named Biscuit.
She fosters cats.
She gave up coffee.
Her husband thinks she works too much.
She is saving for a house in Kinsale.
""",
        """
number|She spends four days a week in the clinic.
number|She sees about 70 patients a week.
number|She held video consultations for three months during the pandemic.
number|She loses ten hours a week to insurance forms.
number|One in five patients does not show up.
number|There are seven physiotherapists and a receptionist.
number|She qualified in 2013.
number|Most of her patients are over forty.
negation|She enjoys video consultations.
negation|She does not take notes on paper during sessions.
negation|She stares at a tablet during sessions.
negation|Text reminders have not helped.
negation|She often uses dry needling.
negation|She drinks coffee.
negation|She does not have a dog.
negation|She never swims in the sea.
negation|Patients like it when she stares at a tablet.
negation|She is not a physiotherapist.
negation|She is paid for insurance forms.
negation|Her husband thinks she does not work too much.
negation|She would love a smaller gym room.
negation|She did not train in Dublin.
negation|She dislikes printed sheets.
negation|All patients open the app.
name|She works in a clinic in Galway.
name|She books appointments through Doctolib.
name|The receptionist is called Aoife.
name|She trained in Belfast.
name|She has a dog named Muffin.
name|She is saving for a house in Cobh.
name|Grace is a dentist.
name|She fosters dogs.
name|She took a course in acupuncture.
name|Her husband is a receptionist.
name|She swims in the lake all year.
name|She gave up sugar.
invented|She plays the harp.
invented|She treats professional athletes.
invented|She is writing a book on posture.
invented|She grew up on a farm.
invented|She manages a budget of 2 million.
invented|She prefers morning appointments.
invented|She has two sons.
invented|She wants to open her own clinic.
""",
    ),
    _text(
        "Mei",
        """\
Moderator: Let's begin. Mei, tell us who you are and what you do.
Mei: Hi, I'm Mei, thirty-eight. I run a small bookshop in Leeds with my sister. We opened it in 2016. Before that I
was an accountant at a bank for nine years.
Moderator: Ravi?
Ravi: I'm Ravi, I'm 51, I own two cafes in Bradford. I started as a chef. I've got eleven employees.
Moderator: How do you keep track of stock?
Mei: In a spreadsheet. We looked at Shopify, but it was too expensive for us. I count the shelves every Sunday, and
it takes about four hours.
Ravi: I don't count anything. My supplier does that, he comes twice a week. I pay him by bank transfer.
Moderator: How do you advertise?
Mei: We send a newsletter to about 900 people. I hate writing it, my sister enjoys it, so she does it. We never
advertise on Facebook.
Ravi: Facebook is where my customers are, I post there every day. Newsletters don't work for me.
Moderator: Biggest worry?
Mei: The rent. Our landlord raised it by 15 percent in January. We might have to move to a smaller place. I'm not
worried about Amazon any more.
Ravi: Staff. Two waiters left last month and I couldn't find anybody. I work seventy hours a week now.
Moderator: What would make life easier?
Mei: A till that talks to my spreadsheet. And less paperwork, I do the taxes myself and I don't like it.
Ravi: A good manager. I want to spend the weekends with my kids, I have three boys.
""",
        """
Mei runs a bookshop in Leeds.
She runs the shop together with her sister.
The bookshop opened in 2016.
She used to be an accountant.
She worked at a bank for nine years.
She tracks her stock in a spreadsheet.
She found Shopify too expensive.
She counts the shelves every Sunday.
Counting takes about four hours.
Their newsletter goes to about 900 people.
She hates writing the newsletter.
Her sister enjoys writing the newsletter.
She does not advertise on Facebook.
Her landlord raised the rent by 15 percent.
She may have to move to a smaller place.
She no longer worries about Amazon.
She would like a till that works with her spreadsheet.
She wants less paperwork.
She does her own taxes.
She does not like doing taxes.
""",
        """
number|The bookshop opened in 2012.
number|She worked at a bank for six years.
number|Counting takes about seven hours.
number|Their newsletter goes to about 400 people.
number|Her landlord raised the rent by 25 percent.
number|Mei is 46 years old.
negation|She does not run a bookshop.
negation|She does not use a spreadsheet for stock.
negation|She enjoys writing the newsletter.
negation|She advertises on Facebook.
negation|She still worries about Amazon.
negation|Her landlord lowered the rent.
negation|She found Shopify cheap.
negation|She likes doing the taxes.
negation|She never counts the shelves.
negation|She wants more paperwork.
negation|Her sister hates writing the newsletter.
name|She runs a bookshop in York.
name|She runs a toy shop in Leeds.
name|She counts the shelves every Friday.
name|She used to be a lawyer.
name|She found Etsy too expensive.
name|She runs the shop together with her brother.
name|She never advertises on Instagram.
name|She worked at an insurance company for nine years.
name|Ravi runs a bookshop in Leeds.
invented|She studied literature in London.
invented|She sells vinyl records.
invented|She hosts a reading group.
invented|She drives a van.
invented|She is afraid of online reviews.
invented|She wants to open a second shop.
""",
    ),
    _text(
        "Pavel",
        """\
Pavel Novak is a train driver. He lives in Ostrava with his wife Jana and their two sons, and he has driven freight
trains for 14 years. He starts most shifts
at four in the morning. He sleeps badly before early shifts and drinks three cups of coffee by noon.

Pavel said that the tablet in the cab freezes in cold weather. "When it freezes I go by my paper timetable," he
told us. He carries the paper timetable on every trip. He
does not trust the new signalling app. He reports faults by radio, never by the app. The dispatcher answers within
a minute.

He earns about 52,000 crowns a month. Overtime is paid, but he refuses overtime on Saturdays, because he plays
football with his sons. He has never missed a match. He is
a member of the union, and he voted for the strike in March. The strike lasted two days.

Pavel would rather drive passenger trains. He has applied twice and was rejected both times. His eyesight is good,
but he failed the English test. He is taking lessons on
Mondays now. His manager supports him. He wants quieter cabs, better seats and shorter shifts. He thinks cameras in
the cab are a bad idea.
""",
        """
Pavel Novak drives trains.
He lives in Ostrava.
He has two sons.
His wife is called Jana.
He has been a freight train driver for 14 years.
Most of his shifts begin at four in the morning.
He sleeps badly before early shifts.
He drinks three cups of coffee by noon.
The tablet in the cab freezes when it is cold.
He always carries a paper timetable.
He distrusts the new signalling app.
He reports faults by radio.
He never reports faults by the app.
The dispatcher answers within a minute.
He makes about 52,000 crowns a month.
He refuses overtime on Saturdays.
He plays football with his sons.
He is a union member.
He voted for the strike.
The strike took two days.
He would prefer to drive passenger trains.
His two applications were rejected.
He has good eyesight.
He did not pass the English test.
He takes English lessons on Mondays.
His manager supports him.
He wants shorter shifts.
He dislikes the idea of cameras in the cab.
""",
        """
number|He has been a freight train driver for 9 years.
number|He has four sons.
number|Most of his shifts begin at six in the morning.
number|He drinks five cups of coffee by noon.
number|He makes about 38,000 crowns a month.
number|The strike took five days.
number|He has applied four times.
negation|He trusts the new signalling app.
negation|He does not carry a paper timetable.
negation|He reports faults by the app.
negation|He voted against the strike.
negation|He did not vote for the strike.
negation|He accepts overtime on Saturdays.
negation|He passed the English test.
negation|He sleeps well before early shifts.
negation|His eyesight is bad.
negation|His manager does not support him.
negation|He wants longer shifts.
negation|He is not a member of the union.
negation|Overtime is not paid.
negation|He never plays football with his sons.
negation|He often missed a match.
negation|He thinks cameras in the cab are a good idea.
name|He lives in Brno.
name|His wife is called Petra.
name|He refuses overtime on Sundays.
name|He plays hockey with his sons.
name|He drives buses.
name|He takes English lessons on Thursdays.
name|He failed the German test.
name|He voted for the strike in June.
name|Jana drives freight trains.
name|He reports faults by phone.
invented|He collects model trains.
invented|He was born in Poland.
invented|He smokes a pipe.
invented|He plans to become a teacher.
invented|He owns a cottage in the mountains.
invented|He is allergic to dust.
""",
    ),
]
