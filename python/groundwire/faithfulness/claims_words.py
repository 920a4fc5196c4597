"""Words by which a sentence about a person is taken apart. Own list."""

__all__ = ["ADVERBS", "DENIALS", "NOT_VERBS_AFTER", "NOUNS_TOO", "SUBJECT_WORDS", "VERBS"]

_SUBJECTS = """
i he she they we it you his her their its my our this these who someone everyone nobody people
the a an most many some all each
"""
SUBJECT_WORDS = frozenset(_SUBJECTS.split())
"""What a subject begins with, apart from names."""

_FORMS = """
accepts achieves adapts adopts advocates aims am analyzes appreciates approaches are aren't aren’t arrives asks
aspires assists attends avoids balances be became becomes began begins believes belongs bought brings builds built
buys calls came can can't cannot can’t cares carries checks chooses chose collaborates collects comes communicates
commutes compares completed completes considers contributes cooks coordinates could creates cycles dedicates delegates
delivers depends describes designs develops did didn't didn’t dislikes distrusts do does doesn't doesn’t don't don’t
dreads drinks drives earned earns eats enjoyed enjoys ensures expects experiences explores faces feels felt finds
focuses follows forgets found gave gets gives goes got graduated grew grows had handles has hasn't hasn’t hates have
helps hesitates hires holds hopes identifies ignores improves insists invests is isn't isn’t joined joins juggles
keeps kept knew knows lacks leads learned learns leaves led left likes listens lists lived lives looks lost loves made
maintains makes managed manages may mentors met might monitors moved moves must needed needs notices offers oversees
owns pays performs plans plays preferred prefers prepares presents prioritizes produces provides pursues puts ran
reads recommends reduces refuses relates relies remembers reports represents requires researches resists responds
reviews rides runs said saves seeks seems sees sells sends serves shall shares shops should shows sings skips sleeps
smokes solves speaks spends spent started starts stays stopped stops strives struggles studied studies suffers
supports swims switched takes talks taught teaches tends tests thinks thought tracks trains travels treats tries
trusts turns understands used uses values views visits volunteers waits walks wanted wants was wasn't wasn’t watches
wears went were will wishes won't wonders won’t worked works worries would writes wrote
"""

VERBS = frozenset(_FORMS.split())
"""Verbs as they stand behind he or she, and in the past."""

_NOUNS = """
aims approaches balances builds checks designs experiences faces hopes leads lists lives looks moves needs offers
plans plays presents reports researches reviews rides runs shares shops shows sleeps starts stays stops studies
supports talks tests tracks trains travels trusts turns uses values views visits waits walks watches wishes works
worries
"""
NOUNS_TOO = frozenset(_NOUNS.split())
"""Those that are also nouns: behind another noun of many they are one, `plans and reports`."""

DENIALS = frozenset({"never", "rarely", "hardly", "barely", "seldom", "scarcely", "neither", "no", "nobody", "not"})
"""What a subject may bring along for all verbs behind it: `She never drinks and smokes` says not that she smokes."""

ADVERBS = frozenset(
    {"often", "always", "also", "sometimes", "still", "now", "just", "only", "even", "both", "currently"}
)
"""What stands between a subject and its verb, beside words in -ly."""

_NO_VERBS = """
the a an his her their its my our your of for with in on at to from by about between various several both
"""
NOT_VERBS_AFTER = frozenset(_NO_VERBS.split())
"""Behind one of these a word in front of `and` is a noun, and so is what follows: `of plans and reports`."""
