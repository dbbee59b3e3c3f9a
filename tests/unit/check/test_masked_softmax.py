"""Right, wrong and odd answers to the exercises on masked softmax."""

import pytest
import torch

import attn_lib
from attn_lib import check
from attn_lib.masking import per_query, visible_keys
from tests.unit.check.hints import accepted, refused


def keep(X, lens):
    return visible_keys(per_query(lens), X.shape[-1])


def book(X, lens):
    lens = lens.reshape(len(lens), -1, 1)
    kept = torch.arange(X.shape[-1]) < lens
    fill = torch.where(lens == 0, 0.0, -torch.inf)
    return torch.where(kept, torch.softmax(torch.where(kept, X, fill), dim=-1), 0.0)


def lowest_number(X, lens):
    kept = keep(X, lens)
    filled = X.masked_fill(~kept, torch.finfo(X.dtype).min)
    return filled.softmax(-1) * kept


def shifted_exponentials(X, lens):
    kept = keep(X, lens)
    top = (
        X.masked_fill(~kept, -torch.inf).amax(-1, keepdim=True).clamp(min=torch.finfo(X.dtype).min)
    )
    exps = (X - top).masked_fill(~kept, -torch.inf).exp()
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def replaced_afterwards(X, lens):
    """Its gradient is finite, too: none flows into the scores that masked_fill has replaced."""
    weights = X.masked_fill(~keep(X, lens), -torch.inf).softmax(-1)
    return torch.where(lens.reshape(len(lens), -1, 1) == 0, 0.0, weights)


def clears_lengths(X, lens):
    weights = book(X, lens)
    lens.zero_()
    return weights


test_masked_softmax_accepts_every_right_function = accepted(
    check.masked_softmax,
    attn_lib.masked_softmax,
    book,
    clears_lengths,
    lambda X, lens: book(X.double(), lens),
    lowest_number,
    shifted_exponentials,
    replaced_afterwards,
)


def test_masked_softmax_wants_a_gradient_even_where_the_reader_has_none():
    with torch.no_grad():
        assert check.masked_softmax(book)


def filled(value):
    return lambda X, lens: X.masked_fill(~keep(X, lens), value).softmax(-1)


def textbook(X, lens):
    """As it is published: the fill is written into the caller's scores."""
    X[~keep(X, lens).expand_as(X)] = -1e6
    return X.softmax(-1)


def in_place(X, lens):
    weights = book(X, lens)
    X.zero_()
    return weights


def per_example_only(X, lens):
    return book(X, lens if lens.ndim == 1 else lens[:, 0])


def added_mask(X, lens):
    mask = torch.zeros_like(X).masked_fill(~keep(X, lens), -torch.inf)
    return (X + mask).softmax(-1).masked_fill(lens.reshape(len(lens), -1, 1) == 0, 0.0)


def longer_lengths(X, lens):
    return book(X, lens.clamp_(min=1))


def zeros_per_example_only(X, lens):
    return book(X, lens if lens.ndim == 1 else lens.clamp(min=1))


def written_over(X, lens):
    weights = X.masked_fill(~keep(X, lens), -torch.inf).softmax(-1)
    weights[lens.reshape(len(lens), -1, 1).expand_as(X) == 0] = 0
    return weights


def by_arrays(X, lens):
    return torch.as_tensor(book(torch.as_tensor(X.numpy()), lens))


def wrong_axis(X, lens):
    return X.masked_fill(~keep(X, lens), -1e9).softmax(1) * keep(X, lens)


test_masked_softmax_names_the_misconception = refused(
    check.masked_softmax,
    (torch.ones(2, 3), "Hand over the function itself"),
    (lambda X, lens: X @ lens, "your function stopped: RuntimeError"),
    (lambda X, lens: X[0].softmax(-1), "must have the shape of the scores, (5, 3, 7)"),
    (lambda X, lens: "weights", "Got str"),
    (lambda X, lens: X.softmax(-1), "without a mask"),
    (filled(0.0), "padding keeps a vote"),
    (lambda X, lens: X.softmax(-1) * keep(X, lens), "the first row sums to 0."),
    (
        lambda X, lens: X.masked_fill(keep(X, lens), -torch.inf).softmax(-1).nan_to_num(),
        "turned round",
    ),
    (wrong_axis, "Columns sum to 1"),
    (per_example_only, "with one for each query it is not"),
    (filled(-torch.inf), "is not a number"),
    (filled(-1e6), "Yours sums to 1.00"),
    (textbook, "has changed the scores"),
    (in_place, "has changed the scores"),
    (lambda X, lens: filled(-1e6)(X, lens) * keep(X, lens), "Yours get 0.00"),
    (lambda X, lens: book(X, lens).detach(), "no gradient flows back"),
    (lambda X, lens: book(X, lens).tolist(), "no gradient flows back"),
    (lambda X, lens: (book(X, lens), lens), "Got tuple"),
    (longer_lengths, "must be 0 throughout. Yours sums to 1.00"),
    (zeros_per_example_only, "must be 0 throughout. Yours sums to 1.00"),
    (lambda X, lens: filled(-1e9)(X, lens) * keep(X, lens), "Yours get 0.00"),
    (written_over, "cannot be computed: RuntimeError: one of the variables"),
    (by_arrays, "cannot be computed: RuntimeError: Can't call numpy()"),
    (added_mask, "the gradient is not finite"),
    (lambda X, lens: book(X, lens) ** 2, "not in a way that is known here"),
)


@pytest.mark.parametrize(
    "answer",
    [
        [[1, 2, 2, 2], [1, 2, 3, 3]],
        torch.tensor([[1.0, 2, 2, 2], [1, 2, 3, 3]]),
        attn_lib.causal_lens(2, 4, torch.tensor([2, 3])),
        list(attn_lib.causal_lens(2, 4, torch.tensor([2, 3]))),
        [[1, 2, 0, 0], [1, 2, 3, 0]],  # nothing for padded queries, right as well
    ],
)
def test_causal_lens_accepts_every_right_answer(answer):
    verdict = check.causal_lens(answer)
    assert verdict
    assert "query i sees at most i keys" in verdict.text


test_causal_lens_names_the_misconception = refused(
    check.causal_lens,
    ("1, 2, 3, 4", "one row for each sentence. Got '1, 2, 3, 4'."),
    ([2, 3], "lets every word see the whole sentence"),
    ([1, 2, 3, 4], "end at different places"),
    (torch.ones(2, 4, 4).tril(), "This is a mask"),
    (torch.ones(4, 4).tril(), "This is a mask"),
    (torch.ones(4, 2), "Got (4, 2)"),
    ([[1, 2, 3, 4]] * 2, "some queries see padding"),
    ([[2] * 4, [3] * 4], "The first word sees its whole sentence"),
    ([[2, 2, 3, 4], [3, 3, 3, 4]], "the larger of the two"),
    ([[0, 1, 2, 2], [0, 1, 2, 3]], "It should see itself"),
    ([[1, 2, 2, 2], [1, 1, 3, 3]], "In sentence 2, query 2 sees 1 keys"),
    ([[1, 2, 3, 2], [1, 2, 3, 3]], "In sentence 1, query 3 sees 3 keys"),
    ([[1, 2, -1, 2], [1, 2, 3, 3]], "query 3 sees -1 keys"),
)


@pytest.mark.parametrize("answer", [0.5487, 0.549, 0.55, torch.tensor(0.54867), [0.5487]])
def test_average_ahead_accepts_every_right_answer(answer):
    verdict = check.average_ahead(answer)
    assert verdict
    assert "most often" in verdict.text


PLACES = [0.46, 0.47, 0.50, 0.53, 0.56, 0.62, 1, 0.25]
# Of n words, one drawn as often as it occurs is the first: itself in 1 of n cases, else by chance.
DRAWN = (sum(1 / n + (n - 1) / n / 4 for n in range(1, 8)) + 0.25) / 8


test_average_ahead_names_the_misconception = refused(
    check.average_ahead,
    ("0.55", "Give one number"),
    ([0.5, 0.6], "Give one number"),
    (PLACES, "Take the mean over all 8"),
    (54.87, "not a percentage. Got 54.87."),
    (sum(PLACES[:7]) / 7, "left out the last place"),
    (29 / 32, "wherever there is one"),
    (0.25, "knows nothing"),
    (DRAWN, "You name a word at random"),
    (0.7, "Got 0.7. Write down all throws"),
)
