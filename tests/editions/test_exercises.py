"""Titles of exercises: effort and name are told apart, and nothing of the name is lost."""

import pytest
from docutils import nodes

from book._ext.content.exercises import lay_out


def laid_out(*name: nodes.Node) -> tuple[str, str, str]:
    """What the discs say and show, what stands beside them, and the name."""
    title = nodes.title("", "", nodes.Text(" ("), *name, nodes.Text(")"))
    lay_out(title, "{marks} of {hardest}")
    effort, named = title.children
    discs = "".join(node.astext() for node in effort.findall(nodes.raw))
    told = "".join(n.astext() for n in effort if isinstance(n, nodes.Text))
    return discs, told.strip(), named.astext()


@pytest.mark.parametrize(
    ("text", "marks", "time", "name"),
    [
        ("Prove it (●●● 20 minutes)", 3, "20 minutes", "Prove it"),
        ("Đọc từ hình (● 5 phút)", 1, "5 phút", "Đọc từ hình"),
        ("어느 가중치가 남았을까 (●● 15분)", 2, "15분", "어느 가중치가 남았을까"),
        ("留下的是哪些权重？（●● 15分钟）", 2, "15分钟", "留下的是哪些权重？"),
        ("A row of (B, K) (●● 10 minutes)", 2, "10 minutes", "A row of (B, K)"),
    ],
)
def test_effort_is_told_before_the_name(text: str, marks: int, time: str, name: str) -> None:
    discs, told, named = laid_out(nodes.Text(text))
    assert (told, named) == (time, name)
    assert f'aria-label="{marks} of 3"' in discs
    assert (discs.count("attn-full"), discs.count("<i></i>")) == (marks, 3 - marks)


def test_a_name_without_effort_has_no_discs() -> None:
    assert laid_out(nodes.Text("A row of (B, K)")) == ("", "", "A row of (B, K)")


def test_a_formula_in_a_name_stays() -> None:
    _, told, named = laid_out(
        nodes.Text("Why "), nodes.math("", r"\sqrt d"), nodes.Text(" (● 5 minutes)")
    )
    assert (told, named) == ("5 minutes", r"Why \sqrt d")
