"""The book as text: Markdown beside each page, their list, and flash cards."""

import csv
import json
import re
from pathlib import Path

import pytest
from built import read
from reader import LANGUAGES, ROOT

from book._ext.content.downloads import FOLDER, cards
from book._ext.editions.translation import chapters, numbered_chapters


def test_the_list_names_the_markdown_of_every_page(site_folder: Path) -> None:
    listed = re.findall(
        r"^- \[(.+)\]\((\S+)\)$", (site_folder / "llms.txt").read_text("utf-8"), re.M
    )
    expected = [f"{language}/{page}" for language in LANGUAGES for page in chapters()]
    assert ["/".join(address.split("/")[-2:]) for _, address in listed] == [
        f"{name}.md" for name in expected
    ]
    for (title, _), name in zip(listed, expected, strict=True):
        text = (site_folder / f"{name}.md").read_text(encoding="utf-8")
        assert f"# {title}\n" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_holds_the_programs_and_what_they_print(site_folder: Path, language: str) -> None:
    for page in numbered_chapters():
        text = (site_folder / language / f"{page}.md").read_text(encoding="utf-8")
        assert "data:image" not in text
        notebook = json.loads((ROOT / "book" / language / f"{page}.ipynb").read_text("utf-8"))
        for cell in notebook["cells"]:
            assert "".join(cell["source"]).strip() in text, cell["id"]
            for output in cell.get("outputs", []):
                for line in output.get("text", []):
                    assert line.strip() in text, cell["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_the_glossary_and_the_five_lines(site_folder: Path, language: str) -> None:
    path = site_folder / FOLDER / cards(language)
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    assert {len(row) for row in rows} == {3}
    glossary = read(site_folder / language / "glossary.html")
    terms = len(glossary.select("dl.glossary dd"))
    assert len(rows) == terms + len(numbered_chapters())
    said = glossary.get_text()
    for _, back, _ in rows[:terms]:
        assert re.sub(r"\W", "", back.replace("&#x27;", "")) in re.sub(r"\W", "", said)
    for front, back, page in rows[terms:]:
        assert back.count("<br>") == 4, page
        assert not re.search(r"[$`]|(?<!\w)\{[a-z]+\}", front + back), page
