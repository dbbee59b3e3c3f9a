"""The writer of the page: its JavaScript writes what Python writes, letter by letter."""

import json
import random

import pytest
import torch
from node import run

from attn_lib.examples import writer
from attn_lib.examples.writer import checkpoint

WRITE = """async (stored, jobs) => {
  const { unpack, write } = await import("./figures/writer/writer.js");
  const model = unpack(stored);
  return jobs.map(({ text, ...more }) => write(model, text, more));
}"""
READ = """async (stored, texts) => {
  const { languageOf, normalise, spell, unpack } = await import("./figures/writer/writer.js");
  const model = unpack(stored);
  return texts.map((text) => {
    return { ...spell(model, text), language: languageOf(text), typed: normalise(text) };
  });
}"""

TYPED = [
    "x",
    "Hello ZORBLIK! hello wug! bye ",
    "chào vịt! CHA\u0300O me\u0300o! tạm biệt ",
    "안녕 블릭! 안녕 워그! 잘 가 ",
    "你好魑魅！你好饕餮！再见",
    "hello 🙂! hello 👩‍👩‍👧! bye ",
    "Привет, ΣΟΦΟΣ! İstanbul",
    "\ue005\ue000 é ",
    "hello " + "ab" * 72,
]


def stored(language, kind):
    return json.loads((checkpoint.FOLDER / f"{language}-{kind}.json").read_text(encoding="utf-8"))


def differences(language, kind, jobs):
    """The jobs in which a letter differs, or a number by more than rounding."""
    model, wrong = writer.load(language, kind), []
    for job, shown in zip(jobs, run(WRITE, stored(language, kind), jobs), strict=True):
        wanted = writer.write(**job, language=language, model=model)
        # (letters, layers, heads, letters so far) -> the rows of Python, without what was to come
        rows = [
            wanted.weights[:, :, i, : i + 1].flatten().tolist() for i in range(len(wanted.letters))
        ]
        shown_rows = [
            [w for layer in at for head in layer for w in head] for at in shown["weights"]
        ]
        same = (
            shown["letters"] == list(wanted.letters)
            and shown["start"] == wanted.start
            and far(shown["chances"], wanted.chances.tolist()) < 1e-9
            and far(shown_rows, rows) < 1e-9
        )
        if not same:
            wrong.append((job, "".join(shown["letters"]), "".join(wanted.letters)))
    return wrong


def far(found, wanted):
    """The largest difference of two lists of lists."""
    flat = [
        torch.tensor([x for row in rows for x in row], dtype=torch.float64)
        for rows in (found, wanted)
    ]
    return (flat[0] - flat[1]).abs().max().item() if flat[0].shape == flat[1].shape else 1.0


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_new_parties_are_written_as_in_python(language):
    found = writer.parties(language, 25, random.Random(11), guests=2)
    jobs = [{"text": party.text[1 : party.again[0]], "most": 60} for party in found]
    assert differences(language, "rope", jobs) == []


@pytest.mark.parametrize(
    ("language", "kind"), [(k.stem.split("-")) for k in sorted(checkpoint.FOLDER.glob("*.json"))]
)
def test_every_switch_does_on_the_page_what_it_does_in_python(language, kind):
    model = writer.load(language, kind)
    party = writer.parties(language, 1, random.Random(5))[0]
    text = party.text[1 : party.again[0]]
    off = [[], *([head] for head in writer.heads(model)), writer.heads(model)]
    jobs = [{"text": text, "most": 8, "off": [list(head) for head in silent]} for silent in off]
    jobs += [{"text": text, "most": 20, "draw": seed} for seed in (1, 2, 3)]
    jobs += [{"text": typed, "most": 5} for typed in TYPED]
    # Beyond the 128 places that are learned.
    jobs += [{"text": "ab" * 75, "most": 3}]
    assert differences(language, kind, jobs) == []


@pytest.mark.parametrize("language", writer.LANGUAGES)
def test_what_is_typed_is_spelt_as_in_python(language):
    for text, shown in zip(TYPED, run(READ, stored(language, "rope"), TYPED), strict=True):
        spelt = writer.spell(text, language)
        assert shown["numbers"] == spelt.numbers, text
        assert "".join(shown["strangers"]) == spelt.strangers
        assert shown["language"] == writer.language_of(text)
        assert shown["typed"] == writer.normalise(text)


def test_every_marked_letter_shows_that_a_text_is_vietnamese():
    marked = [c for c in writer.alphabet("vi")[29:] if c < "\ue000"]
    for shown in run(READ, stored("vi", "rope"), marked):
        assert shown["language"] == "vi"
        assert shown["strangers"] == []
