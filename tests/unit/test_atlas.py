"""The rows of the atlas: each does what it says of itself."""

import re
from collections import defaultdict

import atlas_formulas
import atlas_rows
import pytest
import torch
import yaml
from atlas_facts import facts
from pybtex.database import parse_file

from book.atlas import CHANGES, FOLDER, rows, value
from book.atlas.census import IDEAS, stored, taken

ROWS = [pytest.param(row, id=row.id) for row in rows()]
SECOND_SIZES = {"Q": 10, "K": 7, "d": 12, "h": 5, "c": 3, "r": 2, "H": 6, "feat": 20}


@pytest.fixture(autouse=True)
def _in_double_precision():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def numbers(seen):
    """Tensors as nested lists, for formulas that know no tensors."""
    plain = {name: x.tolist() for name, x in seen.items() if isinstance(x, torch.Tensor)}
    return plain | {name: x for name, x in seen.items() if isinstance(x, int | float)}


@pytest.mark.parametrize("row", ROWS)
def test_the_code_is_the_formula(row):
    for seed in range(3):
        seen, _ = atlas_rows.setting(row, seed)
        expected = torch.tensor(atlas_formulas.weights(row.id, numbers(seen)))
        assert (atlas_rows.run(row, seen)[0] - expected).abs().max() < 1e-12


@pytest.mark.parametrize("row", [one for one in ROWS if one.values[0].library])
def test_the_lines_of_attn_lib_are_the_code(row):
    for seed in range(3):
        seen, _ = atlas_rows.setting(row, seed)
        gap = atlas_rows.by_library(row, seen) - atlas_rows.run(row, seen)[0]
        assert gap.abs().max() < 1e-7


@pytest.mark.parametrize("row", ROWS)
def test_weights_survive_what_the_row_says_and_nothing_else(row):
    worst = defaultdict(float)
    for seed in range(4):
        for change, gap in atlas_rows.gaps(row, seed).items():
            worst[change] = max(worst[change], gap)
    assert {change for change in CHANGES if change not in worst} == set(row.meaningless)
    assert [change for change, gap in worst.items() if 1e-8 <= gap <= 1e-4] == []
    assert {change for change, gap in worst.items() if gap < 1e-8} == set(row.survives)


@pytest.mark.parametrize("row", ROWS)
def test_weights_sum_to_what_the_row_says(row):
    weights = [atlas_rows.run(row, atlas_rows.setting(row, s)[0])[0] for s in range(4)]
    sums = torch.stack(weights).sum(-1)
    expected = {"one": 1.0, "one-minus-lambda": 0.2}
    if row.sum in expected:
        assert (sums - expected[row.sum]).abs().max() < 1e-9
    else:
        assert (sums - 1).abs().max() > 1e-3
        assert (row.sum == "at-most-one") == (sums.min() >= 0 and sums.max() < 1 + 1e-9)
    assert row.negative == bool((torch.stack(weights) < 0).any())


@pytest.mark.parametrize("row", ROWS)
def test_costs_are_those_of_the_code(row):
    for sizes in ({"Q": 6, "K": 9, "d": 8, "H": 4}, SECOND_SIZES):
        if row.id in ("delta", "fox", "wall", "cca"):  # every token is a query and a key
            sizes = sizes | {"K": sizes["Q"]}
        seen, parameters = atlas_rows.setting(row, **sizes)
        letters = {name: seen[name] for name in ("Q", "K", "d", "e", "h", "r", "c", "H", "feat")}
        counted = atlas_rows.count(row, seen)
        found = {
            "products": counted.products,
            "special": counted.special,
            "params": sum(one.numel() for one in parameters),
            "largest": counted.largest,
        }
        assert {what: value(cost, letters) for what, cost in row.cost.items()} == found


def test_the_numbers_of_the_surprising_facts_are_computed():
    said = {row.id: row.fact for row in rows()}
    computed = [(name, words, got) for name, words, got in facts()]
    assert [one for one in computed if one[1] != one[2]] == []
    assert [one for one in computed if one[1] not in said[one[0]]] == []
    # The fact about Shaw's vectors says that two rows are equal; `facts` asserts it.
    assert {name for name, _, _ in computed} | {"shaw"} == set(said)


def test_every_source_is_in_the_list_of_references():
    entries = parse_file(FOLDER.parent / "references.bib").entries
    assert {key for row in rows() for key in row.sources} - set(entries) == set()


def test_every_claim_of_a_row_has_an_entry_in_the_ledger():
    ledgers = [*FOLDER.parent.glob("claims.yml"), *FOLDER.parent.glob("claims/*.yml")]
    entries = [yaml.safe_load(path.read_text(encoding="utf-8")) or {} for path in ledgers]
    known = {
        name for several in entries for name, one in several.items() if "scores" in one["pages"]
    }
    assert {name for row in rows() for name in row.claims} - known == set()


def test_code_fits_the_page():
    codes = {row.id: [row.given, row.code, row.library] for row in rows()}
    wide = {
        name: line
        for name, parts in codes.items()
        for line in "\n".join(parts).split("\n")
        if len(line) > 76
    }
    assert wide == {}


def test_every_idea_of_the_census_has_a_row_and_every_row_counts_known_ideas():
    names = {row.id for row in rows()}
    assert {idea.row for idea in IDEAS} <= names
    assert len(names) == len(rows())
    counted = stored()
    assert sum(counted.sizes()) + counted.without_a_year() == len(counted.files)
    for row in rows():
        for use in row.used_by:
            if use.file:
                line, year = counted.place(use)
                assert line > 0
                assert year == 0 or 2017 < year < 2100
                assert re.compile(use.pattern)


def test_every_row_says_in_a_line_when_to_take_it():
    said = {row.id: row.take for row in rows()}
    starts = ("when ", "always", "not today", "as the ", "for ")
    assert [name for name, take in said.items() if not take.startswith(starts)] == []
    assert [name for name, take in said.items() if not 20 < len(take) < 200] == []
    assert [name for name, take in said.items() if not take.endswith(".")] == []


def test_a_row_names_model_files_or_a_search_that_found_none():
    both = [row.id for row in rows() if row.searched and any(use.file for use in row.used_by)]
    assert both == []
    assert [row.id for row in rows() if row.searched] != []


def test_a_search_that_finds_something_now_stops_the_census(tmp_path, monkeypatch):
    row = next(row for row in rows() if row.id == "sparsemax")
    monkeypatch.setattr("book.atlas.census.rows", lambda: (row,))
    model = tmp_path / "new" / "modeling_new.py"
    model.parent.mkdir()
    model.write_text("w = softmax(scores)\n")
    assert taken(tmp_path, "test").files == {}
    model.write_text("w = sparsemax(scores)\n")
    with pytest.raises(ValueError, match=r"sparsemax: new/modeling_new\.py has sparsemax"):
        taken(tmp_path, "test")
