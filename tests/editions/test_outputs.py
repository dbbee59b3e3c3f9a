"""A translated notebook that is not run: its outputs follow from the English ones, or it is run.

The chapter below is made by attn_lib itself, in English and in Korean, without a kernel. Every
fault that a stored output can have is planted once; then the notebook is no longer proved.
"""

import nbformat
import pytest
import torch
from nbformat.v4 import new_code_cell, new_notebook, new_output

import attn_lib
from attn_lib.examples import four_words
from attn_lib.language import speaking
from attn_lib.live.figures import FIGURES
from attn_lib.live.host.stored import MIME, stored
from book._tools import notebooks
from book._tools.editions import figures, read
from book._tools.editions.__main__ import main
from book._tools.editions.outputs import SAMPLE, says_the_same, to_run, unproved, words

FIGURE = 'attn_lib.explore("mask", len=[0, 3])'


def outputs():
    """What the cells of the chapter give in the current language."""
    right = attn_lib.check.causal_lens(torch.tensor([[1, 2, 2, 2], [1, 2, 3, 3]]))
    wrong = attn_lib.check.masked_softmax(7)
    table = "".join(
        f"{word:>6} {page:.0f}\n"
        for word, page in zip(four_words.words(), four_words.pages(), strict=True)
    )
    picture = f"<svg><text>{four_words.words()[0]}</text><path d='M 0 1.5'/></svg>"
    return {
        "table": new_output("stream", name="stdout", text=table),
        "picture": new_output("display_data", {"image/svg+xml": picture}),
        "tensor": new_output("execute_result", {"text/plain": "tensor([0.25])"}),
        "right": said(right),
        "wrong": said(wrong),
        "explore": new_output("execute_result", shown("mask", len=[0, 3])),
    }


def shown(name, **settings):
    figure = FIGURES[name]
    state = figure.state(**settings)
    return stored(figure, state, figure.compute(state))


def said(verdict):
    data = {"text/plain": repr(verdict), "text/html": str(verdict._repr_html_())}
    return new_output("execute_result", data)


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.setattr(read, "BOOK", tmp_path)
    for language in ("en", "ko"):
        attn_lib.set_language(language)
        cells = [new_code_cell(f'attn_lib.set_language("{language}")', id="setup")]
        for name, output in outputs().items():
            source = FIGURE if name == "explore" else f"{name} = 1"
            cells.append(new_code_cell(source, id=name, outputs=[output]))
        folder = tmp_path / language
        folder.mkdir()
        nbformat.write(new_notebook(cells=cells), folder / "a-chapter.ipynb")
    attn_lib.set_language("en")
    return tmp_path


def plant(book, name, change):
    path = book / "ko" / "a-chapter.ipynb"
    notebook = notebooks.read(path)
    change(next(cell for cell in notebook.cells if cell.id == name))
    path.write_text(notebooks.serialise(notebook), encoding="utf-8")


def replacing(old, new):
    def change(cell):
        output = cell.outputs[0]
        holder, key = (output, "text") if "text" in output else (output.data, min(output.data))
        assert old in holder[key]
        holder[key] = holder[key].replace(old, new)

    return change


def test_what_attn_lib_says_in_two_languages_is_proved(book):
    assert list(unproved("ko", "a-chapter.ipynb")) == []
    korean = (book / "ko" / "a-chapter.ipynb").read_text(encoding="utf-8")
    assert "고양이" in korean, "the words of the example differ"
    assert to_run() == [(book / "en" / "a-chapter.ipynb", "English")]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("table", replacing("10", "11")),
        ("table", replacing("\n", " ")),
        ("picture", replacing("1.5", "5.1")),
        ("tensor", replacing("0.25", "0.52")),
        ("right", replacing("✓", "✗")),
        ("right", replacing(".", "!")),
        ("wrong", replacing("int", "float")),
        ("explore", lambda cell: cell.outputs[0].data[MIME].update(language="en")),
        ("explore", lambda cell: cell.outputs[0].data[MIME].update(state={})),
        ("explore", lambda cell: cell.outputs[0].data.update({"text/plain": "0.25"})),
        ("tensor", lambda cell: cell.update(source="tensor = 2")),
        ("tensor", lambda cell: cell.update(source="tensor = (")),
        ("tensor", lambda cell: cell.update(execution_count=7)),
        ("tensor", lambda cell: cell.outputs.clear()),
        ("tensor", lambda cell: cell.outputs[0].data.update({"text/html": "<b>1</b>"})),
        ("table", lambda cell: cell.outputs[0].update(name="stderr")),
        ("explore", lambda cell: cell.outputs[0].data.update({"text/html": "<attn-explorer>"})),
        ("explore", lambda cell: cell.outputs[0].data.pop(MIME)),
    ],
)
def test_a_notebook_with_a_wrong_output_is_run(book, capsys, name, change):
    plant(book, name, change)
    assert list(unproved("ko", "a-chapter.ipynb")) == [name]
    assert to_run()[1] == (
        book / "ko" / "a-chapter.ipynb",
        f"not proved by English: {name}",
    )
    assert main(["to-run"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[1].endswith("ko/a-chapter.ipynb")
    assert f"not proved by English: {name}" in said.err


def test_an_english_word_of_the_example_proves_nothing(book):
    english = notebooks.read(book / "en" / "a-chapter.ipynb").cells[1].outputs[0].text
    plant(book, "table", lambda cell: cell.outputs[0].update(text=english.replace("cats", "CATS")))
    assert list(unproved("ko", "a-chapter.ipynb")) == ["table"]


SAYS = 'print(f"mean {x:.2f}, of {n}", "cats")'


@pytest.mark.parametrize(
    ("own", "output", "proved"),
    [
        (SAYS, "mean 0.25, of 4 cats\n", True),
        (SAYS.replace("mean", "평균").replace("of", "전체"), "평균 0.25, 전체 4 cats\n", True),
        (SAYS.replace("mean", "평균"), "mean 0.25, of 4 cats\n", False),  # the notebook was not run
        (SAYS.replace("mean", "평균"), "평균 0.52, of 4 cats\n", False),
        (SAYS.replace("mean {x:.2f}", "{x:.2f} 평균"), "0.25 평균, of 4 cats\n", True),
        (SAYS.replace("{n}", "{n} all"), "mean 0.25, of 4 all cats\n", False),  # it is run
        (SAYS.replace("mean {x:.2f}", "평균 {x:.1f}"), "평균 0.25, of 4 cats\n", False),
    ],
)
def test_what_a_program_prints_in_two_languages_is_proved(book, own, output, proved):
    for language, source, text in (("en", SAYS, "mean 0.25, of 4 cats\n"), ("ko", own, output)):
        path = book / language / "a-chapter.ipynb"
        notebook = notebooks.read(path)
        told = new_output("stream", name="stdout", text=text)
        notebook.cells.append(new_code_cell(source, id="says", outputs=[told]))
        path.write_text(notebooks.serialise(notebook), encoding="utf-8")
    assert list(unproved("ko", "a-chapter.ipynb")) == ([] if proved else ["says"])


def test_other_cells_are_not_compared_at_all(book):
    plant(book, "tensor", lambda cell: cell.update(id="scalar"))
    assert list(unproved("ko", "a-chapter.ipynb")) == ["cells"]


def test_the_sample_is_always_run(book):
    (book / "ko" / "a-chapter.ipynb").rename(book / "ko" / SAMPLE)
    (book / "en" / "a-chapter.ipynb").rename(book / "en" / SAMPLE)
    assert [reason for _, reason in to_run()] == ["English", "sample"]


@pytest.mark.parametrize("kept", [{"figure": "gone"}, {"state": {"colour": 1}}])
def test_a_figure_that_is_there_no_more_proves_nothing(book, kept):
    for language in ("en", "ko"):
        path = book / language / "a-chapter.ipynb"
        notebook = notebooks.read(path)
        notebook.cells[-1].outputs[0].data[MIME].update(kept)
        path.write_text(notebooks.serialise(notebook), encoding="utf-8")
    assert list(unproved("ko", "a-chapter.ipynb")) == ["explore"]


def test_a_figure_s_numbers_are_brought_up_to_date_without_a_kernel(book):
    path = book / "en" / "a-chapter.ipynb"
    before = path.read_bytes()
    assert not figures.compute(path)
    assert b"0.4683" in before
    path.write_bytes(before.replace(b"0.4683", b"0.5683"))
    assert figures.compute(path)
    assert path.read_bytes() == before


def test_blanks_that_line_up_columns_say_nothing():
    assert says_the_same("two words\t0.5\none      \t0.1", "two words\t0.5\none\t0.1", "ko")
    assert says_the_same("one   0.5", "one 0.5", "ko")
    assert not says_the_same("one\t0.5", "one\t\t0.5", "ko")


def test_a_hint_fills_its_slots_as_the_english_one_does():
    right = {}
    for language in ("en", "ko"):
        with speaking(language):
            right[language] = str(attn_lib.check.which_d(8))
    assert right["en"].count("64") == 2  # from one slot that stands there twice
    assert says_the_same(right["en"], right["ko"], "ko")
    assert not says_the_same(right["en"].replace("√64", "√65"), right["ko"], "ko")
    assert not says_the_same(right["en"], right["ko"].replace("√64", "√65"), "ko")
    # A slot may hold words of the running example.
    said = "✗ cats finds bark, but it should find dogs. Compare the vectors of bark and dogs: "
    said += "which entry of the query has the wrong sign?"
    own = words("check", "zh")
    template = next(zh for english, zh in own if english.startswith("{word} finds {found}"))
    filled = template.format(word="猫", found="咬", wanted="狗")
    assert says_the_same(said, f"✗ {filled}", "zh")
    assert not says_the_same(said, f"✗ {filled.replace('咬', '抓')}", "zh")
