"""Figure `merge`: wherever a row is cut, both blocks together answer as one softmax does."""

import itertools

import pytest
import torch

from attn_lib.live.figures import explore
from attn_lib.live.figures.merge import FIGURE, SCORES

VALUES = torch.arange(10.0, 81.0, 10.0, dtype=torch.float64)
ROWS = [list(SCORES), [20.0, -20.0] * 4, [0.25] * 8, [-20, 0.25, 20, -20, 3, 3, 2.5, -13.75]]


def view(**settings):
    return FIGURE.compute(FIGURE.state(**settings))


def row(part, **settings):
    return view(**settings).parts[part]["rows"][0]


def at_once(scores, length):
    """One softmax over what the row may see."""
    weights = torch.softmax(torch.tensor(scores, dtype=torch.float64)[:length], dim=0)
    return weights, (weights @ VALUES[:length]).item()


@pytest.mark.parametrize("scores", ROWS)
def test_merged_blocks_answer_as_one_softmax_wherever_the_row_is_cut(scores):
    for c, length in itertools.product(range(1, 8), range(1, 9)):
        seen = view(how="scaled", c=c, len=length, own=[scores])
        weights, output = at_once(scores, length)
        assert seen.parts["output"]["rows"][0][2] == pytest.approx(output, rel=1e-12)
        left = weights[:c].sum().item()
        assert seen.parts["share"]["rows"][0][:2] == pytest.approx([left, 1 - left], abs=1e-12)
        assert f"{output:.2f}" == seen.slots["y"] == seen.slots["out"]


def test_each_block_alone_is_a_softmax_of_its_own():
    for c in range(1, 8):
        alone = (
            at_once(SCORES[:c], c)[1],
            (torch.softmax(torch.tensor(SCORES[c:]).double(), 0) @ VALUES[c:]).item(),
        )
        assert row("output", c=c)[:2] == pytest.approx(alone, rel=1e-12)
        assert row("output", c=c)[2] is None  # until they are merged
        # What is kept says how much there is: s e^m is the sum of all exponentials.
        m, s = row("m", c=c), row("s", c=c)
        for i, block in enumerate((SCORES[:c], SCORES[c:])):
            total = torch.tensor(block).double().exp().sum().item()
            assert s[i] * torch.tensor(m[i]).exp().item() == pytest.approx(total, rel=1e-6)


def test_without_rescaling_the_output_depends_on_the_cut():
    outputs = {view(how="plain", c=c).slots["out"] for c in range(1, 8)}
    assert len(outputs) == 7
    # Each block is a row of its own, so its sums have its own largest score as a unit.
    e = torch.tensor([9.0 - 3, 9, 5, 4, 9, 9, 9, 9]).double()  # the right block four higher
    assert view(how="plain").slots["out"] == f"{(e.softmax(0) @ VALUES).item():.2f}"
    assert view(how="plain").slots["t"] == "54.60"  # e⁴


def test_the_mean_gives_half_to_each_block():
    left, right, output = row("output", how="mean", c=3)
    assert output == pytest.approx((left + right) / 2)
    assert row("share", how="mean", c=3) == [pytest.approx(0.5), pytest.approx(0.5), None]
    # It is right where half of the weight lies in each block.
    assert view(how="mean", own=[[0.25] * 8]).summary == ("mean_level",)
    assert view(how="mean").summary == ("mean",)


@pytest.mark.parametrize(
    ("how", "output"), [("apart", "—"), ("scaled", "20.34"), ("plain", "20.34"), ("mean", "—")]
)
def test_a_block_that_sees_no_key_keeps_sums_of_0_and_no_nan(how, output):
    seen = view(how=how, c=5, len=5)
    assert seen.summary == (f"{how}_empty",)
    assert seen.slots["out"] == output
    assert [seen.parts[part]["rows"][0][1] for part in "mso"] == [-torch.inf, 0, 0]
    if how == "scaled":
        assert seen.parts["factor"]["rows"][0] == [1, 0, None]


def test_the_sentence_names_the_block_that_is_multiplied():
    for c in range(1, 8):
        for how in ("scaled", "plain"):
            left, right, _ = row("m", c=c)
            lower = f"{how}_left" if left < right else how
            assert view(how=how, c=c).summary == (lower,)
            assert view(how=how, c=c, own=[[3] * 8]).summary == (f"{how}_level",)
    assert view(how="scaled", c=1).slots["d"] == "3"


def test_bets_lie_where_the_right_and_the_two_wrong_ways_end():
    for (place,), how in zip(FIGURE.prediction.places, ("scaled", "mean", "plain"), strict=True):
        assert abs(row("output", how=how)[2] - place) < 0.02
    assert FIGURE.prediction.right == 0


@pytest.mark.parametrize("settings", [{"c": 0}, {"c": 8}, {"len": 0}, {"how": "sum"}])
def test_a_setting_out_of_range_is_refused_by_name(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        explore("merge", **settings)


@pytest.mark.parametrize("own", [[[1] * 7], [[21] + [0] * 7], "a,b"])
def test_scores_that_are_not_eight_numbers_are_refused(own):
    with pytest.raises(ValueError, match="own"):
        explore("merge", own=own)
