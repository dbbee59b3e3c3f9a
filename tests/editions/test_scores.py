"""The page of all scores: what it prints of the census is what was counted, in every language."""

import ast
import json
import re
from types import SimpleNamespace

import pytest
from babel.messages.pofile import read_po

from book._ext.content.scores import ELSEWHERE, ScoresDirective, phrases
from book._ext.editions.languages import BOOK, EDITIONS
from book._tools.editions.terms import avoided_terms
from book.atlas import rows
from book.atlas.census import IDEAS, differences, labels, stored, taken

PAGES = [path for edition in EDITIONS if (path := BOOK / edition.code / "scores.md").exists()]
# What the directive says by itself.
SOURCE = (BOOK / "_ext/content/scores.py").read_text(encoding="utf-8")
SAID = re.findall(r"say\(\s*((?:(?:'[^']*'|\"[^\"]*\")\s*)+)\)", SOURCE)
OWN = {"".join(ast.literal_eval(f"({one.strip()},)")) for one in SAID}


def catalogue(language):
    path = BOOK / "_locale" / language / "LC_MESSAGES" / "atlas.po"
    with path.open("rb") as file:
        return {m.id: m.string for m in read_po(file, abort_invalid=True) if m.id}


# A language that has begun has a catalogue without translations.
TRANSLATED = [edition.code for edition in EDITIONS[1:] if any(catalogue(edition.code).values())]


def numbers(text):
    """Digits, in any of the languages' ways of writing thousands."""
    joined = re.sub(r"(?<=\d)[,\u2009\u202f\u00a0 ](?=\d{3}(?!\d))", "", text)
    return sorted(re.findall(r"\d+(?:\.\d+)?", joined))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.parent.name)
def test_the_words_of_the_picture_have_its_numbers(page):
    text = page.read_text(encoding="utf-8")
    (said,) = re.findall(r"!\[(.*?)\]\(\.\./pictures/scores\.svg\)", text)
    counted = stored()
    expected = [
        round(100 * count / size)
        for idea in IDEAS
        for count, size in zip(counted.counts(idea.name), counted.sizes(), strict=True)
    ]
    runs = re.findall(r"\d+(?:[,、] ?\d+){4}", said)[-len(IDEAS) :]
    assert [int(number) for run in runs for number in re.findall(r"\d+", run)] == expected
    differ = sum(
        wrong + missed
        for questions in counted.checked.values()
        for _, wrong, missed in questions.values()
    )
    read = len(labels.labels())
    early = read - len(labels.after())
    for number in (len(counted.files), counted.without_a_year(), read, early, differ):
        assert re.search(rf"(?<!\d){number}(?!\d)", text.replace(said, ""))
    assert counted.release in text


# Cells of chapters that say what the census has found in the files of 2026, and what of it.
SAID_ELSEWHERE = [("many-keys", "models")]


TOLD = [
    (f"{path.parent.name}/{path.name}", cell)
    for chapter, cell in SAID_ELSEWHERE
    for path in sorted(BOOK.glob(f"[a-z][a-z]/{chapter}.ipynb"))
]


@pytest.mark.parametrize(("page", "cell"), TOLD)
def test_chapters_have_the_numbers_of_the_census(page, cell):
    cells = json.loads((BOOK / page).read_text(encoding="utf-8"))["cells"]
    text = "".join(next(one["source"] for one in cells if one["id"] == cell))
    counted = stored()
    for number in (counted.sizes()[-1], counted.counts("qknorm")[-1]):
        assert re.search(rf"(?<![\d.]){number}(?!\d)", text)
    assert counted.counts("attn_softcap")[-1] == 0  # many-keys: the cap in none


@pytest.mark.parametrize("language", TRANSLATED)
def test_translated_texts_are_those_of_rows_and_keep_their_numbers(language):
    texts = catalogue(language)
    assert texts.keys() - phrases() - OWN == set()
    wrong = [english for english, own in texts.items() if own and numbers(own) != numbers(english)]
    assert wrong == []
    assert list(avoided_terms("\n".join(filter(None, texts.values())), language)) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_language_adds_its_own_names_of_a_score_to_the_english_ones(language):
    texts = catalogue(language)
    own = {
        row.id: (row, re.split(", |、", said))
        for row in rows()
        if (said := texts.get(row.other_names))
    }
    assert {"bahdanau", "rope", "learned-sink"} <= own.keys()
    for row, names in own.values():
        assert set(row.synonyms) < set(names), row.id
        assert len(names) == len(set(names)), row.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_the_page_says_by_itself_is_translated(language):
    texts = catalogue(language)
    assert [english for english in sorted(OWN) if not texts.get(english)] == []


def test_the_page_says_nothing_that_no_catalogue_could_translate():
    assert {"Kind", "Who uses it", "First source:", "{count} of {all} rows"} <= OWN
    assert len(phrases()) > 3 * len(rows())


def test_a_census_of_other_files_names_what_moved(tmp_path, monkeypatch):
    model = tmp_path / "new" / "modeling_new.py"
    model.parent.mkdir()
    line = "attn_weights = torch.tanh(scores)"
    model.write_text(f"""# Copyright 2026
class Attention:
    def forward(self, q, k, v, cache):
        k, v = cache.update(k, v, 0)
        {line}

class Model:
    def __init__(self, config):
        self.tokens = nn.Embedding(config.vocab_size, 8)
        self.attention = Attention()

    def forward(self, x):
        mask = create_causal_mask(x)
        return self.attention(self.tokens(x), build_alibi(x), mask)
""")
    monkeypatch.setattr("book.atlas.census.rows", lambda: ())
    new = taken(tmp_path, "test")
    assert new.files == {"new": {"year": 2026, "ideas": ["alibi"]}}
    said = list(differences(stored(), new, tmp_path))
    assert "came: new: alibi" in said
    assert f"  read modeling_new.py:5: {line}" in said
    assert "went: bloom" in said
    assert "ALiBi: [1, 2, 0, 0, 0] -> [0, 0, 0, 0, 1]" in said


def test_a_row_whose_line_is_gone_is_named(tmp_path):
    for row in rows():
        for use in row.used_by:
            if use.file:
                path = tmp_path / "models" / use.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("nothing\n")
    with pytest.raises(ValueError, match="has no line with"):
        taken(tmp_path / "models", "test")


# What people type: a row, or the page that a word leads to.
WORDS = {
    "kv": "gqa",
    "kv cache": "mla",
    "KV cache compression": "compressed",
    "paged": "shared-keys",
    "mamba": "delta",
    "ssm": "linear",
    "flash": "fast-attention",
    "flexattention": "fast-attention",
    "M-RoPE": "mrope",
    "2d rope": "mrope",
    "rotary": "rope",
    "sliding window": "window",
    "swa": "window",
    "gqa": "gqa",
    "mqa": "mqa",
    "mla": "mla",
    "mha": "multi-head-attention",
    "qk norm": "qknorm_gain",
    "query key norm": "qknorm_gain",
    "moba": "meanblock",
    "nsa": "meanblock",
    "msa": "bestblock",
    "dsa": "indexer",
    "csa": "compressed",
    "sparse attention": "indexer",
    "attnres": "depth",
    "gat": "gat",
    "linear attention": "linear",
    "deltanet": "delta",
    "sink": "learned-sink",
    "softcap": "softcap",
    "alibi": "alibi",
    "yarn": "yarn",
    "packing": "document",
    "sdpa": "scaled",
    "self-attention": "scaled",
    "cross-attention": "queries-keys-values",
    "positional encoding": "absolute",
    "relative position": "t5",
    "causal mask": "masked-softmax",
}


@pytest.mark.parametrize("words", WORDS)
def test_rows_are_found_by_the_words_that_people_use(words):
    named = [(row.id, f"{row.id} {row.name} {row.other_names}") for row in rows()]
    named += [(target, names) for names, _, targets in ELSEWHERE for target in targets]
    found = {
        target
        for target, names in named
        if all(word in names.lower() for word in words.lower().split())
    }
    assert WORDS[words] in found


def test_what_leads_elsewhere_is_a_row_or_a_page():
    pages = {path.stem for path in (BOOK / "en").iterdir()}
    targets = {target for _, _, several in ELSEWHERE for target in several}
    assert targets - pages - {row.id for row in rows()} == set()


def test_no_file_found_is_told_from_no_search():
    def said(pattern):
        directive = SimpleNamespace(say=str)
        parts = ScoresDirective.unfound(directive, pattern, "transformers 5.24.0")
        return "".join(part.astext() for part in parts)

    assert said("") == "model files not searched"
    assert said("sparsemax") == (
        "in no model file of transformers 5.24.0: a search for sparsemax finds none"
    )


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_sentence_of_a_search_has_its_two_places_in_every_language(language):
    english = "in no model file of {release}: a search for {pattern} finds none"
    assert re.findall(r"{\w+}", catalogue(language)[english]) == ["{release}", "{pattern}"]
