"""
Claims, and sources that tell the same with a word misspelt, inflected or compounded; and some that do not.

Written before there was any rule for it. A row: the claim, what the source says, and whether that supports it.
"""

__all__ = ["ENGLISH", "GERMAN"]

ENGLISH = [
    ("Uses spreadsheets for the household budget", "I keep our houshold budget in spreadsheats.", True),
    ("Struggles with scheduling appointments", "Honestly I struggle with shceduling the apointments.", True),
    ("Prefers working in the library", "Most days I am working in the libary, I prefer it there.", True),
    ("Runs a small restaurant in the harbour", "I run a small restaraunt down in the harbour.", True),
    ("Collects vintage typewriters", "We collect vintage type writers at home.", True),
    ("Repairs bicycles at the weekend", "On the week-end I repair bicycels for the neighbours.", True),
    ("Teaches mathematics in secondary school", "I teach mathmatics at a secondary school.", True),
    ("Manages the pharmacy inventory", "My job is to manage the pharmacy's inventry.", True),
    ("Wants accessible documentation", "What I want is accessable documentaton.", True),
    ("Volunteers at the animal shelter", "Every month I volunter at the animal-shelter.", True),
    ("Grows tomatoes in a greenhouse", "I grow tomatos in the green house.", True),
    ("Reads newspapers during breakfast", "I read the news papers during breakfast.", True),
    ("Signed a contract with the agency", "I made contact with the agency in spring.", False),
    ("Eats dessert in the evening", "We walk through the desert in the evening.", False),
    ("Works as a physicist in a clinic", "I am a physician in a clinic.", False),
    ("Is organised about receipts", "I am disorganised about receipts.", False),
    ("Plays the cello in an orchestra", "There is a cellar under the orchestra.", False),
    ("Lives near Austin", "We live near Houston.", False),
    ("Moderates the marketing meetings", "I attend the modern marketplace.", False),
    ("Finds the interface intuitive", "I was interviewed about an intrusive ad.", False),
]

GERMAN = [
    ("Nutzt eine Tabelle für das Haushaltsbudget", "Ich nutze für unser Haushalts-Budget eine Tabelle.", True),
    ("Arbeitet in der Kundenberatung", "Ich arbeite in der Beratung von Kunden.", True),
    ("Leitet die Personalabteilung einer Klinik", "Ich leite in einer Klinik die Abteilung für Personal.", True),
    ("Wünscht sich eine bessere Dokumentation", "Ich wünsche mir eine bessere Dokumentaton.", True),
    ("Plant Termine mit einem Papierkalender", "Termine plane ich mit einem Kalender aus Papier.", True),
    ("Repariert alte Fahrräder", "Ich repariere alte Fahrräderteile.", False),
    ("Unterrichtet Mathematik am Gymnasium", "Ich unterrichte Matematik an einem Gymnasium.", True),
    ("Züchtet Tomaten im Gewächshaus", "Im Gewächhaus züchte ich Tomaten.", True),
    ("Verwaltet die Lagerbestände der Apotheke", "Ich verwalte den Lagerbestand einer Apotheke.", True),
    ("Besucht regelmäßig die Stadtbibliothek", "Ich besuche regelmässig die Stadtbibliotek.", True),
    ("Sammelt historische Schreibmaschinen", "Ich sammle eine historische Schreibmaschine nach der anderen.", True),
    ("Fährt mit der Straßenbahn ins Büro", "Ins Büro fahre ich mit der Strassenbahn.", True),
    ("Hat Vertrag mit der Agentur", "Ich habe Vertrauen in die Agentur.", False),
    ("Ist mit der Verpackung zufrieden", "Ich bin mit der Verpackung unzufrieden.", False),
    ("Arbeitet als Erzieherin im Kindergarten", "Ich arbeite als Erzählerin in einem Garten.", False),
    ("Wohnt in Magdeburg", "Ich wohne in Merseburg.", False),
    ("Liest Zeitschriften am Bahnhof", "Der Zeitplan hängt am Bahnhof.", False),
    ("Hält die Bedienung für möglich", "Die Bedienung halte ich für unmöglich.", False),
    ("Kocht Suppen für die Nachbarschaft", "Ich suche etwas in der Nachbarschaft.", False),
    ("Schätzt verlässliche Lieferzeiten", "Ich schätze verlässliche Lieferanten.", False),
]
