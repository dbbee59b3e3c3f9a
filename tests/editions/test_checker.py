"""Every fault that a translation can have, planted once, is found by the check made for it."""

from dataclasses import replace

import nbformat
import pytest

from book._tools import editions
from book._tools.editions import Cell, compare, source_hash

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
        "a valid length of 3 {cite:p}`vaswani2017`.",
    ),
]

WORDS = {
    "vi": {
        "title": "(a-mask)=\n# Mặt nạ\n\nHai token là phần đệm; mất 0,25 trọng số, xem {eq}`eq-a`.",
        "formula": "$$w = \\exp(s)$$ (eq-a)\n\nĐộ dài hợp lệ, [giải thích ở đây](index.md), "
        "bằng ba {cite:t}`vaswani2017`.",
    },
    "ko": {
        "title": "(a-mask)=\n# 마스크\n\n토큰 2개는 패딩이고 가중치 0.25가 사라집니다({eq}`eq-a`).",
        "formula": "$$w = \\exp(s)$$ (eq-a)\n\n[여기서 설명한](index.md) 유효길이는 세 개입니다 "
        "{cite:p}`vaswani2017`.",
    },
    "zh": {
        "title": "(a-mask)=\n# 掩码\n\n两个词元是填充，0.25 的权重丢失，见 {eq}`eq-a`。",
        "formula": "$$w = \\exp(s)$$ (eq-a)\n\n有效长度（[见此](index.md)）为 3 "
        "{cite:p}`vaswani2017`。",
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
        ("vi", "title", "# Mặt nạ", "## Mặt nạ", "structure"),
        ("vi", "title", "0,25", "0,52", "numbers"),
        ("ko", "title", "0.25", "", "numbers"),
        ("zh", "formula", "为 3", "为 7", "numbers"),
        ("vi", "title", "token", "mã thông báo", "terms"),
        ("ko", "sum", "...", "주의력", "terms"),
        ("zh", "title", "，", ", ", "script"),
        ("zh", "title", "丢失", "丢失(即消失)", "script"),
        ("vi", "title", "Mặt", "Ma\u0323\u0306t", "script"),
    ],
)
def test_a_planted_fault_is_found(language, name, old, new, rule):
    assert (rule, name) in found(edited(language, name, old, new), language)


def test_a_missing_agreed_term_is_found():
    cells = edited("vi", "formula", "Độ dài hợp lệ", "Chiều dài dùng được")
    assert found(cells, "vi") == [("terms", "page")]


def test_a_missing_cell_is_found():
    assert found(translation("vi")[:-1], "vi") == [("cells", "formula"), ("terms", "page")]


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
def test_a_text_without_a_fresh_stamp_is_found(stamp):
    first, *rest = translation("ko")
    assert found([replace(first, stamp=stamp), *rest], "ko") == [("fresh", "title")]


@pytest.mark.parametrize("name", ["", "Title", "a_b", "a--b", "1f0e7c2a", "cell-12"])
def test_an_id_that_says_nothing_is_found(name):
    assert [f.rule for f in editions.check_ids([Cell(name, "code", "")])] == ["ids"]


def test_an_id_used_twice_is_found():
    assert len(list(editions.check_ids([Cell("a-b", "code", "")] * 2))) == 1


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
    assert [form for form, _ in editions.avoided_terms(text, language)] == forms


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
    monkeypatch.setattr(editions, "BOOK", tmp_path)
    return tmp_path


@pytest.mark.parametrize("chapter", ["a-mask.ipynb", "index.md"])
def test_a_stamped_page_is_fresh_until_the_english_one_changes(book, chapter):
    assert {f.rule for f in editions.findings("vi", chapter)} == {"fresh"}
    assert editions.stamp(book / "vi" / chapter)
    assert editions.findings("vi", chapter) == []

    english = book / "en" / chapter
    english.write_text(english.read_text().replace("# ", "# Not "), encoding="utf-8")
    assert {f.rule for f in editions.findings("vi", chapter)} == {"fresh"}


def test_stamping_keeps_the_text(book):
    page = book / "vi" / "index.md"
    editions.stamp(page)
    assert page.read_text().endswith("---\n# Xin chào\n")
    before = page.read_text()
    assert editions.stamp(page) == []
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
    assert editions.written_out(prose, language) == numbers


def test_only_the_named_cells_are_stamped(book):
    assert editions.stamp(book / "vi" / "a-mask.ipynb", {"title"}) == ["title"]
    assert [f.cell for f in editions.findings("vi", "a-mask.ipynb")] == ["formula"]


def test_the_report_lists_a_page_that_an_edition_has_not_yet(book, capsys):
    (book / "vi" / "a-mask.ipynb").unlink()
    editions.main(["report"])
    output = capsys.readouterr().out
    assert "vi: 1 of 2 pages" in output
    assert "a-mask.ipynb                     missing" in output


def test_a_cell_without_id_is_found(book):
    page = book / "vi" / "a-mask.ipynb"
    text = page.read_text(encoding="utf-8").replace('   "id": "setup",\n', "")
    page.write_text(text, encoding="utf-8")
    assert [f.rule for f in editions.findings("vi", "a-mask.ipynb")] == ["ids"]


def test_a_page_that_english_has_not_is_found(book):
    (book / "en" / "index.md").unlink()
    assert [f.rule for f in editions.findings("vi", "index.md")] == ["cells"]
