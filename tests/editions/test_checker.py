"""Every fault that a translation can have, planted once, is found by the check made for it."""

import re
from dataclasses import replace

import nbformat
import pytest

from book._tools.editions import read
from book._tools.editions.__main__ import main
from book._tools.editions.check import check_ids, check_words, compare, findings
from book._tools.editions.numerals import of_large_words, written_out
from book._tools.editions.read import Cell, State, source_hash, state, states
from book._tools.editions.stamp import stamp
from book._tools.editions.terms import avoided_terms
from book._tools.editions.wording import read_rules

ENGLISH = [
    Cell(
        "title",
        "markdown",
        "(a-mask)=\n# A mask\n\n"
        "Two tokens are padding; 0.25 of the weight is lost, see {eq}`eq-a`.",
    ),
    Cell("setup", "code", 'import attn_lib\n\nattn_lib.set_language("en")'),
    Cell("sum", "code", "# the sum of a row\nprint(1 + 2)"),
    Cell(
        "formula",
        "markdown",
        "$$w = \\exp(s)$$ (eq-a)\n\n"
        "The valid length, [explained here](index.md), is a valid length; "
        "a valid length of 3 {cite:p}`vaswani2017`.{claim}`first`{claim}`second`",
    ),
]

WORDS = {
    "vi": {
        "title": "(a-mask)=\n# Mặt nạ\n\nHai token là phần đệm; mất 0,25 trọng số, xem {eq}`eq-a`.",
        "formula": "$$w = \\exp(s)$$ (eq-a)\n\nĐộ dài hợp lệ, [giải thích ở đây](index.md), "
        "bằng ba {cite:t}`vaswani2017`.{claim}`first`{claim}`second`",
    },
    "ko": {
        "title": "(a-mask)=\n# 마스크\n\n토큰 2개는 패딩이고 가중치 0.25가 사라집니다({eq}`eq-a`).",
        "formula": "$$w = \\exp(s)$$ (eq-a)\n\n[여기서 설명한](index.md) 유효길이는 세 개입니다 "
        "{cite:p}`vaswani2017`.{claim}`first`{claim}`second`",
    },
    "zh": {
        "title": "(a-mask)=\n# 掩码\n\n两个词元是填充，0.25 的权重丢失，见 {eq}`eq-a`。",
        "formula": "$$w = \\exp(s)$$ (eq-a)\n\n有效长度（[见此](index.md)）为 3 "
        "{cite:p}`vaswani2017`。{claim}`first`{claim}`second`",
    },
}


def translation(language):
    cells = []
    for cell in ENGLISH:
        if cell.kind == "markdown":
            words = WORDS[language][cell.id]
            cells.append(Cell(cell.id, "markdown", words, source_hash(cell.source)))
        else:
            code = cell.source.replace('"en"', f'"{language}"').replace("the sum of a row", "...")
            cells.append(Cell(cell.id, "code", code))
    return cells


def found(cells, language):
    return [(finding.rule, finding.cell) for finding in compare(ENGLISH, cells, language)]


def edited(language, name, old, new):
    cells = translation(language)
    position = next(i for i, cell in enumerate(cells) if cell.id == name)
    assert old in cells[position].source
    cells[position] = replace(cells[position], source=cells[position].source.replace(old, new))
    return cells


@pytest.mark.parametrize("language", WORDS)
def test_a_good_translation_has_no_findings(language):
    assert found(translation(language), language) == []


@pytest.mark.parametrize(
    ("language", "name", "old", "new", "rule"),
    [
        ("vi", "sum", "1 + 2", "1 + 3", "code"),
        ("vi", "sum", "print(1 + 2)", "print(1 + 2", "code"),
        ("ko", "setup", '"ko"', '"vi"', "code"),
        ("vi", "title", "(a-mask)=\n", "", "labels"),
        ("zh", "formula", "(eq-a)", "(eq-b)", "labels"),
        ("zh", "formula", "\\exp(s)", "\\exp(-s)", "maths"),
        ("ko", "formula", "(index.md)", "(intro.md)", "links"),
        ("vi", "title", "{eq}`eq-a`", "", "references"),
        ("ko", "formula", "vaswani2017", "bahdanau2015", "references"),
        ("zh", "formula", "{claim}`second`", "", "claims"),
        ("vi", "formula", "`first`{claim}`second`", "`second`{claim}`first`", "claims"),
        ("vi", "title", "# Mặt nạ", "## Mặt nạ", "structure"),
        ("vi", "title", "0,25", "0,52", "numbers"),
        ("ko", "title", "0.25", "", "numbers"),
        ("zh", "formula", "为 3", "为 7", "numbers"),
        ("vi", "title", "token", "mã thông báo", "terms"),
        ("ko", "sum", "...", "주의력", "terms"),
        ("zh", "title", "，", ", ", "script"),
        ("zh", "title", "丢失", "丢失(即消失)", "script"),
        ("zh", "title", "两个词元是填充，0", "**两个词元是填充，**0", "script"),
        ("vi", "title", "Mặt", "Ma\u0323\u0306t", "script"),
    ],
)
def test_a_planted_fault_is_found(language, name, old, new, rule):
    assert (rule, name) in found(edited(language, name, old, new), language)


def test_a_missing_agreed_term_is_found():
    cells = edited("vi", "formula", "Độ dài hợp lệ", "Chiều dài dùng được")
    assert found(cells, "vi") == [("terms", "page")]


def test_a_missing_cell_is_found():
    assert found(translation("vi")[:-1], "vi") == [("cells", "formula")]


def test_an_extra_cell_is_found():
    cells = [*translation("ko"), Cell("more", "code", "1")]
    assert found(cells, "ko") == [("cells", "more")]


def test_another_order_is_found():
    first, second, *rest = translation("zh")
    assert found([second, first, *rest], "zh") == [("cells", "setup")]


def test_a_renamed_cell_is_found():
    first, *rest = translation("zh")
    assert found([replace(first, id="opening"), *rest], "zh") == [
        ("cells", "title"),
        ("cells", "opening"),
    ]


@pytest.mark.parametrize("stamp", [None, "0123456789abcdef"])
def test_a_stale_passage_is_no_fault_and_its_words_are_not_held(stamp):
    cells = edited("ko", "title", "0.25", "주의력")
    assert found(cells, "ko") == [("numbers", "title"), ("terms", "title")]
    assert found([replace(cells[0], stamp=stamp), *cells[1:]], "ko") == []


def test_an_untranslated_passage_is_no_fault():
    _, *rest = translation("ko")
    english = replace(ENGLISH[0], stamp=source_hash(ENGLISH[0].source))
    assert state(ENGLISH[0], english) is State.UNTRANSLATED
    assert found([english, *rest], "ko") == []


def test_a_text_without_words_is_fresh_in_every_language():
    cell = Cell("solution-end", "markdown", "```{solution-end}\n```", "0123456789abcdef")
    assert state(cell, cell) is State.FRESH
    formula = replace(cell, source=r"$$x \text{ if } y$$", stamp=None)
    assert state(formula, formula) is State.STALE


def test_code_is_held_in_a_page_of_stale_passages():
    cells = [replace(cell, stamp=None) for cell in edited("vi", "sum", "1 + 2", "1 + 3")]
    assert found(cells, "vi") == [("code", "sum")]


def test_other_tags_are_found():
    first, second, *rest = translation("zh")
    hidden = replace(second, settings={"tags": ["hide-input"]})
    assert found([first, hidden, *rest], "zh") == [("settings", "setup")]


def test_words_about_a_picture_are_a_passage(tmp_path):
    cell = nbformat.v4.new_code_cell("1", id="a-map")
    cell.metadata["mystnb"] = {"image": {"alt": "A heatmap.", "width": "3em"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "a.ipynb")
    [english] = read.read_cells(tmp_path / "a.ipynb")
    assert english.passage == "A heatmap."
    own = replace(english, alt="Bản đồ nhiệt.", stamp=source_hash("A heatmap."))
    assert state(english, own) is State.FRESH
    assert state(replace(english, alt="Another."), own) is State.STALE
    assert english.settings == {"mystnb": {"image": {"alt": "", "width": "3em"}}}


@pytest.mark.parametrize("name", ["", "Title", "a_b", "a--b", "1f0e7c2a", "cell-12"])
def test_an_id_that_says_nothing_is_found(name):
    assert [f.rule for f in check_ids([Cell(name, "code", "")])] == ["ids"]


def test_an_id_used_twice_is_found():
    assert len(list(check_ids([Cell("a-b", "code", "")] * 2))) == 1


@pytest.mark.parametrize(
    ("language", "text", "forms"),
    [
        ("vi", "mỗi phím và giá trị", ["phím"]),
        ("vi", "nhấn phím mũi tên", []),
        ("vi", "TRỌNG LƯỢNG", ["trọng lượng"]),
        ("ko", "주의 가중치", ["주의 가중치"]),
        ("ko", "관심 있는 독자", []),
        ("zh", "打分函数", ["打分函数"]),
    ],
)
def test_avoided_terms(language, text, forms):
    assert [form for form, _ in avoided_terms(text, language)] == forms


@pytest.mark.parametrize("rule", read_rules(), ids=lambda rule: f"{rule.language}-{rule.write}")
def test_a_turn_that_no_teacher_would_use_is_found_and_told(rule):
    cell = Cell("why-read", "markdown", rule.planted)
    assert [f.rule for f in check_words(cell, rule.language)].count("wording") == 1
    assert not list(check_words(Cell("why-read", "markdown", "0.78"), rule.language))


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book of two editions in a folder of its own: one notebook, one Markdown page."""
    for language in ("en", "vi"):
        (tmp_path / language).mkdir()
        cells = ENGLISH if language == "en" else translation(language)
        notebook = nbformat.v4.new_notebook(
            cells=[
                getattr(nbformat.v4, f"new_{cell.kind}_cell")(cell.source, id=cell.id)
                for cell in cells
            ]
        )
        nbformat.write(notebook, tmp_path / language / "a-mask.ipynb")
    (tmp_path / "en" / "index.md").write_text("# Welcome\n", encoding="utf-8")
    (tmp_path / "vi" / "index.md").write_text("# Xin chào\n", encoding="utf-8")
    monkeypatch.setattr(read, "BOOK", tmp_path)
    return tmp_path


def states_of(chapter):
    found = states(*(read.read_cells(read.page(language, chapter)) for language in ("en", "vi")))
    return {name for name, its in found.items() if its is State.STALE}


@pytest.mark.parametrize("chapter", ["a-mask.ipynb", "index.md"])
def test_a_stamped_page_is_fresh_until_the_english_one_changes(book, chapter):
    assert states_of(chapter)
    assert stamp(book / "vi" / chapter)
    assert states_of(chapter) == set()

    english = book / "en" / chapter
    english.write_text(english.read_text().replace("# A", "# Not a"), encoding="utf-8")
    english.write_text(english.read_text().replace("# Welcome", "# Hello"), encoding="utf-8")
    assert states_of(chapter) == {"title" if chapter == "a-mask.ipynb" else "page"}
    assert findings("vi", chapter) == []


@pytest.mark.parametrize("chapter", ["a-mask.ipynb", "index.md"])
def test_the_english_page_is_not_stamped(book, chapter):
    english = book / "en" / chapter
    before = english.read_text()
    with pytest.raises(ValueError, match=r"path must be a translated page. Got .*/en/"):
        stamp(english)
    assert english.read_text() == before


def test_stamping_keeps_the_text(book):
    page = book / "vi" / "index.md"
    stamp(page)
    assert page.read_text().endswith("---\n# Xin chào\n")
    before = page.read_text()
    assert stamp(page) == []
    assert page.read_text() == before


@pytest.mark.parametrize(
    ("language", "prose", "numbers"),
    [
        ("en", "Two keys, and once more", {"1", "2"}),
        ("en", "someone", set()),
        ("en", "zeros above the diagonal", {"0"}),
        ("en", "on 30 May 2020, between June and July", {"5", "6", "7"}),
        ("en", "a key may march", set()),
        ("vi", "mười hai khóa", {"2", "10", "12"}),
        ("ko", "두 개, 유효한", {"2"}),
        ("zh", "这两个词元", {"2"}),
        ("xx", "anything", set()),
    ],
)
def test_numbers_in_words(language, prose, numbers):
    assert written_out(prose, language) == numbers


@pytest.mark.parametrize(
    ("language", "prose", "english", "numbers"),
    [
        ("ko", "원소가 200만 개", "two million entries", {"200"}),
        ("ko", "원소가 200만 개", "2 entries", set()),
        ("ko", "단어 값의 10분의 1", "a tenth of a word", {"1"}),
        ("ko", "3분의 2", "two thirds", set()),
        ("zh", "有200万个元素", "two million entries", {"200"}),
        ("vi", "hai triệu", "two million", set()),
    ],
)
def test_large_numbers_and_fractions_in_words(language, prose, english, numbers):
    assert of_large_words(prose, language, english) == numbers


def test_only_the_named_cells_are_stamped(book):
    assert stamp(book / "vi" / "a-mask.ipynb", {"title"}) == ["title"]
    assert states_of("a-mask.ipynb") == {"formula"}


def test_a_stamp_for_a_cell_that_is_not_there_is_refused(book):
    with pytest.raises(ValueError, match="It has no titel"):
        stamp(book / "vi" / "a-mask.ipynb", {"titel"})


def test_the_report_lists_a_page_that_an_edition_has_not_yet(book, capsys):
    (book / "vi" / "a-mask.ipynb").unlink()
    main(["report"])
    assert re.search(r"a-mask\.ipynb +missing", capsys.readouterr().out)


def test_the_report_names_what_is_stale_and_which_terms_deviate(book, capsys):
    stamp(book / "vi" / "a-mask.ipynb")
    for language, old, new in (("en", "# A mask", "# One mask"), ("vi", "token", "mã thông báo")):
        page = book / language / "a-mask.ipynb"
        page.write_text(page.read_text().replace(old, new), encoding="utf-8")
    main(["report"])
    output = capsys.readouterr().out
    assert re.search(r"a-mask\.ipynb +1 stale\n", output)
    assert "stale: title" in output
    assert "[title] terms: 'mã thông báo' is ruled out" in output


def test_a_cell_without_id_is_found(book):
    page = book / "vi" / "a-mask.ipynb"
    text = page.read_text(encoding="utf-8").replace('   "id": "setup",\n', "")
    page.write_text(text, encoding="utf-8")
    assert [f.rule for f in findings("vi", "a-mask.ipynb")] == ["ids"]


def test_a_page_that_english_has_not_is_found(book):
    (book / "en" / "index.md").unlink()
    assert [f.rule for f in findings("vi", "index.md")] == ["cells"]
