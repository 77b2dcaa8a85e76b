"""Questions and other sentences that are made from labelled statements."""

import random
from dataclasses import replace

import pytest

from experiments.english.constructions import KINDS, constructions
from experiments.english.constructions.clauses import (
    bare_infinitive,
    coordinated,
    inchoative,
    moved_particle,
    participial,
    perfect,
    possessive_relative,
    present,
    progressive,
    relative,
    small_clause,
    subordinated,
    verb_forms,
)
from experiments.english.constructions.nominals import event_noun, nominal, of_event, with_event
from experiments.english.constructions.questions import imperative, questions
from experiments.english.constructions.speech import (
    is_long_speaker,
    reported,
)
from experiments.english.constructions.statements import Statement, nouns
from lisa_allennlp.data.dataset_readers import Conll12SrlReader
from lisa_allennlp.data.formats.roles import bio_to_spans, spans_to_bio
from lisa_allennlp.data.sentence import Frame, Parse, Sentence, self_loop_heads
from tests import ROOT


def _sentence(text, heads, tags, labels, **frames):
    """A sentence with a frame per `verb_position=spans`."""
    words = text.split()
    own = []
    for name, spans in frames.items():
        lemma, position = name.split("_")
        sense = f"{lemma}.01"
        own.append(Frame(int(position), spans_to_bio(spans, len(words)), lemma, sense))
    return Sentence(words, tags.split(), own, Parse(self_loop_heads(heads), labels.split()))


CLOSED = _sentence(
    "The firm closed two plants in May .",
    [2, 3, 0, 5, 3, 7, 3, 3],
    "DT NN VBD CD NNS IN NNP .",
    "det nsubj root nummod obj case obl punct",
    close_2=[("ARG0", 0, 1), ("V", 2, 2), ("ARG1", 3, 4), ("ARGM-TMP", 5, 6)],
)
MADE = _sentence(
    "New plants make cars .",
    [2, 3, 0, 3, 3],
    "JJ NNS VBP NNS .",
    "amod nsubj root obj punct",
    make_2=[("ARG0", 0, 1), ("V", 2, 2), ("ARG1", 3, 3)],
)
LEFT = _sentence(
    "Its workers left .",
    [2, 3, 0, 3],
    "PRP$ NNS VBD .",
    "nmod:poss nsubj root punct",
    leave_2=[("ARG0", 0, 1), ("V", 2, 2)],
)
OPENED = _sentence(
    "Workers opened the doors .",
    [2, 0, 4, 2, 2],
    "NNS VBD DT NNS .",
    "nsubj root det obj punct",
    open_1=[("ARG0", 0, 0), ("V", 1, 1), ("ARG1", 2, 3)],
)
SEEN = _sentence(
    "He was seen .",
    [3, 3, 0, 3],
    "PRP VBD VBN .",
    "nsubj:pass aux:pass root punct",
    see_2=[("ARG1", 0, 0), ("V", 2, 2)],
)
CLOSED_, MADE_, LEFT_, OPENED_, SEEN_ = map(Statement.find, (CLOSED, MADE, LEFT, OPENED, SEEN))


class Last(random.Random):
    """Takes the last choice; `random` is 0.9."""

    def choice(self, seq):
        return seq[-1]

    def random(self):
        return 0.9


class First(Last):
    """Takes the first choice; `random` is 0.1."""

    def choice(self, seq):
        return seq[0]

    def random(self):
        return 0.1


def _described(sentence):
    """The words with their heads and labels of arcs, and the frames."""
    arcs = zip(sentence.words, sentence.pos, sentence.heads, sentence.head_tags, strict=True)
    frames = [f"{frame.sense} {frame.description}" for frame in sentence.frames]
    return [" ".join(f"{word}/{tag}/{head}/{label}" for word, tag, head, label in arcs), *frames]


def test_questions_about_a_statement():
    polar, when, what, subject = questions(CLOSED_, First())
    assert _described(polar) == [
        "Did/VBD/4/aux the/DT/3/det firm/NN/4/nsubj close/VB/0/root two/CD/6/nummod "
        "plants/NNS/4/obj ?/./4/punct",
        "do.01 [V: Did] the firm close two plants ?",
        "close.01 Did [ARG0: the firm] [V: close] [ARG1: two plants] ?",
    ]
    assert _described(when)[0].startswith("When/WRB/5/advmod did/VBD/5/aux the/DT/4/det")
    assert _described(when)[2] == (
        "close.01 [ARGM-TMP: When] did [ARG0: the firm] [V: close] [ARG1: two plants] ?"
    )
    assert _described(what) == [
        "How/WRB/2/advmod many/JJ/3/amod plants/NNS/7/obj did/VBD/7/aux the/DT/6/det "
        "firm/NN/7/nsubj close/VB/0/root ?/./7/punct",
        "do.01 How many plants [V: did] the firm close ?",
        "close.01 [ARG1: How many plants] did [ARG0: the firm] [V: close] ?",
    ]
    assert _described(subject) == [
        "What/WP/2/nsubj closed/VBD/0/root two/CD/4/nummod plants/NNS/2/obj ?/./2/punct",
        "close.01 [ARG0: What] [V: closed] [ARG1: two plants] ?",
    ]
    polar, often, what, subject = questions(CLOSED_, Last())
    assert " ".join(polar.words) == "Did the firm close two plants in May ?"
    assert " ".join(often.words) == "How often did the firm close two plants ?"
    assert often.frames[1]["ARGM-TMP"].text == "How often"
    assert " ".join(what.words) == "What did the firm close in May ?"


def test_an_auxiliary_goes_before_the_subject():
    had = perfect(CLOSED_, verb_forms([Sentence(["closed"], ["VBN"])], "VBN"))
    assert _described(had)[0].startswith(
        "The/DT/2/det firm/NN/4/nsubj had/VBD/4/aux closed/VBN/0/root two/CD/6/nummod"
    )
    polar = next(questions(Statement.find(had), Last()))
    assert _described(polar)[1:] == [
        "have.01 [V: Had] the firm closed two plants in May ?",
        "close.01 Had [ARG0: the firm] [V: closed] [ARG1: two plants] [ARGM-TMP: in May] ?",
    ]


def test_a_request_has_no_subject():
    assert _described(imperative(CLOSED_, First())) == [
        "Close/VB/0/root two/CD/3/nummod plants/NNS/1/obj in/IN/5/case May/NNP/1/obl ././1/punct",
        "close.01 [V: Close] [ARG1: two plants] [ARGM-TMP: in May] .",
    ]


def test_a_relative_clause_shares_a_noun():
    (_, plants), (made, _) = nouns(CLOSED_), nouns(MADE_)
    assert _described(relative(made, plants, Last())) == [
        "New/JJ/2/amod plants/NNS/9/nsubj which/WDT/6/obj the/DT/5/det firm/NN/6/nsubj "
        "closed/VBD/2/acl:relcl in/IN/8/case May/NNP/6/obl make/VBP/0/root cars/NNS/9/obj "
        "././9/punct",
        "close.01 [ARG1: New plants] [R-ARG1: which] [ARG0: the firm] [V: closed] "
        "[ARGM-TMP: in May] make cars .",
        "make.01 [ARG0: New plants which the firm closed in May] [V: make] [ARG1: cars] .",
    ]
    assert " ".join(relative(made, plants, First()).words) == (
        "New plants the firm closed in May make cars ."
    )
    assert _described(relative(plants, made, First()))[2] == (
        "make.01 The firm closed [ARG0: two plants] [R-ARG0: that] [V: make] [ARG1: cars] in May ."
    )


def test_a_possessive_becomes_whose():
    firm, _ = nouns(CLOSED_)
    assert _described(possessive_relative(firm, LEFT_)) == [
        "The/DT/2/det firm/NN/6/nsubj whose/WP$/4/nmod:poss workers/NNS/5/nsubj "
        "left/VBD/2/acl:relcl closed/VBD/0/root two/CD/8/nummod plants/NNS/6/obj in/IN/10/case "
        "May/NNP/6/obl ././6/punct",
        "leave.01 [ARG0: The firm] [R-ARG0: whose workers] [V: left] closed two plants in May .",
        "close.01 [ARG0: The firm whose workers left] [V: closed] [ARG1: two plants] "
        "[ARGM-TMP: in May] .",
    ]


def test_the_present_agrees_with_its_subject():
    forms = verb_forms([Sentence(["closes"], ["VBZ"])], "VBZ")
    assert present(CLOSED_, forms).words[:3] == ["The", "firm", "closes"]
    assert present(LEFT_, forms).words == ["Its", "workers", "leave", "."]
    assert present(LEFT_, forms).pos[2] == "VBP"
    assert present(MADE_, forms) is None and present(CLOSED_, {}) is None
    assert present(SEEN_, forms) is None and perfect(SEEN_, {"see": "seen"}) is None
    lot = _sentence(
        "A lot of firms closed .",
        [2, 5, 4, 2, 0, 5],
        "DT NN IN NNS VBD .",
        "det nsubj case nmod root punct",
    )
    assert present(Statement.find(lot), forms) is None


def test_the_progressive_agrees_with_its_subject():
    forms = {"close": "closing", "leave": "leaving", "make": "making"}
    assert _described(progressive(LEFT_, forms)) == [
        "Its/PRP$/2/nmod:poss workers/NNS/4/nsubj were/VBD/4/aux leaving/VBG/0/root ././4/punct",
        "be.03 Its workers [V: were] leaving .",
        "leave.01 [ARG0: Its workers] were [V: leaving] .",
    ]
    assert progressive(CLOSED_, forms).words[2:4] == ["was", "closing"]
    assert progressive(MADE_, forms).words[2:4] == ["are", "making"]
    assert progressive(OPENED_, forms) is None and progressive(SEEN_, forms) is None


def test_what_was_closed_closed():
    def closed(text, labels, sense="close.01"):
        made = _sentence(text, [3, 3, 0, 3, 3], "NNS VBD VBN NN .", labels)
        frame = Frame(2, ["B-ARG1", "O", "B-V", "B-ARGM-TMP", "O"], "close", sense)
        return replace(made, frames=[frame])

    passive = closed("Plants were closed yesterday .", "nsubj:pass aux:pass root obl punct")
    forms = {"close": "closed", "see": "saw"}
    assert _described(inchoative(passive, forms)) == [
        "Plants/NNS/2/nsubj closed/VBD/0/root yesterday/NN/2/obl ././2/punct",
        "close.01 [ARG1: Plants] [V: closed] [ARGM-TMP: yesterday] .",
    ]
    # Somebody does it; in the present, the verb would have to agree; what was seen saw nothing.
    agent = closed("Plants were closed workers .", "nsubj:pass aux:pass root obl:agent punct")
    now = closed("Plants are closed yesterday .", "nsubj:pass aux:pass root obl punct")
    seen = closed("Plants were seen there .", "nsubj:pass aux:pass root advmod punct", "see.01")
    assert [inchoative(other, forms) for other in (agent, now, seen, CLOSED)] == [None] * 4


def test_a_particle_stands_before_or_after_the_object():
    before = _sentence(
        "They shut down two plants .",
        [2, 0, 2, 5, 2, 2],
        "PRP VBD RP CD NNS .",
        "nsubj root compound:prt nummod obj punct",
        shut_1=[("ARG0", 0, 0), ("V", 1, 2), ("ARG1", 3, 4)],
    )
    after = moved_particle(before)
    assert _described(after) == [
        "They/PRP/2/nsubj shut/VBD/0/root two/CD/4/nummod plants/NNS/2/obj "
        "down/RP/2/compound:prt ././2/punct",
        "shut.01 [ARG0: They] [V: shut] [ARG1: two plants] [C-V: down] .",
    ]
    assert _described(moved_particle(after)) == _described(before)
    assert moved_particle(CLOSED) is None


def test_a_participial_clause_shares_the_subject():
    forms = {"close": "closing"}
    assert _described(participial(MADE_, CLOSED_, forms, Last())) == [
        "New/JJ/2/amod plants/NNS/3/nsubj make/VBP/0/root cars/NNS/3/obj ,/,/6/punct "
        "closing/VBG/3/advcl two/CD/8/nummod plants/NNS/6/obj in/IN/10/case May/NNP/6/obl "
        "././3/punct",
        "make.01 [ARG0: New plants] [V: make] [ARG1: cars] , "
        "[ARGM-ADV: closing two plants in May] .",
        "close.01 [ARG0: New plants] make cars , [V: closing] [ARG1: two plants] "
        "[ARGM-TMP: in May] .",
    ]
    first = participial(MADE_, CLOSED_, forms, First())
    assert " ".join(first.words) == "Closing two plants in May , new plants make cars ."
    assert participial(CLOSED_, MADE_, forms, First()) is None


def test_an_event_is_a_noun_without_adjuncts():
    bought = _sentence(
        "The firm acquired two plants from Smith in May .",
        [2, 3, 0, 5, 3, 7, 3, 9, 3, 3],
        "DT NN VBD CD NNS IN NNP IN NNP .",
        "det nsubj root nummod obj case obl case obl punct",
        acquire_2=[
            *[("ARG0", 0, 1), ("V", 2, 2), ("ARG1", 3, 4)],
            *[("ARG2", 5, 6), ("ARGM-TMP", 7, 8)],
        ],
    )
    event = nominal(Statement.find(bought), First())
    assert _described(of_event(event, OPENED_, First())) == [
        "The/DT/2/det firm/NN/4/nmod:poss 's/POS/2/case acquisition/NN/10/nsubj of/IN/7/case "
        "two/CD/7/nummod plants/NNS/4/nmod from/IN/9/case Smith/NNP/4/nmod surprised/VBD/0/root "
        "workers/NNS/10/obj ././10/punct",
        "acquire.01 [ARG0: The firm 's] [V: acquisition] [ARG1: of two plants] [ARG2: from Smith] "
        "surprised workers .",
        "surprise.01 [ARG0: The firm 's acquisition of two plants from Smith] [V: surprised] "
        "[ARG1: workers] .",
    ]
    assert " ".join(of_event(event, OPENED_, Last()).words) == (
        "Workers criticized the firm 's acquisition of two plants from Smith ."
    )
    assert _described(with_event(LEFT_, event, Last())) == [
        "Its/PRP$/2/nmod:poss workers/NNS/3/nsubj left/VBD/0/root since/IN/8/case the/DT/6/det "
        "firm/NN/8/nmod:poss 's/POS/6/case acquisition/NN/3/obl of/IN/11/case two/CD/11/nummod "
        "plants/NNS/8/nmod from/IN/13/case Smith/NNP/8/nmod ././3/punct",
        "leave.01 [ARG0: Its workers] [V: left] "
        "[ARGM-TMP: since the firm 's acquisition of two plants from Smith] .",
        "acquire.01 Its workers left since [ARG0: the firm 's] [V: acquisition] "
        "[ARG1: of two plants] [ARG2: from Smith] .",
    ]
    assert " ".join(with_event(LEFT_, event, First()).words) == (
        "After the firm 's acquisition of two plants from Smith , its workers left ."
    )
    assert event_noun("depart.01") == "departure" and event_noun("see.01") is None
    assert nominal(SEEN_, First()) is None


def test_a_small_clause_has_no_copula():
    cold = _sentence(
        "They were very cold .",
        [4, 4, 4, 0, 4],
        "PRP VBD RB JJ .",
        "nsubj cop advmod root punct",
        be_1=[("ARG1", 0, 0), ("V", 1, 1), ("ARG2", 2, 3)],
        cold_3=[("ARG1", 0, 0), ("ARGM-EXT", 2, 2), ("V", 3, 3)],
    )
    assert _described(small_clause(cold, OPENED_, First())) == [
        "Workers/NNS/2/nsubj kept/VBD/0/root them/PRP/2/obj very/RB/5/advmod cold/JJ/2/xcomp "
        "././2/punct",
        "keep.02 [ARG0: Workers] [V: kept] [ARG1: them] [ARG2: very cold] .",
        "cold.01 Workers kept [ARG1: them] [ARGM-EXT: very] [V: cold] .",
    ]
    assert small_clause(CLOSED, OPENED_, First()) is None


def test_an_office_has_no_article():
    words = "Smith was the president ."
    office = _sentence(words, [4, 4, 4, 0, 4], "NNP VBD DT NN .", "nsubj cop det root punct")
    assert _described(small_clause(office, OPENED_, First())) == [
        "Workers/NNS/2/nsubj named/VBD/0/root Smith/NNP/2/obj president/NN/2/xcomp ././2/punct",
        "name.03 [ARG0: Workers] [V: named] [ARG1: Smith] [ARG2: president] .",
    ]


def test_a_bare_infinitive_has_the_object_as_its_subject():
    assert _described(bare_infinitive(CLOSED_, OPENED_, First())) == [
        "Workers/NNS/2/nsubj let/VBD/0/root the/DT/4/det firm/NN/2/obj close/VB/2/xcomp "
        "two/CD/7/nummod plants/NNS/5/obj in/IN/9/case May/NNP/5/obl ././2/punct",
        "let.01 [ARG0: Workers] [V: let] [ARG1: the firm close two plants in May] .",
        "close.01 Workers let [ARG0: the firm] [V: close] [ARG1: two plants] [ARGM-TMP: in May] .",
    ]


def test_the_actor_is_an_active_subject_and_somebody_else():
    made = bare_infinitive(CLOSED_, SEEN_, First())
    assert made.words[:2] == ["He", "let"] and made.head_tags[0] == "nsubj"
    assert bare_infinitive(CLOSED_, CLOSED_, First()) is None


def test_what_is_said_stands_in_quotation_marks():
    question = next(questions(OPENED_, Last()))
    assert _described(reported(question, LEFT_, Last())) == [
        '"/``/4/punct Did/VBD/4/aux workers/NNS/4/nsubj open/VB/11/ccomp the/DT/6/det '
        "doors/NNS/4/obj ?/./4/punct \"/''/4/punct its/PRP$/10/nmod:poss workers/NNS/11/nsubj "
        "asked/VBD/0/root ././11/punct",
        'do.01 " [V: Did] workers open the doors ? " its workers asked .',
        'open.01 " Did [ARG0: workers] [V: open] [ARG1: the doors] ? " its workers asked .',
        'ask.01 " [ARG1: Did workers open the doors] ? " [ARG0: its workers] [V: asked] .',
    ]
    assert _described(reported(OPENED, LEFT_, First()))[0] == (
        'Its/PRP$/2/nmod:poss workers/NNS/3/nsubj said/VBD/0/root ,/,/7/punct "/``/7/punct '
        "Workers/NNS/7/nsubj opened/VBD/3/ccomp the/DT/9/det doors/NNS/7/obj ././3/punct "
        "\"/''/7/punct"
    )


def test_a_long_description_of_a_speaker_stands_after_the_verb():
    long = Statement.find(
        _sentence(
            "Workers who make new cars left .",
            [6, 3, 1, 5, 3, 0, 6],
            "NNS WP VBP JJ NNS VBD .",
            "nsubj nsubj acl:relcl amod obj root punct",
            leave_5=[("ARG0", 0, 4), ("V", 5, 5)],
        )
    )
    assert is_long_speaker(long) and not is_long_speaker(LEFT_)
    said = reported(OPENED, long, Last())
    assert " ".join(said.words) == (
        "Workers opened the doors , explained workers who make new cars ."
    )


def test_infinitives_are_coordinated_and_share_a_subject():
    assert _described(coordinated(MADE_, CLOSED_, First())) == [
        "New/JJ/2/amod plants/NNS/3/nsubj agreed/VBD/0/root to/TO/5/mark make/VB/3/xcomp "
        "cars/NNS/5/obj and/CC/8/cc close/VB/5/conj two/CD/10/nummod plants/NNS/8/obj "
        "in/IN/12/case May/NNP/8/obl ././3/punct",
        "agree.01 [ARG0: New plants] [V: agreed] "
        "[ARG1: to make cars and close two plants in May] .",
        "make.01 [ARG0: New plants] agreed to [V: make] [ARG1: cars] and close two plants in May .",
        "close.01 [ARG0: New plants] agreed to make cars and [V: close] [ARG1: two plants] "
        "[ARGM-TMP: in May] .",
    ]


def test_a_clause_follows_a_conjunction_or_begins_with_had():
    assert _described(subordinated(MADE_, LEFT_, "when", first=False)) == [
        "New/JJ/2/amod plants/NNS/3/nsubj make/VBP/0/root cars/NNS/3/obj when/WRB/8/advmod "
        "its/PRP$/7/nmod:poss workers/NNS/8/nsubj left/VBD/3/advcl ././3/punct",
        "make.01 [ARG0: New plants] [V: make] [ARG1: cars] [ARGM-TMP: when its workers left] .",
        "leave.01 New plants make cars [ARGM-TMP: when] [ARG0: its workers] [V: left] .",
    ]
    assert _described(subordinated(MADE_, LEFT_, "unless", first=True))[0] == (
        "Unless/IN/4/mark its/PRP$/3/nmod:poss workers/NNS/4/nsubj left/VBD/8/advcl ,/,/4/punct "
        "new/JJ/7/amod plants/NNS/8/nsubj make/VBP/0/root cars/NNS/8/obj ././8/punct"
    )
    had = Statement.find(perfect(LEFT_, verb_forms([Sentence(["left"], ["VBN"])], "VBN")))
    assert _described(subordinated(MADE_, had, None, first=True)) == [
        "Had/VBD/4/aux its/PRP$/3/nmod:poss workers/NNS/4/nsubj left/VBN/8/advcl ,/,/4/punct "
        "new/JJ/7/amod plants/NNS/8/nsubj make/VBP/0/root cars/NNS/8/obj ././8/punct",
        "have.01 [V: Had] its workers left , new plants make cars .",
        "leave.01 Had [ARG0: its workers] [V: left] , new plants make cars .",
        "make.01 [ARGM-ADV: Had its workers left] , [ARG0: new plants] [V: make] [ARG1: cars] .",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence(CLOSED.words[:-1] + ["?"], CLOSED.pos, CLOSED.frames, CLOSED.parse),
        Sentence(
            ["They", "did", "n't", "leave", "."],
            ["PRP", "VBD", "RB", "VB", "."],
            [],
            Parse([3, 3, 3, 3, 3], ["nsubj", "aux", "advmod", "root", "punct"]),
        ),
        Sentence(
            ["There", "was", "a", "fire", "."],
            ["EX", "VBD", "DT", "NN", "."],
            [],
            Parse([1, 1, 3, 1, 1], ["expl", "root", "det", "nsubj", "punct"]),
        ),
    ],
)
def test_nothing_is_asked_about_other_sentences(sentence):
    assert Statement.find(sentence) is None


def test_what_is_made_of_a_corpus_has_trees_and_frames():
    sample = list(
        Conll12SrlReader(senses=True).read_sentences(ROOT / "fixtures/sample/train.gold_conll")
    )
    made = constructions(sample, 300)
    assert 100 < len(made) <= 300 and len({" ".join(s.words) for s in made}) == len(made)
    for sentence in made:
        assert sentence.heads.count(0) == 1
        root = sentence.heads.index(0)
        assert len(sentence.parse.subtree(root)) == len(sentence.words)
        for frame in sentence.frames:
            spans = bio_to_spans(frame.tags)
            assert spans_to_bio(spans, len(sentence.words)) == frame.tags
            assert frame.tags[frame.predicate] == "B-V"
    assert constructions([], 300) == []
    assert constructions(sample, 300) == made and sum(KINDS.values()) == pytest.approx(1)
