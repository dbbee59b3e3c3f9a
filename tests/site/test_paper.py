"""The book on paper: two chapters and the references, printed as `make pdf` prints all of it."""

import re
import unicodedata
from io import BytesIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from built import read
from playwright.sync_api import Browser
from pypdf import PdfReader
from pypdf.generic import Destination

from book._ext.editions.languages import EDITIONS
from book._tools import fonts
from book._tools.paper import binding, press, stills

CHAPTERS = ("scaling", "masked-softmax", "references")
CONTENTS = 2  # its page; the cover is the first


class Paper:
    """A printed book, and the built pages that it was made from."""

    def __init__(self, pdf: bytes, pages: dict[str, int], site: Path) -> None:
        self.reader = PdfReader(BytesIO(pdf))
        self.pages = pages
        # Less the page's number, with which all but the cover begin.
        self.texts = [
            bare(page.extract_text()).removeprefix(str(number))
            for number, page in enumerate(self.reader.pages, start=1)
        ]
        self.site = {name: read(site / f"en/{name}.html") for name in CHAPTERS}

    def title(self, name: str) -> str:
        heading = self.site[name].select_one("article h1")
        return heading.get_text().removesuffix("#")

    def between(self, start: str, end: str) -> str:
        return "".join(self.texts[self.pages[start] - 1 : self.pages[end] - 1])


def bare(text: str) -> str:
    """Text without the places where lines break, and without the ligatures that a font may have."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


@pytest.fixture(scope="module")
def paper(chromium: Browser, site_folder: Path) -> Paper:
    pdf, pages = binding.write(chromium, site_folder, EDITIONS[0], CHAPTERS)
    return Paper(pdf, pages, site_folder)


def test_the_outline_leads_to_chapters_and_solutions(paper: Paper) -> None:
    number = paper.reader.get_destination_page_number
    found = {
        entry.title: number(entry) + 1
        for entry in paper.reader.outline
        if isinstance(entry, Destination)
    }
    expected = {paper.title(name): paper.pages[name] for name in CHAPTERS}
    expected["Solutions"] = paper.pages["solutions"]
    assert expected.items() <= found.items()


def test_contents_name_the_page_on_which_a_chapter_begins(paper: Paper) -> None:
    contents = paper.texts[CONTENTS - 1]
    assert len({paper.pages[name] for name in CHAPTERS}) == len(CHAPTERS)
    for name in CHAPTERS:
        title = bare(paper.title(name))
        assert f"{title}{paper.pages[name]}" in contents
        # There the colon is left out: what follows it stands on a line of its own.
        assert paper.texts[paper.pages[name] - 1].startswith(title.replace(":", "", 1))


@pytest.mark.parametrize(
    ("name", "end"), [("scaling", "masked-softmax"), ("masked-softmax", "references")]
)
def test_a_figure_shows_its_question_and_both_states(paper: Paper, name: str, end: str) -> None:
    figure = paper.site[name].select_one("attn-explorer")
    shown = paper.between(name, end)
    for part in (
        ".attn-question",
        ".attn-asked",
        ".attn-summary",
        ".attn-surprise > p:first-child",
        ".attn-surprise > .attn-view ~ p",
        ".attn-caption",
    ):
        assert bare(figure.select_one(part).get_text()) in shown, part
    asked = figure.select(".attn-bet > span")
    options = [bare(option.get_text()) for option in asked]
    assert len(options) > 1
    assert [option for option in options if option not in shown] == []


def test_drawings_that_a_script_makes_are_there(paper: Paper, chromium: Browser, site: str) -> None:
    built = paper.site["scaling"].select_one(".attn-body > .attn-view")
    assert built.select("svg.attn-drawing") == []
    taken = stills.take(chromium, f"{site}/en/scaling.html", ["race"])["race"]
    assert taken.first != taken.surprise
    for view in taken:
        labels = BeautifulSoup(view, "html.parser").select("svg.attn-drawing text")
        words = {bare(label.get_text()) for label in labels}
        assert len(words) > 3
        assert [w for w in words if w not in paper.between("scaling", "masked-softmax")] == []


def test_solutions_stand_at_the_end_and_lead_back(paper: Paper) -> None:
    end = "".join(paper.texts[paper.pages["solutions"] - 1 :])
    for name, following in (("scaling", "masked-softmax"), ("masked-softmax", "references")):
        solutions = paper.site[name].select("details.solution")
        assert len(solutions) > 1
        for solution in solutions:
            words = bare(solution.select_one("p").get_text())
            if solution.select_one("p").select("math"):
                continue  # signs of formulas come in another order
            assert words in end
            assert words not in paper.between(name, following)
            page = paper.pages[f"{name}--{solution['id']}"]
            assert f"Solution:page{page}" in paper.between(name, following)
        exercise = paper.site[name].select_one(".exercise")
        page = paper.pages[f"{name}--{exercise['id']}"]
        assert f"Exercise:page{page}" in end
        named, effort = (
            bare(exercise.select_one(part).get_text())
            for part in (".attn-exercise-name", ".attn-effort")
        )
        assert named in end
        assert effort in paper.between(name, following)
        assert effort not in end, "how long it takes stands with the exercise"


def test_links_lead_to_a_place_in_the_book_or_out_of_it(paper: Paper) -> None:
    places = {name.removeprefix("/") for name in paper.reader.named_destinations}
    inside, outside = set(), set()
    for page in paper.reader.pages:
        for link in page.get("/Annots", []):
            link = link.get_object()
            if "/Dest" in link:
                inside.add(str(link["/Dest"]).removeprefix("/"))
            else:
                outside.add(str(link["/A"]["/URI"]))
    assert {"solutions", *CHAPTERS} <= inside
    assert inside <= places
    assert [address for address in outside if not address.startswith("https://")] == []
    assert [address for address in outside if address.endswith("/en/masked-softmax.html#mask")]


def test_fonts_are_embedded(paper: Paper) -> None:
    fonts = [
        font.get_object()
        for page in paper.reader.pages
        for font in page["/Resources"]["/Font"].values()
    ]
    inner = [f["/DescendantFonts"][0].get_object() if "/DescendantFonts" in f else f for f in fonts]
    described = [font["/FontDescriptor"] for font in inner if font["/Subtype"] != "/Type3"]
    assert described
    files = {"/FontFile", "/FontFile2", "/FontFile3"}
    assert [d["/FontName"] for d in described if not files & d.keys()] == []


def test_it_is_tagged_and_says_its_language(paper: Paper) -> None:
    root = paper.reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert root["/Lang"] == "en"


def test_nothing_asks_for_a_click(paper: Paper) -> None:
    text = "".join(paper.texts)
    assert [word for word in ("Clickto", "Copycode", "Showme") if word in text] == []
    assert "Reset" not in text
    # The page of references names a button.
    assert text.count("Copylink") == text.count("Copylinkgives") == 1


def test_a_missing_font_names_its_package(chromium: Browser) -> None:
    nowhere = fonts.Script("[가-힣]", ("No Such Font",), "fonts-of-nowhere")
    fonts.need(chromium, "no such letter", [nowhere])
    with pytest.raises(RuntimeError, match="apt-get install -y fonts-of-nowhere"):
        fonts.need(chromium, "a 한글 text", [nowhere])


def test_what_would_be_cut_off_is_an_error(chromium: Browser, site: str) -> None:
    wide = '<div id="here" style="width: 3000px">…</div>'
    with pytest.raises(RuntimeError, match="here"):
        press.printed(chromium, wide, f"{site}/en/paper.html")


def test_what_scrolls_on_the_page_is_set_smaller(chromium: Browser, site: str) -> None:
    wide = '<div style="overflow: auto"><p style="width: 1500px">…</p></div>'
    assert press.printed(chromium, wide, f"{site}/en/paper.html")
