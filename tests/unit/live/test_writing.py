"""The numbers and the sentences of the figure `writer`."""

import pytest
import torch

import attn_lib
from attn_lib.examples import writer
from attn_lib.examples.writer.names import dealt_to, take_apart
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures.writer import FIGURE, KINDS, RIGHT, STORED
from attn_lib.live.figures.writer.faults import FAULTS, faulty
from attn_lib.live.host.numbers import format_count


@pytest.fixture(params=LANGUAGES)
def language(request):
    attn_lib.set_language(request.param)
    yield request.param
    attn_lib.set_language("en")


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def test_the_prediction_comes_true_and_the_name_was_never_met(language):
    own = words("writer")
    name = own["names"][RIGHT]
    after = view(**FIGURE.prediction.after)
    assert name in after.slots["written"]
    assert own["options"][RIGHT] == name
    apart = take_apart(name)
    # No training text can have it: it is dealt to another use, or the book's own.
    assert dealt_to(apart) != "training" or apart in writer.book_names(language)
    known = own["names"][0]
    assert dealt_to(take_apart(known)) == "training"


def test_the_question_is_asked_before_anything_is_computed(language):
    before = view()
    assert before.summary == ("begin",)
    assert before.parts["weights"]["rows"] == []
    assert before.parts["cache"]["letters"] == 0
    assert words("writer")["names"][RIGHT] not in FIGURE.sentences(before)


def test_other_candidates_stop_fitting_on_the_way(language):
    data = FIGURE.data()
    letters = view(**FIGURE.prediction.after).parts["text"]
    written = letters["letters"][letters["start"] - data["typed"] :]
    for at, name in enumerate(data["candidates"]):
        end = min(len(name) + 1, len(written))
        assert ([*name, "!"][:end] == written[:end]) == (at == RIGHT)


@pytest.mark.parametrize("name", STORED)
def test_the_copying_head_copies_better_than_any_other(name):
    jobs = FIGURE.data()["jobs"][name]
    assert len(jobs["jobs"]) == 4 * len(writer.load(*name.split("-")).layers)
    assert 0 <= jobs["copier"] < len(jobs["jobs"])
    if name.endswith("rope"):
        assert jobs["jobs"][jobs["copier"]] == "next"
        assert jobs["copier"] >= 4  # of the second layer


def test_the_copying_head_finds_the_letter_and_without_it_the_name_is_lost():
    found = view(w=6)
    text, head = found.parts["text"], found.parts["heads"]["head"]
    row = found.parts["weights"]["rows"][head]
    top = max(range(len(row)), key=lambda j: row[j])
    # What it looks at is what comes next.
    assert text["letters"][top] == text["letters"][text["query"] + 1] == "k"
    assert top < text["start"]
    lost = view(w=6, off=(0,))
    assert lost.summary[0] == "silent"
    assert lost.summary[1] == "plain"
    assert lost.slots["plain"] == found.slots["written"] == "zorblik"
    assert "zorblik" not in lost.slots["written"]
    assert view(w=6, off=(head + 1,)).slots["written"] == lost.slots["written"]


def test_the_cache_holds_keys_and_values_of_all_letters():
    two, one = view(w=6), view(w=6, model="one")
    count = len(two.parts["text"]["letters"])
    kept = writer.load("en")(torch.zeros(1, count, dtype=torch.long)).cache
    numbers = sum(tensor.numel() for pair in kept for tensor in pair)
    assert two.slots["bytes"] == format_count(4 * numbers)
    assert (two.slots["each"], one.slots["each"]) == ("1024", "512")


def test_a_letter_after_which_nothing_is_written_can_be_looked_from():
    last = len(view(w=3).parts["text"]["letters"]) - 1
    assert view(w=3, at=last).parts["text"]["query"] == last
    assert view(w=3, at=600).parts["text"]["query"] == last
    assert view(w=3).parts["text"]["query"] == last - 1
    assert view(at=5).summary[0].startswith("pressed")


def test_what_is_written_does_not_change_when_more_is_written():
    whole = view(w=40).parts["text"]["letters"]
    for count in range(0, 18, 3):
        letters = view(w=count).parts["text"]["letters"]
        assert whole[: len(letters)] == letters


@pytest.mark.parametrize("fault", FAULTS[1:])
def test_every_mistake_spoils_the_name(fault):
    shown = view(w=12, fault=fault)
    assert "zorblik" not in shown.slots["written"]
    assert shown.summary[-1] == "plain"
    assert shown.slots["plain"].startswith("zorblik")


def test_with_the_mask_in_the_wrong_corner_new_letters_see_the_first_alone():
    shown = view(w=4, fault="corner")
    for row in shown.parts["weights"]["rows"]:
        assert row == [1.0] + [0.0] * (len(row) - 1)
    # The text that is read at once has the right mask.
    assert (
        view(w=4, fault="corner", at=9).parts["weights"]["rows"]
        == view(w=4, at=9).parts["weights"]["rows"]
    )


def test_no_mistake_changes_the_stored_model():
    model = writer.load("en")
    before = {name: value.clone() for name, value in model.state_dict().items()}
    for fault in FAULTS:
        faulty(model, fault)
    assert all((before[name] == value).all() for name, value in model.state_dict().items())
    assert faulty(model, "none") is model


@pytest.mark.parametrize(
    ("settings", "last"),
    [
        ({"t": "안녕 블릭! 잘 가", "w": 3, "model": "alibi"}, "only"),
        ({"t": "hello 🙂! bye", "w": 3}, "spare"),
        ({"t": "ab" * 70, "w": 3}, "long"),
        ({"w": 3, "draw": "1", "off": (5,)}, "plain"),
    ],
)
def test_what_is_odd_about_a_text_is_said(settings, last):
    assert view(**settings).summary[-1] in (last, "same")


def test_a_text_with_too_many_strangers_is_not_gone_on_with():
    shown = view(t="".join(chr(0x0430 + i) for i in range(30)), w=9)
    assert shown.summary == ("unknown",)
    assert shown.parts["weights"]["rows"] == []
    assert shown.slots["count"] == "30"


def test_kinds_are_those_that_are_stored():
    assert {name.split("-")[1] for name in STORED} == set(KINDS)
    assert KINDS[0] == "rope"


def test_a_korean_syllable_is_shown_in_parts_and_said_whole():
    attn_lib.set_language("ko")
    shown = view(w=5)
    attn_lib.set_language("en")
    assert shown.parts["text"]["letters"][1:4] == ["ㅇ", "ㅏ", "ㄴ"]
    assert shown.slots["written"] == "블릭"
