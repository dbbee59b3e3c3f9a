"""`make sync`: what is the same in every language comes over, and no translated word is lost."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from attn_lib.live.figures import FIGURES
from attn_lib.live.host.stored import MIME, stored
from book._tools import notebooks
from book._tools.editions import read
from book._tools.editions.__main__ import main
from book._tools.editions.check import findings
from book._tools.editions.read import State, read_cells, source_hash, states
from book._tools.editions.sync import sync, targets

ENGLISH = {
    "title": "(a-mask)=\n# A mask",
    "setup": 'import attn_lib\n\nattn_lib.set_language("en")',
    "why": "Padding is no word.",
    "sum": "print(1 + 2)",
    "end": "```{solution-end}\n```",
}
VIETNAMESE = ENGLISH | {
    "title": "(a-mask)=\n# Mặt nạ",
    "setup": ENGLISH["setup"].replace("en", "vi"),
    "why": "Phần đệm không phải là từ.",
}


def new_cell(name, source):
    make = new_code_cell if name in {"setup", "sum"} else new_markdown_cell
    return make(source, id=name)


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A chapter in English and, fresh, in Vietnamese; Korean has a folder only."""
    monkeypatch.setattr(read, "BOOK", tmp_path)
    for language, sources in (("en", ENGLISH), ("vi", VIETNAMESE)):
        cells = [new_cell(*item) for item in sources.items()]
        for number, cell in enumerate(c for c in cells if c.cell_type == "code"):
            cell.execution_count = number + 1
        if language == "vi":
            for cell in cells:
                if cell.cell_type == "markdown":
                    cell.metadata["i18n"] = {"source": source_hash(ENGLISH[cell.id])}
        (tmp_path / language).mkdir()
        store(new_notebook(cells=cells), tmp_path / language / "a-mask.ipynb")
        (tmp_path / language / "index.md").write_text(f"# {language}\n", encoding="utf-8")
    (tmp_path / "ko").mkdir()
    return tmp_path


def store(notebook, path):
    path.write_text(notebooks.serialise(notebook), encoding="utf-8")


def edit(book, change, language="en"):
    """Apply `change` to the cells of the chapter, by id."""
    path = book / language / "a-mask.ipynb"
    notebook = notebooks.read(path)
    cells = {cell.id: cell for cell in notebook.cells}
    notebook.cells = list((change(cells) or cells).values())
    store(notebook, path)


def synced(book, language="vi"):
    path = book / language / "a-mask.ipynb"
    change = sync(path)
    assert findings(language, "a-mask.ipynb") == []
    return change, {cell.id: cell for cell in notebooks.read(path).cells}


def state_of(book, name):
    pages = (read_cells(book / language / "a-mask.ipynb") for language in ("en", "vi"))
    return states(*pages)[name]


def test_a_page_in_step_keeps_its_bytes(book):
    before = (book / "vi/a-mask.ipynb").read_bytes()
    change, _ = synced(book)
    assert (book / "vi/a-mask.ipynb").read_bytes() == before
    assert not change.written
    assert not change.run


def test_changed_prose_is_kept_and_becomes_stale(book):
    edit(book, lambda cells: cells["why"].update(source="Padding carries no meaning."))
    change, cells = synced(book)
    assert cells["why"].source == VIETNAMESE["why"]
    assert state_of(book, "why") is State.STALE
    assert not change.run


def test_a_new_passage_comes_in_english_and_follows_english_until_it_is_translated(book):
    edit(book, lambda cells: cells | {"more": new_cell("more", "One more word.")})
    change, cells = synced(book)
    assert change.new == ["more"]
    assert cells["more"].source == "One more word."
    assert state_of(book, "more") is State.UNTRANSLATED

    edit(book, lambda cells: cells["more"].update(source="Two more words."))
    _, cells = synced(book)
    assert cells["more"].source == "Two more words."
    assert state_of(book, "more") is State.UNTRANSLATED

    edit(book, lambda cells: cells["more"].update(source="Thêm hai từ."), "vi")
    assert state_of(book, "more") is State.FRESH


def test_code_order_tags_and_attachments_come_over(book):
    def change(cells):
        cells["sum"].source = "print(1 + 3)"
        cells["sum"].metadata["tags"] = ["hide-input"]
        cells["why"]["attachments"] = {"a.png": {"image/png": "AAAA"}}
        return {name: cells[name] for name in ("title", "setup", "sum", "why", "end")}

    edit(book, change)
    assert {f.rule for f in findings("vi", "a-mask.ipynb")} == {"cells", "code", "settings"}
    done, cells = synced(book)
    assert list(cells) == ["title", "setup", "sum", "why", "end"]
    assert cells["sum"].source == "print(1 + 3)"
    assert cells["sum"].metadata["tags"] == ["hide-input"]
    assert cells["why"].attachments == {"a.png": {"image/png": "AAAA"}}
    assert cells["why"].source == VIETNAMESE["why"]
    assert cells["setup"].source == VIETNAMESE["setup"]
    assert done.run
    assert cells["sum"].execution_count is None, "an output of another program is not kept"


def test_a_new_setup_sets_the_editions_own_language(book):
    edit(book, lambda cells: cells["setup"].update(source="import torch\n" + ENGLISH["setup"]))
    _, cells = synced(book)
    assert cells["setup"].source == "import torch\n" + VIETNAMESE["setup"]


def test_translated_comments_stay_and_english_ones_follow(book):
    edit(book, lambda cells: cells["sum"].update(source="print(1 + 2)  # a sum"))
    change, cells = synced(book)
    assert cells["sum"].source == "print(1 + 2)  # a sum"
    assert not change.code
    edit(book, lambda cells: cells["sum"].update(source="print(1 + 2)  # tổng"), "vi")
    _, cells = synced(book)
    assert cells["sum"].source == "print(1 + 2)  # tổng"


PRINTED = """\
print("the sum")
print(f"mean {x:.2f} of 4")
for key in keys:
    print("key", key)
"""
IN_VIETNAMESE = (
    PRINTED.replace("the sum", "tổng").replace("mean", "trung bình").replace('"key"', '"khóa"')
)


@pytest.fixture
def speaking(book):
    """The same book, whose code cell prints words in two languages."""
    edit(book, lambda cells: cells["sum"].update(source=PRINTED))
    change, _ = synced(book)
    assert change.code == ["sum"]
    assert state_of(book, "sum") is State.UNTRANSLATED
    edit(book, lambda cells: cells["sum"].update(source=IN_VIETNAMESE, execution_count=2), "vi")
    assert state_of(book, "sum") is State.FRESH
    return book


def test_printed_texts_stay_while_the_program_does(speaking):
    before = (speaking / "vi/a-mask.ipynb").read_bytes()
    change, _ = synced(speaking)
    assert (speaking / "vi/a-mask.ipynb").read_bytes() == before
    assert not change.run


@pytest.mark.parametrize(
    ("old", "new", "carried"),
    [
        ("x:.2f", "x:.3f", IN_VIETNAMESE.replace("trung bình {x:.2f}", "mean {x:.3f}")),
        ("of 4", "of 5", IN_VIETNAMESE.replace("trung bình", "mean").replace("of 4", "of 5")),
        ("in keys", "in values", IN_VIETNAMESE.replace("in keys", "in values")),
        ("mean", "average", IN_VIETNAMESE),
        (
            "print(f",
            'print("more")\nprint(f',
            IN_VIETNAMESE.replace('print("tổng")', 'print("the sum")\nprint("more")'),
        ),
    ],
    ids=["expression", "number", "elsewhere", "words", "which-is-which"],
)
def test_a_changed_program_keeps_the_printed_texts_that_fit(speaking, old, new, carried):
    edit(speaking, lambda cells: cells["sum"].update(source=PRINTED.replace(old, new)))
    _, cells = synced(speaking)
    assert cells["sum"].source == carried
    fresh = old == "in keys"  # what is printed has not changed
    assert state_of(speaking, "sum") is (State.FRESH if fresh else State.STALE)
    assert (cells["sum"].execution_count is None) == (old != "mean")


def test_printed_texts_stay_in_a_program_with_translated_comments(speaking):
    edit(speaking, lambda cells: cells["sum"].update(source=IN_VIETNAMESE + "# hết"), "vi")
    _, cells = synced(speaking)
    assert cells["sum"].source == IN_VIETNAMESE + "# hết"
    edit(speaking, lambda cells: cells["sum"].update(source=PRINTED.replace("of 4", "of 5")))
    change, cells = synced(speaking)
    assert cells["sum"].source.endswith("# hết")
    assert 'print(f"mean {x:.2f} of 5")' in cells["sum"].source
    assert 'print("tổng")' in cells["sum"].source
    assert change.run
    assert cells["sum"].execution_count is None


def test_untranslated_printed_texts_follow_english(speaking):
    edit(speaking, lambda cells: cells["sum"].update(source=PRINTED), "vi")
    edit(speaking, lambda cells: cells["sum"].update(source=PRINTED.replace("mean", "average")))
    change, cells = synced(speaking)
    assert cells["sum"].source == PRINTED.replace("mean", "average")
    assert change.text == ["sum"]
    assert state_of(speaking, "sum") is State.UNTRANSLATED


def test_printed_texts_that_were_never_stamped_stay_if_their_letters_say_so(speaking):
    renewed = PRINTED.replace("mean", "average")
    for own, english, expected in (
        (IN_VIETNAMESE, PRINTED, IN_VIETNAMESE),
        (PRINTED, renewed, renewed),
    ):
        edit(speaking, lambda cells, own=own: cells["sum"].update(source=own, metadata={}), "vi")
        edit(speaking, lambda cells, english=english: cells["sum"].update(source=english))
        _, cells = synced(speaking)
        assert cells["sum"].source == expected


def test_a_removed_cell_goes_and_a_renamed_one_keeps_its_translation(book):
    def change(cells):
        cells["why"].id = "why-padding"
        del cells["end"]

    edit(book, change)
    done, cells = synced(book)
    assert list(cells) == ["title", "setup", "why-padding", "sum"]
    assert cells["why-padding"].source == VIETNAMESE["why"]
    assert state_of(book, "why-padding") is State.FRESH
    assert (done.removed, done.renamed) == (["end"], ["why to why-padding"])


def test_a_directive_without_words_follows_english(book):
    edit(book, lambda cells: cells["end"].update(source="```{exercise-end}\n```"))
    _, cells = synced(book)
    assert cells["end"].source == "```{exercise-end}\n```"
    assert state_of(book, "end") is State.FRESH


def test_the_words_about_a_picture_are_kept(book):
    def picture(alt, width):
        return lambda cells: cells["sum"].metadata.update(
            mystnb={"image": {"alt": alt, "width": width}}
        )

    edit(book, picture("A map.", "3em"))
    _, cells = synced(book)
    assert state_of(book, "sum") is State.UNTRANSLATED
    edit(book, picture("Bản đồ.", "3em"), "vi")
    assert state_of(book, "sum") is State.FRESH
    edit(book, picture("A big map.", "6em"))
    _, cells = synced(book)
    assert cells["sum"].metadata.mystnb.image == {"alt": "Bản đồ.", "width": "6em"}
    assert state_of(book, "sum") is State.STALE


def test_a_page_that_is_named_is_begun(book):
    english = book / "en" / "a-mask.ipynb"
    assert targets([english]) == [book / "vi" / "a-mask.ipynb"], "Korean has no such page yet"
    path = book / "ko" / "a-mask.ipynb"
    assert targets([path]) == [path]
    _, cells = synced(book, "ko")
    assert 'set_language("ko")' in cells["setup"].source
    found = states(read_cells(english), read_cells(path))
    assert [name for name, its in found.items() if its is State.UNTRANSLATED] == ["title", "why"]


def test_a_markdown_page_is_begun_and_then_kept(book):
    path = book / "ko" / "index.md"
    assert sync(path).new == ["page"]
    (book / "en" / "index.md").write_text("# Hello\n", encoding="utf-8")
    assert sync(path).text == ["page"]
    assert path.read_text(encoding="utf-8").endswith("---\n# Hello\n")
    assert not sync(path).written
    assert not sync(book / "vi" / "index.md").written


def test_a_new_name_of_the_library_comes_over_and_makes_no_page_stale(book):
    names = "```{eval-rst}\n.. autofunction:: one\n```\n"
    english, korean = (book / language / "api.md" for language in ("en", "ko"))
    english.write_text(f"# Names\n{names}\nOne more word.\n", encoding="utf-8")
    sync(korean)
    translation = korean.read_text(encoding="utf-8").replace("# Names", "# 이름")
    korean.write_text(translation, encoding="utf-8")
    more = names.replace("one\n", "one\n.. autofunction:: two\n")
    english.write_text(f"# Names\n{more}\nOne more word.\n", encoding="utf-8")
    assert [finding.rule for finding in findings("ko", "api.md")] == ["structure"]
    assert sync(korean).code == ["page"]
    assert korean.read_text(encoding="utf-8") == translation.replace(names, more)
    assert findings("ko", "api.md") == []
    assert states(read_cells(english), read_cells(korean)) == {"page": State.FRESH}
    assert not sync(korean).written


@pytest.mark.parametrize(
    ("file", "said"),
    [("xx/a-mask.ipynb", "must be pages like"), ("vi/other.ipynb", "English pages of the same")],
)
def test_files_that_are_no_pages_are_refused(book, file, said, capsys):
    with pytest.raises(SystemExit):
        main(["sync", str(book / file)])
    assert said in capsys.readouterr().err


def test_the_command_runs_what_has_changed(book):
    edit(book, lambda cells: cells["sum"].update(source="print(40 + 2)"))
    assert main(["sync", str(book / "en" / "a-mask.ipynb")]) == 0
    cells = nbformat.read(book / "vi" / "a-mask.ipynb", as_version=4).cells
    assert cells[3].outputs[0].text == "42\n"


def figure_cell(source):
    figure = FIGURES["mask"]
    state = figure.state(**({"len": [0, 3]} if "len" in source else {}))
    output = new_output(
        "execute_result",
        nbformat.from_dict(stored(figure, state, figure.compute(state))),
        execution_count=2,
    )
    return new_code_cell(source, id="explore", outputs=[output], execution_count=2)


def test_a_figure_comes_over_in_the_edition_s_language_and_no_kernel_starts(book, monkeypatch):
    monkeypatch.setattr(notebooks, "main", lambda paths: pytest.fail(f"run: {paths}"))
    for source in ('attn_lib.explore("mask")', 'attn_lib.explore("mask", len=[0, 3])'):

        def shows(cells, source=source):
            cells["sum"].execution_count = 3
            first = {name: cells.pop(name) for name in ("title", "setup")}
            cells.pop("explore", None)
            return first | {"explore": figure_cell(source)} | cells

        edit(book, shows)
        assert main(["sync", str(book / "en" / "a-mask.ipynb")]) == 0
        cells = {c.id: c for c in notebooks.read(book / "vi" / "a-mask.ipynb").cells}
        data = cells["explore"].outputs[0].data
        assert cells["explore"].source == source
        assert data[MIME] == {
            "figure": "mask",
            "state": {"len": [0, 3]} if "len" in source else {},
            "language": "vi",
        }
        assert data["text/plain"].startswith("Hình “mask” bằng con số")
        assert [cells[name].execution_count for name in ("setup", "explore", "sum")] == [1, 2, 3]


def test_a_cell_that_computes_and_shows_a_figure_is_run(book, monkeypatch):
    ran = []
    monkeypatch.setattr(notebooks, "main", lambda paths: ran.extend(paths) or 0)
    edit(book, lambda cells: cells | {"explore": figure_cell('n = 3\nattn_lib.explore("mask")')})
    assert main(["sync", str(book / "en" / "a-mask.ipynb")]) == 0
    assert [path.rpartition("/")[2] for path in ran] == ["a-mask.ipynb"]
