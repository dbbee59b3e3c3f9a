"""multilingual-e5-small: its stored weights, its cut into pieces, its bugs and its search."""

import hashlib
import json
from pathlib import Path

import pytest
import torch

from attn_lib import attention, multihead
from attn_lib.examples import e5
from attn_lib.examples.e5 import excerpt

PATH = Path(__file__).parents[3] / "book/models" / excerpt.NAME

pytestmark = pytest.mark.xdist_group("e5")  # one process: its fixtures take long


@pytest.fixture(scope="module")
def model():
    return e5.load(PATH)


@pytest.fixture(scope="module")
def right(model):
    """The vectors of all sentences, in each language, without a bug."""
    return {language: model.embed(e5.sentences(language)) for language in e5.LANGUAGES}


def test_the_excerpt_is_small_and_the_one_that_the_book_was_written_with():
    assert PATH.stat().st_size <= 20_000_000
    assert hashlib.sha256(PATH.read_bytes()).hexdigest() == excerpt.SHA256


def test_missing_weights_are_refused_with_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"book/models/README\.md says how"):
        e5.load(tmp_path / excerpt.NAME)


def test_altered_weights_are_refused(tmp_path):
    path = tmp_path / excerpt.NAME
    path.write_bytes(PATH.read_bytes()[:-1] + b"\0")
    with pytest.raises(ValueError, match=rf"must have the SHA-256 {excerpt.SHA256}. Got .* again"):
        e5.load(path)


def test_four_bits_become_numbers(tmp_path, monkeypatch):
    factors, halves = torch.tensor([0.5], dtype=torch.float16), [0x80 + i for i in range(16)]
    data = factors.numpy().tobytes() + bytes(halves)
    header = {
        "__metadata__": {},
        "a.factors": {"dtype": "F16", "shape": [1, 1], "data_offsets": [0, 2]},
        "a.packed": {"dtype": "U8", "shape": [1, 1, 16], "data_offsets": [2, 18]},
    }
    text = json.dumps(header).encode()
    file = len(text).to_bytes(8, "little") + text + data
    path = tmp_path / "small"
    path.write_bytes(file)
    monkeypatch.setattr(excerpt, "SHA256", hashlib.sha256(file).hexdigest())
    # The low halves come first, then the high ones.
    expected = [[(i - 8) / 2 for i in range(16)] + [0.0] * 16]
    assert e5.Excerpt(path).matrix("a").tolist() == expected


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("개가 고양이를 쫓았다.", "▁개 가 ▁고양이 를 ▁ 쫓 았다 ."),
        ("고양이가 개를 쫓았다.", "▁고양이 가 ▁ 개를 ▁ 쫓 았다 ."),
        ("Con  chó đuổi con mèo. ", "▁Con ▁chó ▁đuổi ▁con ▁mè o ."),
        ("狗追猫。", "▁ 狗 追 猫 。"),
    ],
)
def test_texts_are_cut_as_the_model_cuts_them(model, text, pieces):
    assert e5.cut(text, model.pieces) == pieces.split()


def test_a_letter_that_no_piece_has_is_unknown():
    assert e5.cut("a", {"▁": (0, -1.0)}) == ["▁", "<unk>"]


def test_a_piece_without_a_vector_is_named(model):
    with pytest.raises(ValueError, match="no vectors for ▁Ελλάδα"):
        model.batch(["Ελλάδα"])


def test_padding_changes_nothing(model):
    short, long = e5.sentences("zh")[6], e5.sentences("zh")[3]
    alone, together = model.embed([short])[0], model.embed([short, long])[0]
    assert alone @ together == pytest.approx(1, abs=1e-5)


def test_a_bug_is_taken_out_again_also_after_an_error():
    right = attention.scaled_products, multihead.split_heads
    for bug in e5.BUGS:
        with pytest.raises(RuntimeError), e5.planted(bug):
            raise RuntimeError
        assert (attention.scaled_products, multihead.split_heads) == right
    with pytest.raises(ValueError, match="bug must be one of places"), e5.planted("nothing"):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "found", "cosine"),
    [
        ("places", 236, 0.965059),
        ("scale", 238, 0.944323),
        ("pad", 239, 0.949679),
        ("cut", 15, 0.808368),
    ],
)
def test_what_the_search_finds_with_each_bug(model, right, bug, found, cosine):
    """The numbers of an independent program, numpy in float64."""
    vectors = {n: model.embed(e5.sentences(n), bug=bug) for n in e5.LANGUAGES}
    assert e5.translations_found(vectors) == found
    cosines = torch.cat([(vectors[n] * right[n]).sum(dim=1) for n in vectors])
    assert cosines.mean().item() == pytest.approx(cosine, abs=1e-5)


def undivided(queries, keys):
    return queries @ keys.mT


def test_a_change_reaches_all_heads_and_is_taken_out_again_also_after_an_error(model):
    text = model.batch(["狗追猫。", "狗"])[1:]
    model(*text)
    right = model.weights()
    with e5.changed(model, scores=undivided) as attentions:
        for attention in attentions:
            attention.W_v.weight.zero_()
        model(*text)
        assert (model.weights() != right).any(dim=4).any(dim=3).any(dim=1).all()  # in each head
    model(*text)
    assert torch.equal(model.weights(), right)
    with pytest.raises(RuntimeError), e5.changed(model, scores=undivided):
        raise RuntimeError
    model(*text)
    assert torch.equal(model.weights(), right)


def test_a_rule_gets_the_changed_scores_and_a_mask_of_what_is_no_padding(model):
    _, ids, lens = model.batch(["狗追猫。", "狗"])
    seen = []

    def evenly(scores, mask):
        seen.append((scores, mask))
        return mask / mask.sum(dim=2, keepdim=True)

    with e5.changed(model, scores=lambda q, k: 0 * undivided(q, k), weigh=evenly):
        model(ids, lens)
        even = model.weights()
        model(ids)  # without lengths
    assert len(seen) == 24
    assert not any(scores.any() for scores, _ in seen)
    columns = torch.arange(ids.shape[1]) < lens.unsqueeze(1)  # (B, N)
    wanted = columns.unsqueeze(1).expand(-1, ids.shape[1], -1).repeat_interleave(12, dim=0)
    assert torch.equal(seen[0][1], wanted)
    assert seen[-1][1].all()
    assert torch.equal(even[0, 1, 0, 0], columns[1] / lens[1])


@pytest.mark.slow
@pytest.mark.parametrize(("score", "found"), [(None, 240), (undivided, 238)])
def test_the_search_of_a_changed_model_is_the_one_of_its_bug(model, score, found):
    """The second is the bug "scale", which the numbers above know."""
    with e5.changed(model, scores=score):
        assert e5.search(model) == found


@pytest.mark.parametrize("language", e5.LANGUAGES)
def test_where_heads_park_there_is_little_to_take(model, language):
    """The chapter: in all of them at the first mark, in most of them at the last one too."""
    _, ids, lens = model.batch(e5.sentences(language))
    model(ids, lens)
    inside = [range(1, n - 1) for n in lens.tolist()]
    small = []  # (parked head, mark)
    for layer, state, weights in zip(model.layers, model.hidden, model.weights(), strict=False):
        marks = [w[:, r][..., [0, r[-1] + 1]].sum(-1) for w, r in zip(weights, inside, strict=True)]
        parked = torch.cat(marks, 1).mean(1) > 0.5  # (head,)
        norms = layer.attention.W_v(state).unflatten(2, (12, 32)).norm(dim=3)  # (B, N, head)
        words = torch.cat([n[r] for n, r in zip(norms, inside, strict=True)]).mean(0)
        first, last = norms[:, 0].mean(0), norms[range(len(lens)), lens - 1].mean(0)
        small.append((torch.stack((first, last), 1) < 0.5 * words[:, None])[parked])
    share = torch.cat(small).double().mean(0)
    assert share[0] == 1
    assert 0.6 < share[1] < 0.8
