"""Which exercises get a field on the page, in every edition, and what it opens with."""

import json
import re

import pytest
from docutils import nodes

from book._ext.content.judged import asked
from book._ext.editions.languages import BOOK
from book._ext.site import judges


def said(*literals: str) -> tuple[str, str, str] | None:
    """What an exercise asks for whose text has these literals."""
    return asked(nodes.paragraph("", "", *(nodes.literal("", text) for text in literals)))


def test_the_field_opens_with_the_function_that_the_text_names() -> None:
    assert said("mine(X, valid_lens)", "X", "attn_lib.check.masked_softmax(mine)") == (
        "masked_softmax",
        "mine",
        "def mine(X, valid_lens):",
    )


def test_other_exercises_get_none() -> None:
    assert said("X", "attn_lib.check.masked_softmax(mine)") is None
    assert said("mine(X)", "attn_lib.check.causal_lens(mine)") is None
    assert said("mine(X)") is None


@pytest.mark.parametrize("judge", judges.MODULES)
def test_each_judge_has_its_exercise_in_every_edition(judge: str) -> None:
    page = judges.MODULES[judge].split(".")[2].replace("_", "-")
    editions = sorted(BOOK.glob(f"??/{page}.ipynb"))  # one that has begun may lack the chapter
    assert len(editions) >= 4
    for path in editions:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        texts = [source for source in sources if "{exercise}" in source]
        literals = [re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text) for text in texts]
        assert [found[0] for own in literals if (found := said(*own))].count(judge) == 1, path


@pytest.mark.parametrize(("given", "seed"), [("2027", "2027"), ("", None)])
def test_the_site_of_a_class_draws_its_cases_by_its_seed(given, seed, monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_SEED", given)
    monkeypatch.setattr(judges, "micropython", lambda: ("", b""))
    judges.write(tmp_path)
    python = (tmp_path / "judge" / "python.js").read_text(encoding="utf-8")
    assert python.endswith(f"attnJudge.seed ??= {json.dumps(seed)};\n")
