"""Numbers and words that the reader types: what is read, what is refused and in which words."""

import random
from itertools import pairwise

import pytest
import torch

import attn_lib
from attn_lib import masking
from attn_lib.language import LANGUAGES, words
from attn_lib.live.figures import FIGURES, explore
from attn_lib.live.host.controls import Numbers, Text, Typed, Words
from attn_lib.live.host.numbers import format_weight
from attn_lib.live.host.typed import TypedError, numbers_of

SQUARE = Numbers(key="own", rows=2, columns=2, limit=9, example="[[1, 2], [3, 4]]")
SOME = Numbers(key="own", rows=4, fewest=2, columns=2, limit=9, example="[[1, 2], [3, 4], [5, 6]]")
SENTENCES = Words(key="words", rows=2, columns=3)

READ = {
    "": "",
    "  \t": "",
    "[[1, 2], [3, 4]]": "1,2;3,4",
    "[[1,2],[3,4]]": "1,2;3,4",
    " [ [1, 2] , [3, 4], ] ": "1,2;3,4",
    "[[1. 2.]\n [3. 4.]]": "1,2;3,4",  # as NumPy prints it
    "tensor([[1., 2.],\n        [3., 4.]])": "1,2;3,4",  # as PyTorch prints it
    "1 2; 3 4": "1,2;3,4",
    "1,2;3,4": "1,2;3,4",  # as the link says it
    "［［1，2］，［3，4］］": "1,2;3,4",
    "[[\u22121, +.5], [-0, 2.50]]": "-1,0.5;0,2.5",
}
REFUSED = {
    "[[1, 2, 3], [4, 5, 6]]": "Expected 2 × 2 numbers, such as [[1, 2], [3, 4]]. Got 2 × 3.",
    "[1, 2]": "Expected 2 × 2 numbers, such as [[1, 2], [3, 4]]. Got 1 × 2.",
    "[[1, 2], [3]]": (
        "Expected 2 rows of 2 numbers, such as [[1, 2], [3, 4]]. "
        "Got rows of different lengths: 2 + 1."
    ),
    "[]": "Expected 2 × 2 numbers, such as [[1, 2], [3, 4]]. Got 1 × 0.",
    "[[1, 2], [3, 4]": (
        "Expected rows of numbers in brackets, such as [[1, 2], [3, 4]]. Got “[[1, 2], [3, 4]”."
    ),
    "[[[1, 2]], [[3, 4]]]": (
        "Expected rows of numbers in brackets, such as [[1, 2], [3, 4]]. "
        "Got “[[[1, 2]], [[3, 4]]]”."
    ),
    "[" * 200 + "1" + "]" * 199: (
        "Expected rows of numbers in brackets, such as [[1, 2], [3, 4]]. "
        "Got “[[[[[[[[[[[[[[[[[[[[[[[…”."
    ),
    "[" * 300 + "1" + "]" * 300: "Expected at most 400 characters. Got 601.",
    "[[1, NaN], [3, 4]]": "Expected numbers such as −1.5. Got “NaN”.",
    "[[1, 1e999], [3, 4]]": "Expected numbers such as −1.5. Got “1e999”.",
    "[[1, Infinity], [3, 4]]": "Expected numbers such as −1.5. Got “Infinity”.",
    "1_0 2; 3 4": "Expected numbers such as −1.5. Got “1_0”.",
    "[[1, ١], [3, 4]]": "Expected numbers such as −1.5. Got “١”.",
    "[[1, <b>x</b>], [3, 4]]": "Expected numbers such as −1.5. Got “<b>x</b>”.",
    "[[1, __import__('os')], [3, 4]]": ("Expected numbers such as −1.5. Got “__import__('os')”."),
    "[[1, 99999999999999999999999], [3, 4]]": (
        "Expected numbers from −9 to 9. Got “99999999999999999999999”."
    ),
    "[[1, -9.01], [3, 4]]": "Expected numbers from −9 to 9. Got “-9.01”.",
    "[[1, 0.125], [3, 4]]": "Expected at most 2 decimals. Got “0.125”.",
}
REFUSED_SOME = {
    "[1, 2]": "Expected 2 to 4 rows of 2 numbers, such as [[1, 2], [3, 4], [5, 6]]. Got 1 × 2.",
    "; ".join(["1 2"] * 5): (
        "Expected 2 to 4 rows of 2 numbers, such as [[1, 2], [3, 4], [5, 6]]. Got 5 × 2."
    ),
    "1 2 3; 4 5 6": (
        "Expected 2 to 4 rows of 2 numbers, such as [[1, 2], [3, 4], [5, 6]]. Got 2 × 3."
    ),
    "1 2; 3 4; 5": (
        "Expected 2 to 4 rows of 2 numbers, such as [[1, 2], [3, 4], [5, 6]]. "
        "Got rows of different lengths: 2 + 2 + 1."
    ),
}
REFUSED_WORDS = {
    "we drink tea": (
        "Expected 2 sentences of 1 to 3 words, with ; between them. Number of words that came: 3."
    ),
    "we drink green tea; birds": (
        "Expected 2 sentences of 1 to 3 words, with ; between them. "
        "Number of words that came: 4 + 1."
    ),
    "we; ": (
        "Expected 2 sentences of 1 to 3 words, with ; between them. "
        "Number of words that came: 1 + 0."
    ),
    "<b>we</b>; sing": "Expected words of letters and digits. Got “<b>we</b>”.",
    "{q1}; sing": "Expected words of letters and digits. Got “{q1}”.",
    "abcdefghijklm; sing": "Expected words of at most 12 letters. Got “abcdefghijklm”.",
    "we sing " * 30: "Expected at most 200 characters. Got 240.",
}


@pytest.mark.parametrize("text", READ)
def test_numbers_are_read_as_they_are_pasted(text):
    value = SQUARE.read(text)
    assert value == READ[text]
    assert SQUARE.read(value) == SQUARE.read(SQUARE.spell(value)) == value


@pytest.mark.parametrize("count", [2, 3, 4])
def test_rows_may_be_fewer(count):
    value = ";".join(f"{row},{-row}" for row in range(1, count + 1))
    assert SOME.read(SOME.spell(value)) == SOME.read(value) == value


def test_words_of_any_script_are_read():
    for text, value in {
        "we drink tea; birds sing": "we,drink,tea;birds,sing",
        "chúng tôi; chim": "chúng,tôi;chim",
        "我们 喝 茶；鸟 唱歌": "我们,喝,茶;鸟,唱歌",
        "우리는 차를; 새가": "우리는,차를;새가",
        "don't know; x-ray": "don't,know;x-ray",
    }.items():
        assert SENTENCES.read(text) == value
        assert SENTENCES.read(SENTENCES.spell(value)) == value


WRONG = [
    (control, text, sentence)
    for control, refused in ((SQUARE, REFUSED), (SOME, REFUSED_SOME), (SENTENCES, REFUSED_WORDS))
    for text, sentence in refused.items()
]


@pytest.mark.parametrize(("control", "text", "sentence"), WRONG)
def test_what_is_wrong_gets_a_sentence(control, text, sentence):
    with pytest.raises(TypedError) as wrong:
        control.read(text)
    assert wrong.value.sentence == sentence


def test_every_sentence_can_be_said_in_every_language():
    for lang in LANGUAGES:
        attn_lib.set_language(lang)
        typed = words("frame")["typed"]
        for control, text, _ in WRONG:
            with pytest.raises(TypedError) as wrong:
                control.read(text)
            assert wrong.value.name in typed
            assert wrong.value.sentence == str(wrong.value) != ""


def test_setting_takes_lists_and_tensors_and_is_named_when_wrong():
    keys = [[1, 0], [0, 2], [-1.5, 0], [0, -1]]
    state = explore("arrows", own=keys).state
    assert state["own"] == "1,0;0,2;-1.5,0;0,-1"
    assert explore("arrows", own=torch.tensor(keys)).state == state
    assert explore("mask", words=[["we"], ["birds", "sing"]]).state["words"] == "we;birds,sing"
    with pytest.raises(ValueError, match=r"^own: Expected 2 to 8 rows of 2 .* Got 1 × 2\.$"):
        explore("arrows", own=[[1, 2]])
    with pytest.raises(ValueError, match=r"^own: Expected 4 × 4 numbers, .* Got 1 × 2\.$"):
        explore("mask", own=[[1, 2]])


def typed_controls():
    for name, figure in FIGURES.items():
        for control in figure.controls:
            if isinstance(control, Typed):
                yield name, control


def test_longest_link_stays_within_its_limit():
    """`front/state.js` reads no fragment of more than 2000 characters."""
    for name, figure in FIGURES.items():
        longest = {}
        for own, control in typed_controls():
            if own != name:
                continue
            if isinstance(control, Text):
                longest[control.key] = "\U00020000" * control.longest
                continue
            item = "\U00020000" * 12 if isinstance(control, Words) else f"-{control.limit - 0.25}"
            row = " ".join([item] * control.columns)
            longest[control.key] = "; ".join([row] * control.rows)
        assert len(figure.fragment(longest)) < 1950


def own_numbers(control, choose):
    steps = int(control.limit * 4)
    rows = choose.randint(control.fewest or control.rows, control.rows)
    return [
        [choose.randrange(-steps, steps + 1) / 4 for _ in range(control.columns)]
        for _ in range(rows)
    ]


def own_control(name):
    return next(control for own, control in typed_controls() if own == name)


def test_arrows_are_the_typed_vectors():
    choose = random.Random(3)
    for _ in range(20):
        keys = own_numbers(own_control("arrows"), choose)
        view = FIGURES["arrows"].compute(FIGURES["arrows"].state(own=keys, x=0.5, y=-1, t=2))
        K = torch.tensor(keys, dtype=torch.float64)
        weights = (K @ torch.tensor([0.5, -1], dtype=torch.float64) / 2).softmax(-1)
        assert view.parts["weights"]["rows"][0] == pytest.approx(weights.tolist())
        assert view.parts["output"]["rows"][0] == pytest.approx((weights @ K).tolist())
        assert view.slots["w"] == format_weight(weights.max().item())


def test_lengths_of_mask_count_the_reader_s_words_until_they_are_set():
    mask = FIGURES["mask"]
    typed = "we,drink,tea;birds,sing"
    assert mask.state(words=typed)["len"] == (3, 2)
    assert mask.state(words=typed, dim="2")["len"] == (3, 3, 2, 2)
    assert mask.state(words=typed, len=(2, 3))["len"] == (2, 3)
    assert mask.fragment({"words": typed}) == f"#mask?words={typed}"
    assert mask.fragment({"words": typed, "len": (2, 3)}).startswith("#mask?words=")
    assert "len=2,3" in mask.fragment({"words": typed, "len": (2, 3)})
    assert mask.fragment({"len": (2, 3)}) == "#mask"
    # In Jupyter other words are counted anew, and the same words leave the lengths.
    explorer = explore("mask")
    field = next(one.items[0] for one in explorer.controls if one.control.key == "words")
    field.value = "we drink tea; birds sing"
    assert explorer.state["len"] == (3, 2)
    explorer.set(words=typed, len=(1, 2))
    fill = next(one.items[0] for one in explorer.controls if one.control.key == "fill")
    fill.value = "zero"
    assert explorer.state["len"] == (1, 2)
    field.value = ""
    assert explorer.state["len"] == (2, 3)


def test_mask_takes_typed_scores():
    choose = random.Random(4)
    mask = FIGURES["mask"]
    for _ in range(20):
        scores = own_numbers(own_control("mask"), choose)
        lens = (choose.randrange(5), choose.randrange(5))
        view = mask.compute(mask.state(own=scores, len=lens))
        X = torch.tensor(scores, dtype=torch.float64).reshape(2, 2, 4)
        weights = masking.masked_softmax(X, torch.tensor(lens)).reshape(4, 4)
        for row, expected in zip(view.parts["weights"]["rows"], weights.tolist(), strict=True):
            assert row == pytest.approx(expected, rel=1e-12)  # a rounded 1 is kept below 1
    assert "s" not in mask.state(own=scores)


def test_mask_names_typed_words_and_fills_with_padding():
    mask = FIGURES["mask"]
    slots = mask.compute(mask.state(words="we drink tea; birds sing")).slots
    named = [slots[f"w{place}"] for place in range(1, 9)]
    assert named == ["we", "drink", "tea", "␣", "birds", "sing", "␣", "␣"]
    assert (slots["q1"], slots["q2"]) == ("q1", "q2")


def test_typing_the_example_itself_changes_no_number():
    for name, settings in {
        "arrows": [[1, 1], [1, -1], [-1, 1], [-1, -1]],
        "mask": [[2, 0, 0, 0], [-2, 0, 0, 0], [0, 0, -2, 0], [0, 0, 2, 0]],
    }.items():
        figure = FIGURES[name]
        first, typed = (figure.compute(figure.state(**s)) for s in ({}, {"own": settings}))
        assert first.parts["weights"]["rows"] == typed.parts["weights"]["rows"]


def test_wrong_text_in_jupyter_leaves_the_last_good_numbers_and_says_why():
    explorer = explore("arrows")
    own = explorer.controls[-1].items[0]
    shown = []
    for text in ("[[1, 2], [2, 1]]", "[[1, 2], [2]]", "[[1, 2], [2, 1]]", ""):
        own.value = text
        note = explorer._figure_view.view["note"]
        shown.append((explorer.state["own"], own.value, note and note.partition(",")[0]))
    wrong = "Expected 2 to 8 rows of 2 numbers"
    assert shown == [
        ("1,2;2,1", "[[1, 2], [2, 1]]", None),
        ("1,2;2,1", "[[1, 2], [2]]", wrong),
        ("1,2;2,1", "[[1, 2], [2, 1]]", None),
        ("", "", None),
    ]


def test_wrong_text_stays_while_another_control_moves():
    explorer = explore("arrows")
    own, x = explorer.controls[-1].items[0], explorer.controls[0].items[0]
    own.value = "nonsense"
    x.value = 3.0
    assert own.value == "nonsense"
    assert explorer.state["x"] == 3
    assert explorer._figure_view.view["note"] == words("frame")["typed"]["number"].format(
        got="nonsense"
    )
    explorer.set(own=[[2, 0], [0, 2]])
    assert own.value == "[[2, 0], [0, 2]]"
    assert explorer._figure_view.view["note"] is None


def test_numbers_of_a_short_text():
    rows = numbers_of("1,-2.5;3,4")
    assert rows == [[1, -2.5], [3, 4]]
    assert all(len(a) == len(b) for a, b in pairwise(rows))
