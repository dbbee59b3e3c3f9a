"""Every framework is held to the numbers of attn_lib; what the page says of NaN is true."""

import json

import pytest
import torch

from book.frameworks import cases


def test_the_file_of_cases_is_up_to_date():
    stored = json.loads(cases.FILE.read_text(encoding="utf-8"))
    fresh = json.loads(cases.text())
    assert stored.keys() == fresh.keys()
    for name, case in fresh.items():
        expected, found = case.pop("expected"), stored[name].pop("expected")
        assert stored[name] == case, (
            f"{name}: write the cases again, python -m book.frameworks.cases"
        )
        assert found.keys() == expected.keys()
        for part, numbers in expected.items():
            torch.testing.assert_close(torch.tensor(found[part]), torch.tensor(numbers))


def test_the_cases_say_what_the_page_says():
    stored = json.loads(cases.FILE.read_text(encoding="utf-8"))
    outputs = {name: case["expected"].get("outputs") for name, case in stored.items()}
    assert [round(row[0], 2) for row in outputs["additive"][0]] == [16.34, 19.01]
    assert [[round(x, 4) for x in row[0]] for row in outputs["published toy"]] == [
        [2, 3, 4, 5],
        [10, 11, 12, 13],
    ]
    assert round(stored["features"]["expected"]["weights"][0][0][0], 4) == 0.7758


def test_a_mask_that_is_added_gives_an_empty_row_the_gradient_nan() -> None:
    """What the page on other frameworks says of `scores + bias`, and of `where` without it."""
    keep = torch.zeros(3, dtype=torch.bool)

    def added(scores: torch.Tensor) -> torch.Tensor:
        return scores + torch.where(keep, 0.0, -torch.inf)

    def replaced(scores: torch.Tensor) -> torch.Tensor:
        return torch.where(keep, scores, -torch.inf)

    gradients = {}
    for fill in (added, replaced):
        scores = torch.zeros(3, requires_grad=True)
        torch.where(keep, torch.softmax(fill(scores), dim=-1), 0.0).sum().backward()
        gradients[fill] = scores.grad
    assert gradients[added].isnan().all()
    assert gradients[replaced].tolist() == [0, 0, 0]
    scores = torch.zeros(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="nan"), torch.autograd.detect_anomaly():
        torch.where(keep, torch.softmax(replaced(scores), dim=-1), 0.0).sum().backward()
