"""The figure `cost`: its arithmetic, real tensors of the sizes that it claims, the row of bark."""

import pytest
import torch
from torch.utils.checkpoint import checkpoint

import attn_lib
from attn_lib.examples import four_words
from attn_lib.live.figures.cost import FIGURE, MODES, SIZE, data
from attn_lib.memory import LargestTensor, kept_bytes

MIB = 2**20


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def memory(mode, p=100, **settings):
    """Return the bytes of the largest tensor and of what is kept, one way, whichever is chosen."""
    rows = [view(mode=m, p=p, **settings).parts["memory"]["rows"] for m in MODES]
    assert rows[0] == rows[1] == rows[2] == rows[3]
    return tuple(number * MIB for number in rows[0][MODES.index(mode)])


def table(Q, K, V):
    return torch.softmax(Q @ K.transpose(1, 2) / 8, -1) @ V


def run(mode, n, t):
    """Return the largest tensor forward and what is kept, counted."""
    inputs = [torch.randn(1, n, SIZE).requires_grad_() for _ in range(3)]
    kernel = attn_lib.DotProductAttention(0.0)

    def forward(Q, K, V):
        if mode == "kernel":
            return kernel(Q, K, V, need_weights=False)
        if mode == "again":
            parts = [checkpoint(table, q, K, V, use_reentrant=False) for q in Q.split(t, 1)]
        else:
            parts = [table(q, K, V) for q in Q.split(t, 1)]
        return torch.cat(parts, 1)

    with torch.set_grad_enabled(mode != "predict"):
        with LargestTensor() as largest:
            forward(*inputs)
        return largest.bytes, kept_bytes(forward, *inputs)


@pytest.mark.parametrize("t", [64, 256, 8192])
@pytest.mark.parametrize("mode", ["predict", "train", "again"])
def test_counts_are_those_of_real_tensors(mode, t):
    assert memory(mode=mode, n=512, t=t) == run(mode, 512, t)
    assert view(n=512, t=t).slots["table"] == "1.00" == f"{4 * 512 * 512 / MIB:.2f}"


def test_the_kernel_keeps_its_output_and_one_number_for_each_query():
    assert memory(mode="kernel", n=512, t=64) == run("kernel", 512, 64)
    assert view(mode="kernel", p=100).slots["kept"] == "0.51"
    # It says what training would have kept of as many queries.
    assert view(mode="kernel", p=14).slots["weights"] == view(mode="train", p=28).slots["kept"]


def test_the_kernel_ends_at_the_output_of_all_weights_at_once():
    whole = data()
    weights = torch.tensor(whole["scores"]).softmax(-1)
    output = (weights @ torch.tensor(whole["pages"])).item()
    assert view(mode="kernel", j=4).parts["page"]["rows"] == [[pytest.approx(output)]]


def test_prediction():
    before, after = (view(**state) for state in (FIGURE.prediction.before, FIGURE.prediction.after))
    assert before.slots["largest"] == after.slots["largest"] == "0.50"
    assert (before.slots["table"], before.slots["kept"], after.slots["kept"]) == (
        "16.00",
        "0",
        "16.00",
    )
    assert view(mode="train", t=8192, p=100).slots["kept"] == "16.00"
    # What each option would keep, as a share of the table, is where its ghost stands.
    block, output = (float(before.slots[name]) for name in ("block", "output"))
    levels = [level for _, level in FIGURE.prediction.places]
    assert levels == [after.parts["table"]["kept"], (block + output) / 16, block / 16]


def test_memory_fills_as_the_sweep_goes_on():
    kept = [float(view(mode="train", p=p).slots["kept"]) for p in range(0, 101, 10)]
    assert kept == sorted(kept)
    assert (kept[0], kept[5], kept[10]) == (0, 8, 16)


def test_ways_compare_by_what_they_keep_in_the_end_at_every_place_of_the_sweep():
    assert [memory(mode, p=50)[1] for mode in MODES] == [memory(mode)[1] for mode in MODES]


def block(**settings):
    """Return where the block begins, what it is called, and whether it is in work."""
    view_ = view(**settings)
    table_ = view_.parts["table"]
    steps = (view_.slots["pass"], view_.slots["swept"], view_.slots["blocks"])
    working = table_["swept"] < table_["steps"]
    return table_["from"] * settings.get("n", 2048), steps, table_["back"], working


def test_at_the_end_the_last_block_stays_to_be_grabbed():
    assert block(p=0) == (0, ("1", "0", "32"), False, True)
    assert block(p=100) == (2048 - 64, ("1", "32", "32"), False, False)
    assert view(p=100).parts["table"]["block"] == 64 / 2048


def test_what_is_computed_again_is_swept_twice_and_back():
    assert block(mode="again", p=0) == (0, ("1", "0", "32"), False, True)
    assert block(mode="again", p=50) == (2048 - 64, ("2", "0", "32"), True, True)
    assert block(mode="again", p=70) == (19 * 64, ("2", "12", "32"), True, True)
    assert block(mode="again", p=100) == (0, ("2", "32", "32"), True, False)
    assert memory("again")[1] == 0


def test_the_kernel_is_swept_twice_and_keeps_all_for_the_second_time():
    assert block(mode="kernel", p=24) == (15 * 64, ("1", "15", "32"), False, True)
    assert block(mode="kernel", p=70) == block(mode="again", p=70)
    kept = [view(mode="kernel", p=p).slots["kept"] for p in (0, 24, 50, 70, 100)]
    assert kept == ["0", "0.24", "0.51", "0.51", "0.51"]
    # Before the first block, there is nothing to be compared with the weights.
    said = [view(mode="kernel", p=p).summary[0] for p in (0, 2, 100)]
    assert said == ["kernel_start", "kernel", "kernel"]


@pytest.mark.parametrize("t", [512, 1024, 8192])
def test_a_block_has_at_most_all_queries(t):
    slots = view(mode="train", n=512, t=t, p=50).slots
    assert [slots[name] for name in ("T", "swept", "blocks", "kept")] == ["512", "0", "1", "0"]
    assert view(n=512, t=t).parts["table"]["block"] == 1  # it fills the square


def test_one_block_and_one_tile_have_a_size_of_their_own():
    assert [view(mode=mode).slots["block"] for mode in MODES] == ["0.50", "0.50", "0.50", "0.016"]
    assert [view(t=t).slots["block"] for t in (16, 64)] == ["0.13", "0.50"]
    tiles = [view(mode="kernel", t=t) for t in (16, 64, 1024)]
    assert [tile.slots["block"] for tile in tiles] == ["0.001", "0.016", "4.00"]
    assert [tile.slots["largest"] for tile in tiles] == ["0.50", "0.50", "4.00"]
    said = ["largest_output", "largest_output", "largest_tile"]
    assert [tile.summary[-1] for tile in tiles] == said


@pytest.mark.parametrize(
    ("j", "m", "s", "o", "page"),
    [
        (0, "—", "0", "0", "—"),
        (1, "−2", "1", "10", "10"),
        (2, "0", "1.1353", "21.35", "18.81"),
        (4, "2", "1.2890", "46.95", "36.42"),
    ],
)
def test_row_of_bark(j, m, s, o, page):
    slots = view(j=j).slots
    assert [slots[name] for name in ("m", "s", "o", "page")] == [m, s, o, page]


@pytest.mark.parametrize("j", [1, 2, 3, 4])
def test_what_is_kept_gives_the_softmax_of_all_keys_so_far(j):
    keys, pages = four_words.keys()[:j], four_words.pages()[:j]
    expected = (keys @ four_words.keys()[3]).softmax(0) @ pages
    assert view(j=j).parts["page"]["rows"][0][0] == pytest.approx(expected.item(), abs=1e-4)


@pytest.mark.parametrize(
    ("j", "larger", "old", "fresh", "s", "o"),
    [
        (0, "", "", "", "", ""),
        (1, "max(−∞, −2)", "−∞ − (−2)", "−2 − (−2)", "0 · 0 + 1", "0 · 0 + 1 · 10"),
        (3, "max(0, 0)", "0 − 0", "0 − 0", "1 · 1.1353 + 1", "1 · 21.35 + 1 · 30"),
        (4, "max(0, 2)", "0 − 2", "2 − 2", "0.1353 · 2.1353 + 1", "0.1353 · 51.35 + 1 · 40"),
    ],
)
def test_each_sum_says_how_the_last_key_changed_it(j, larger, old, fresh, s, o):
    slots = view(j=j).slots
    assert [slots[name] for name in ("larger", "old", "fresh", "s_sum", "o_sum")] == [
        larger,
        old,
        fresh,
        s,
        o,
    ]


@pytest.mark.parametrize(
    ("j", "signs"), [(0, "======"), (1, "======"), (2, "=≈=≈≈≈"), (3, "===≈≈≈"), (4, "=≈=≈≈≈")]
)
def test_what_is_rounded_is_not_called_equal(j, signs):
    slots = view(j=j).slots
    assert "".join(slots[f"{name}_is"] for name in ("m", "again", "new", "s", "o", "page")) == signs


@pytest.mark.parametrize("j", [1, 2, 3, 4])
def test_old_sums_times_their_factor_and_the_new_key_are_the_new_sums(j):
    def numbers(keys):
        parts = view(j=keys).parts
        return [parts[name]["rows"][0][0] for name in ("again", "new", "s", "o")]

    again, new, s, o = numbers(j)
    *_, old_s, old_o = numbers(j - 1)
    assert again * old_s + new == pytest.approx(s)
    assert again * old_o + new * four_words.pages()[j - 1].item() == pytest.approx(o)


@pytest.mark.parametrize(
    "settings", [{"n": 100}, {"n": (512, 512)}, {"t": 0}, {"p": 101}, {"j": 5}]
)
def test_invalid_settings_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        FIGURE.state(**settings)
