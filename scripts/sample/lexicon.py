"""
The lexicon of the embedded sample: words, their inflection, and what goes with what.

A trailing `*` marks a word that is kept out of the training part, so that the other parts have
words which only their vectors tell something about.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

# Nouns by semantic class; `lemma/plural` where that is irregular, `lemma/-` where there is none.
NOUNS: Dict[str, str] = {
    "person": "teacher doctor nurse lawyer farmer baker painter sailor soldier neighbour student "
    "manager mayor minister journalist engineer gardener waiter thief/thieves dentist tailor "
    "guide pilot singer actor judge butcher scientist librarian child/children man/men "
    "woman/women boy girl guest tourist customer secretary* plumber* carpenter* poet* "
    "policeman/policemen stranger king queen captain driver writer reporter witness",
    "kin": "mother father sister brother uncle aunt cousin daughter son grandmother wife/wives "
    "husband friend colleague nephew*",
    "animal": "dog cat horse cow sheep/sheep goat fox wolf/wolves bird crow owl duck mouse/mice "
    "bear lion puppy kitten spider fish/fish goose/geese* donkey*",
    "group": "company bank committee council team government union university newspaper army "
    "court orchestra hospital airline agency club board factory party parliament*",
    "food": "apple pear cake loaf/loaves sandwich potato tomato egg pie pizza omelette pancake "
    "onion carrot biscuit melon* salad soup/- bread/- cheese/- rice/- ham/-",
    "drink": "tea/- coffee/- milk/- juice/- wine/- lemonade/-* water/-",
    "ingredient": "mushrooms/- butter/- honey/- cream/- garlic/- raisins/- nuts/- cinnamon/-*",
    "optic": "telescope camera microscope lens spyglass*",
    "cutter": "knife/knives axe saw sword chisel*",
    "striker": "hammer stick bat stone club mallet*",
    "cutlery": "spoon fork ladle chopstick*",
    "wiper": "cloth sponge brush towel mop*",
    "pen": "pen pencil crayon feather* marker",
    "opener": "key crowbar card screwdriver*",
    "attribute": "beard moustache scar hat tattoo limp backpack umbrella coat scarf/scarves "
    "ponytail* accent",
    "part": "lid handle label lock drawer ribbon zip* crack",
    "feature": "balcony tower garden fountain chimney courtyard terrace*",
    "vehicle": "car bus train bicycle truck ship boat plane tram ferry van* taxi",
    "building": "house shop school church castle museum hotel theatre library station restaurant "
    "bakery mill cottage barn tower bridge chapel* warehouse",
    "place": "park village street beach forest valley harbour square market field city "
    "town suburb* meadow desert",
    "room": "kitchen garden office cellar attic bedroom hall classroom garage corridor*",
    "surface": "table shelf/shelves desk floor wall chair roof bench counter sofa*",
    "container": "box bag basket drawer cupboard bottle jar suitcase pocket crate*",
    "document": "letter book report article map contract novel poem diary essay postcard bill "
    "manual list memo* note magazine",
    "art": "painting statue photograph song film play portrait drawing sculpture* poster",
    "thing": "ring watch clock lamp piano guitar vase phone computer radio window door gate "
    "blanket candle mirror toy ball kite violin* parcel tent machine",
    "clothing": "shirt dress jacket shoe sweater glove skirt* boot",
    "plant": "tree rose flower bush tulip hedge oak* vine",
    "topic": "gardening/- history/- physics/- music/- chess/- astronomy/- philosophy/- "
    "poetry/- geology/-* football/- cooking/-",
    "event": "meeting concert war storm election strike festival wedding party trial race game "
    "exam flood holiday lecture parade* match",
    "abstract": "idea problem plan chance rule theory reason secret method habit question mistake "
    "story rumour* trick proposal budget tax price law",
    "quality": "care/- anger/- delight/- patience/- pride/- difficulty/- enthusiasm/- joy/- "
    "skill/- surprise/- relief/-* caution/-",
    "period": "minute hour day week month year decade*",
    "dayname": "Monday Tuesday Wednesday Thursday Friday Saturday* Sunday",
    "month": "January February March April June July August* September October December",
    "season": "spring summer autumn winter",
    "daytime": "morning evening afternoon night",
    "moment": "noon/- midnight/- dawn/- dusk/-*",
    "unit": "dollar euro pound kilo litre*",
    "hour": "o'clock/-",
}

FIRST_NAMES = (
    "Anna Peter Maria John Sarah Tom Emma David Laura Paul Nina Oscar Clara Victor Julia Henry "
    "Alice Marco Ingrid* Hugo* Leila Omar Sofia Felix Rosa Ivan Grace Samuel* Mei Ruth"
).split()
LAST_NAMES = (
    "Miller Brown Novak Keller Rossi Hansen Moreau Clark Weber Silva Okafor Tanaka Lindqvist* "
    "Petrov Costa Walsh Bauer Dupont Sato Hughes Marsh* Vidal"
).split()
CITIES = (
    "London Paris Vienna Lisbon Oslo Prague Dublin Madrid Athens Boston Cairo Toronto Sydney "
    "Helsinki* Geneva Naples Krakow* Bergen"
).split()
COUNTRIES = (
    "Spain France Norway Italy Greece Canada Japan Brazil Egypt Portugal* Kenya Chile".split()
)
ORG_FIRST = "Northern Harbour Global Riverside Atlas Silverline Summit Delta* Orion Pacific".split()
ORG_LAST = "Steel Airlines Bank Motors Foods Insurance Electric Press Telecom* Shipping".split()
NATIONALITIES = "French Spanish Italian Norwegian Japanese Greek Canadian Egyptian*".split()

# Adjectives by what they describe.
ADJECTIVES: Dict[str, str] = {
    "human": "young old tall friendly famous clever brave honest lazy polite quiet nervous rich "
    "poor kind grumpy* careful curious talented shy* local retired/VBN",
    "beast": "small big black brown hungry wild fat tame* fierce clever",
    "object": "small large new old heavy cheap expensive broken/VBN red green blue wooden "
    "beautiful ugly dirty strange useful round* stolen/VBN golden missing/VBG",
    "food": "fresh warm cold delicious sweet sour* fried/VBN ripe",
    "place": "quiet crowded narrow ancient modern empty remote* famous busy dark sunny",
    "idea": "good bad simple difficult brilliant important surprising/VBG serious silly* new "
    "clever dangerous",
    "event": "long short recent terrible wonderful local annual* final",
    "group": "large small national local private powerful foreign* independent",
    "state": "happy sad angry tired hungry ready ill late nervous afraid rich famous proud* bored",
    "color": "red green blue white yellow black purple*",
}
COMPARATIVES: Dict[str, Tuple[str, str]] = {
    "small": ("smaller", "smallest"),
    "old": ("older", "oldest"),
    "big": ("bigger", "biggest"),
    "cheap": ("cheaper", "cheapest"),
    "rich": ("richer", "richest"),
    "young": ("younger", "youngest"),
    "tall": ("taller", "tallest"),
    "large": ("larger", "largest"),
    "good": ("better", "best"),
    "heavy": ("heavier", "heaviest"),
}

ADVERBS: Dict[str, str] = {
    "manner": "slowly quickly carefully quietly loudly happily angrily politely secretly gently "
    "eagerly calmly suddenly badly nervously* gladly",
    "past": "yesterday/NN recently again early late today/NN earlier*",
    "present": "now today/NN again nowadays*",
    "future": "tomorrow/NN soon again tonight/NN today/NN later*",
    "frequency": "often always usually sometimes never rarely* already still",
    "discourse": "however therefore moreover meanwhile instead nevertheless* furthermore",
    "stance": "unfortunately luckily perhaps apparently probably surprisingly* clearly",
    "extent": "completely almost greatly deeply slightly partly* really",
    "degree": "very quite rather too extremely* so",
    "place": "here there outside upstairs nearby* abroad",
}

NUMBERS = "two three four five six seven eight ten twelve twenty".split()
FIGURES = "3 7 15 24 40 60 75 100 250 1,200 3.5 12 90".split()
YEARS = "1987 1994 2003 2011 1968 2016 1975*".split()
ORDINALS = "first second third last".split()
INTERJECTIONS = "Yes No Hello Thanks Wow Sorry Goodbye* Please Oh Well Hey Okay Hurrah".split()


# What the grammar asks about classes and words.
PRONOUNS = {
    # nominative: accusative, possessive, lemma of the possessive, person, plural
    "I": ("me", "my", 1, False),
    "you": ("you", "your", 2, False),
    "he": ("him", "his", 3, False),
    "she": ("her", "her", 3, False),
    "it": ("it", "its", 3, False),
    "we": ("us", "our", 1, True),
    "they": ("them", "their", 3, True),
}
PEOPLE = {"person", "kin", "name", "role"}
IMMOBILE = {"building", "plant", "art", "place", "city", "surface", "room", "country"}
ADJECTIVE_OF = {
    "person": "human",
    "kin": "human",
    "animal": "beast",
    "group": "group",
    "food": "food",
    "building": "place",
    "place": "place",
    "room": "place",
    "abstract": "idea",
    "event": "event",
    "document": "idea",
    "art": "object",
    "drink": "food",
    "role": "human",
}
PREPOSITION_OF_PLACE = {
    "place": "in",
    "building": "at",
    "room": "in",
    "city": "in",
    "country": "in",
}
NO_PASSIVE = {"have", "cost", "get", "like", "need", "wear", "owe", "want", "lose", "hate"}
# Verbs that can go on for three hours.
LASTING = set(
    "watch observe examine discuss follow play read drive work wait dance sing sleep swim travel "
    "walk live look listen talk sit stand paint study teach carry cook write".split()
)
# Verbs of what can be more or less so.
GRADABLE = set(
    "like love hate admire surprise frighten destroy change criticise rely depend agree grow rise "
    "support need".split()
)


@dataclass(frozen=True)
class Slot:
    """One argument of a verb: a relation (`obl.from`: with that preposition), role and fillers."""

    relation: str
    role: str
    fillers: Tuple[str, ...]
    optional: bool = False


@dataclass(frozen=True)
class Verb:
    """A verb sense: its forms (base, 3rd person, past, past participle, gerund) and arguments."""

    lemma: str
    sense: str
    forms: Tuple[str, str, str, str, str]
    subject: Slot
    slots: Tuple[Slot, ...] = ()
    instrument: str = ""
    particle: str = ""
    manner: bool = True
    progressive: bool = True
    adjuncts: bool = True

    @property
    def prepositions(self) -> Tuple[str, ...]:
        """The prepositions of its arguments."""
        return tuple(s.relation[4:] for s in self.slots if s.relation.startswith("obl."))

    def has(self, relation: str) -> bool:
        """Whether one of the arguments stands in this relation."""
        return any(slot.relation == relation for slot in self.slots)

    def slot(self, relation: str) -> Slot:
        """The argument that stands in this relation."""
        return next(slot for slot in self.slots if slot.relation == relation)


VOWELS = "aeiou"
DOUBLING = set("stop plan chop put run swim sit cut hit get win begin forget stir".split())


def third_person(lemma: str) -> str:
    """`watch` to `watches`; also the plural of a noun."""
    if lemma in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[lemma]
    if lemma.endswith(("s", "x", "z", "ch", "sh")) or lemma in ("potato", "tomato"):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2] not in VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _past(lemma: str) -> str:
    if lemma in DOUBLING:
        return lemma + lemma[-1] + "ed"
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in VOWELS:
        return lemma[:-1] + "ied"
    return lemma + "ed"


def _gerund(lemma: str) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma in DOUBLING:
        return lemma + lemma[-1] + "ing"
    if lemma.endswith("e") and not lemma.endswith("ee") and lemma != "be":
        return lemma[:-1] + "ing"
    return lemma + "ing"


def _slot(text: str) -> Slot:
    relation, role, fillers = text.split(":")
    return Slot(relation.rstrip("?"), role, tuple(fillers.split(",")), relation.endswith("?"))


def _verb(line: str) -> Verb:
    """`give.01 gave given | nsubj:ARG0:person iobj:ARG2:person obj:ARG1:thing | flag key=value`."""
    columns = [column.strip() for column in line.split("|")]
    name, *irregular = columns[0].split()
    lemma, sense = name.split(".")
    past = irregular[0] if irregular else _past(lemma)
    participle = irregular[1] if len(irregular) > 1 else past
    options = dict(option.split("=") for option in (columns[2].split() if len(columns) > 2 else []))
    slots = [_slot(text) for text in columns[1].split()]
    return Verb(
        lemma,
        sense,
        (lemma, third_person(lemma), past, participle, _gerund(lemma)),
        slots[0],
        tuple(slots[1:]),
        instrument=options.get("inst", ""),
        particle=options.get("prt", ""),
        manner=options.get("manner") != "no",
        progressive=options.get("prog") != "no",
        adjuncts=options.get("adj") != "no",
    )


_VERB_TABLE = (Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").splitlines()
VERBS: List[Verb] = [_verb(line) for line in _VERB_TABLE if not line.startswith("#")]


@dataclass(frozen=True)
class Nominal:
    """A noun that is a predicate: whose it is, and what it takes after it."""

    lemma: str
    sense: str
    owner: Tuple[str, Tuple[str, ...]]
    slots: Tuple[Slot, ...] = ()
    infinitive: str = ""
    clause: str = ""


NOMINALS: List[Nominal] = [
    Nominal("decision", "01", ("ARG0", ("person", "group", "kin")), (), infinitive="ARG1"),
    Nominal("attempt", "01", ("ARG0", ("person", "group")), (), infinitive="ARG1"),
    Nominal("promise", "01", ("ARG0", ("person", "group")), (), infinitive="ARG2"),
    Nominal("refusal", "01", ("ARG0", ("person", "group")), (), infinitive="ARG1"),
    Nominal("claim", "01", ("ARG0", ("person", "group")), (), clause="ARG1"),
    Nominal("belief", "01", ("ARG0", ("person", "kin")), (), clause="ARG1"),
    Nominal("announcement", "01", ("ARG0", ("group", "person")), (), clause="ARG1"),
    Nominal(
        "attack",
        "01",
        ("ARG0", ("army", "group", "animal")),
        (_slot("on:ARG1:city,building,person"),),
    ),
    Nominal("visit", "01", ("ARG0", ("person", "kin")), (_slot("to:ARG1:city,building,country"),)),
    Nominal(
        "destruction", "01", ("ARG1", ("building", "city")), (_slot("by:ARG0:army,storm,flood"),)
    ),
    Nominal(
        "criticism", "01", ("ARG0", ("person", "group")), (_slot("of:ARG1:group,abstract,law"),)
    ),
    Nominal("description", "01", ("ARG0", ("person",)), (_slot("of:ARG1:event,person,building"),)),
    Nominal("discussion", "01", ("ARG0", ("group",)), (_slot("of:ARG1:abstract,event"),)),
    Nominal(
        "analysis", "01", ("ARG0", ("person", "group")), (_slot("of:ARG1:document,price,event"),)
    ),
    Nominal("fear", "01", ("ARG0", ("kin", "person")), (_slot("of:ARG1:animal,storm,exam"),)),
    Nominal(
        "arrival", "01", ("ARG1", ("person", "vehicle", "kin")), (_slot("in:ARG4:city,place"),)
    ),
    Nominal("sale", "01", ("ARG0", ("group", "person")), (_slot("of:ARG1:building,vehicle,art"),)),
    Nominal(
        "support", "01", ("ARG0", ("person", "group")), (_slot("for:ARG1:abstract,strike,group"),)
    ),
    Nominal("agreement", "01", ("ARG0", ("group",)), (_slot("with:ARG1:group,union"),)),
    Nominal("love", "01", ("ARG0", ("person", "kin")), (_slot("of:ARG1:topic,animal,place"),)),
]
CRIMES = "theft murder fraud arson* bribery".split()

# What a noun may take after it, so that a preposition belongs to it and not to the verb.
COMPLEMENTS: Dict[str, Sequence[Tuple[str, Tuple[str, ...]]]] = {
    "letter": (
        ("to", ("person", "kin", "group")),
        ("from", ("person", "group", "kin")),
        ("about", ("event",)),
    ),
    "book": (("about", ("animal", "event", "topic")), ("on", ("topic",))),
    "article": (("about", ("event", "group")), ("on", ("topic",))),
    "report": (("on", ("event", "abstract", "group")), ("from", ("group",))),
    "essay": (("on", ("topic",)), ("about", ("person", "event"))),
    "novel": (("about", ("person", "event")), ("by", ("name",))),
    "poem": (("about", ("season", "kin", "place")), ("by", ("name",))),
    "song": (("about", ("animal", "place", "season")), ("by", ("name",))),
    "film": (("about", ("event", "person")), ("by", ("name",))),
    "map": (("of", ("city", "country", "place")),),
    "portrait": (("of", ("person", "kin", "animal")),),
    "photograph": (("of", ("person", "building", "animal", "kin")),),
    "painting": (
        ("of", ("place", "animal", "building")),
        ("by", ("name",)),
        ("from", ("country",)),
    ),
    "statue": (("of", ("person", "animal")),),
    "key": (("to", ("room", "container")),),
    "question": (("about", ("topic", "event")),),
    "plan": (("for", ("building", "event")),),
    "bill": (("for", ("food", "vehicle", "drink")),),
    "story": (("about", ("animal", "person", "event")),),
    "lecture": (("on", ("topic",)),),
    "list": (("of", ("book", "person")),),
    "postcard": (("from", ("city", "country", "kin")),),
    "reason": (("for", ("strike", "event")),),
    "tax": (("on", ("food", "drink", "vehicle")),),
    "price": (("of", ("food", "drink", "vehicle")),),
    "secretary": (("of", ("group",)),),
    "manager": (("of", ("group", "building")),),
    "mayor": (("of", ("city",)),),
    "king": (("of", ("country",)),),
    "queen": (("of", ("country",)),),
    "minister": (("from", ("country",)),),
    "captain": (("of", ("team", "ship")),),
    "driver": (("of", ("vehicle",)),),
    "student": (("of", ("topic",)), ("from", ("country", "city"))),
    "teacher": (("from", ("city", "country")),),
    "tourist": (("from", ("country",)),),
    "box": (("of", ("food", "pen")), ("with", ("part",))),
    "bottle": (("of", ("drink",)),),
    "bag": (("of", ("food",)), ("with", ("part",))),
    "basket": (("of", ("food",)), ("with", ("part",))),
    "jar": (("of", ("ingredient",)),),
}


@dataclass
class Words:
    """The lexicon as lists, for one part of the corpus."""

    nouns: Dict[str, List[Tuple[str, str]]] = field(default_factory=dict)
    lists: Dict[str, List[str]] = field(default_factory=dict)


def _visible(words: Sequence[str], held_out: bool) -> List[str]:
    """Words without their mark; the marked ones, where allowed, three times over."""
    chosen: List[str] = []
    for word in words:
        if not word.endswith("*"):
            chosen.append(word)
        elif held_out:
            chosen.extend([word[:-1]] * 3)
    return chosen


def _noun(entry: str) -> Tuple[str, str]:
    lemma, _, plural = entry.partition("/")
    return lemma, plural or third_person(lemma)


def words_of_part(held_out: bool) -> Words:
    """
    # Parameters

    held_out : `bool`
        Whether the words marked with `*` may be used.
    """
    words = Words()
    for kind, entries in NOUNS.items():
        words.nouns[kind] = [
            _noun(entry)
            for entry in _visible(
                [
                    # The mark stands at the very end: `loaf/loaves*`.
                    entry
                    for entry in entries.split()
                ],
                held_out,
            )
        ]
    single = {noun[0]: noun for nouns in words.nouns.values() for noun in nouns}
    for lemma, noun in single.items():
        words.nouns.setdefault(lemma, [noun])
    for name, group in (("adjective", ADJECTIVES), ("adverb", ADVERBS)):
        for kind, entries in group.items():
            words.lists[f"{name}.{kind}"] = _visible(entries.split(), held_out)
    for name, entries in (
        ("first", FIRST_NAMES),
        ("last", LAST_NAMES),
        ("city", CITIES),
        ("country", COUNTRIES),
        ("org_first", ORG_FIRST),
        ("org_last", ORG_LAST),
        ("nationality", NATIONALITIES),
        ("number", NUMBERS),
        ("figure", FIGURES),
        ("year", YEARS),
        ("ordinal", ORDINALS),
        ("interjection", INTERJECTIONS),
        ("crime", CRIMES),
    ):
        words.lists[name] = _visible(entries, held_out)
    return words
