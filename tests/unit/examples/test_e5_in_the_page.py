"""The page reads a typed sentence as attn_lib does: pieces, weights, and what it refuses."""

import pytest
import torch

from attn_lib.examples import e5
from tests.unit.examples.test_e5 import PATH
from tests.unit.node import run

READ = """async (path, texts) => {
  const { cut, open, read } = await import("../../book/_static/sentence/e5.js");
  const { readFileSync } = await import("node:fs");
  const file = readFileSync(path);
  const excerpt = await open(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
  return texts.map((text) => {
    const { weights, ...reading } = read(excerpt, cut(excerpt, text));
    return { ...reading, weights: Array.from(weights) };
  });
}"""
ABSENT = ("fish", "  Ｈｅｌｌｏ\u00a0 warm  ", "😀 Ж𝒳", "x" * 40)

pytestmark = pytest.mark.xdist_group("e5 in the page")  # one process: its fixtures take long


@pytest.fixture(scope="module")
def model():
    return e5.load(PATH)


@pytest.mark.no_cover
def test_the_page_and_attn_lib_give_the_same_weights(model):
    texts = [text for language in e5.LANGUAGES for text in e5.sentences(language)[:1]]
    for text, found in zip(texts, run(READ, str(PATH), texts), strict=True):
        pieces, ids, lens = model.batch([text])
        model(ids, lens)
        weights = model.weights()[:, 0]
        assert found["pieces"] == pieces[0]
        assert found["absent"] == []
        torch.testing.assert_close(
            torch.tensor(found["weights"]).reshape(weights.shape), weights, atol=1e-4, rtol=0
        )


def test_the_page_names_what_attn_lib_names(model):
    for text, found in zip(ABSENT, run(READ, str(PATH), list(ABSENT)), strict=True):
        pieces = ["<s>", *e5.cut(text, model.pieces), "</s>"]
        absent = dict.fromkeys(p for p in pieces if model.pieces[p][0] not in model.rows)
        assert found["pieces"] == pieces
        assert found["absent"] == list(absent)
        assert bool(found["weights"]) == (not absent)


def test_weights_that_were_cut_short_are_refused():
    with pytest.raises(AssertionError, match="the weights must have"):
        run(READ.replace("file.length", "file.length - 1"), str(PATH), [])
