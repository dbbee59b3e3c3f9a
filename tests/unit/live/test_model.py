"""Figure `model`: the states of its specification, by an independent program in float64."""

from pathlib import Path

import pytest
import torch

import attn_lib
from attn_lib.examples import e5
from attn_lib.language import words
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.model import JOBS, looks
from attn_lib.live.figures.model.record import SENTENCE, maps, read, read_maps, twins, value_norms
from attn_lib.live.host import page
from attn_lib.live.host.numbers import format_weight

MODEL = FIGURES["model"]
WEIGHTS = Path(__file__).parents[3] / "book/models" / e5.excerpt.NAME

pytestmark = pytest.mark.xdist_group("model")  # one process: its fixtures take long


def view(lang="en", **settings):
    attn_lib.set_language(lang)
    return MODEL.compute(MODEL.state(**settings))


@pytest.mark.parametrize(
    ("lang", "kind", "layer", "head", "piece", "top", "weight"),
    [
        ("en", "right", 3, 7, 3, "asked", 0.971791),
        ("en", "right", 2, 8, 4, "the", 0.999618),
        ("en", "right", 1, 3, 6, "the", 0.621792),
        ("vi", "right", 3, 7, 5, "sinh", 0.999989),
        ("vi", "right", 5, 6, 5, "<s>", 0.978489),
        ("ko", "right", 3, 7, 6, "고", 0.999787),
        ("zh", "right", 4, 9, 9, "问", 0.646786),
        ("en", "places", 3, 7, 3, "<s>", 0.965235),
        ("en", "scale", 3, 7, 3, "asked", 1.0),
        ("ko", "pad", 3, 7, 6, "고", 0.999551),
        ("en", "cut", 3, 7, 3, "the", 0.130353),
        ("zh", "cut", 4, 9, 9, "又", 0.396834),
    ],
)
def test_states_of_the_specification(lang, kind, layer, head, piece, top, weight):
    found = view(lang, set=kind, l=layer, h=head, w=piece)
    assert found.slots["top"] == top
    rows = found.parts["row"]["rows"]
    assert max(row[0] for row in rows) == pytest.approx(weight, abs=0.0051)


def test_only_masked_padding_has_a_bare_0():
    rounded = view(set="right").parts["row"]
    shown = [format_weight(weight) for (weight,) in rounded["rows"]]
    assert rounded["masked"][-1] == [True]
    assert shown[-1] == "0"
    assert "0.00" in shown
    assert not {"0", "1"} & set(shown[:-1])
    padded = [format_weight(weight) for (weight,) in view(set="pad").parts["row"]["rows"]]
    assert not {"0", "1"} & set(padded)
    sure = view(set="scale", l=3, h=7, w=3).parts["row"]["rows"]
    assert "1.00" in [format_weight(weight) for (weight,) in sure]


@pytest.mark.parametrize(
    ("settings", "job"),
    [
        ({}, "after"),
        ({"l": 1, "h": 3}, "before"),
        ({"l": 6, "h": 6}, "same"),
        ({"l": 5, "h": 6}, "ends"),
        ({"set": "places"}, "ends"),
    ],
)
def test_the_summary_names_the_job(settings, job):
    assert view(**settings).summary[0] == job


def test_what_the_searches_find():
    found = view().parts["found"]["rows"]
    assert found == [[240], [236], [238], [239], [15]]


@pytest.mark.parametrize("lang", e5.LANGUAGES)
def test_the_right_bet_is_where_the_head_looks_and_the_others_are_heads_on_the_way(lang):
    asked = MODEL.prediction
    jobs = [list(JOBS)[job] for (job,) in asked.places]
    ways = [view(lang, **settings) for settings in (*asked.by, asked.after)]
    assert [shown.summary for shown in ways] == [(job,) for job in jobs]
    answer = ways[-1]
    row = [weight for (weight,) in answer.parts["row"]["rows"]]
    assert row.index(max(row)) == looks()[list(JOBS).index(jobs[asked.right])] == 0
    names = MODEL.data()["pieces"]
    before, same, _ = (names[looks()[job]] for (job,) in asked.places)
    assert before == names[2]
    # The replies and the question name the piece that asks.
    assert same == answer.slots["piece"]
    assert same in words("model")["predict"]
    assert same in words("model")["options"][1]


@pytest.mark.parametrize(("lang", "pieces"), [("en", 15), ("vi", 16), ("ko", 17), ("zh", 12)])
def test_the_slider_has_as_many_pieces_as_the_sentence(lang, pieces):
    attn_lib.set_language(lang)
    state = MODEL.state()
    html = page.render(MODEL, state, MODEL.compute(state))
    assert f'min="1" max="{pieces}" step="1"' in html


@pytest.fixture(scope="module")
def model():
    return e5.load(WEIGHTS)


@pytest.mark.slow
@pytest.mark.parametrize("lang", e5.LANGUAGES)
def test_what_is_stored_is_what_the_model_gives(model, lang):
    stored = read(lang)
    pieces = model.batch([e5.sentences(lang)[SENTENCE]])[0][0]
    assert stored["pieces"] == pieces
    assert stored["twins"] == twins(pieces)
    norms = torch.tensor(stored["values"])
    torch.testing.assert_close(norms, torch.tensor(value_norms(model, lang)), atol=0.011, rtol=0)
    for bug in (None, "pad"):
        hundredths = read_maps(lang)[bug or "right"].transpose(2, 3)
        apart = hundredths - 100 * maps(model, lang, bug)
        assert apart.abs().max() < 0.51  # half of one, and what another processor rounds
