"""Right, wrong and odd answers to the exercises on dropout."""

import copy
from itertools import repeat

import torch

from attn_lib import check
from tests.unit.check.hints import accepted, refused

test_infer_mask_accepts_the_mask_in_any_form = accepted(
    check.infer_mask,
    [[0, 1], [0, 1, 1, 1, 1, 1]],
    ([False, True], torch.tensor([0, 1, 1, 1, 1, 1])),
    torch.tensor([[0, 1] + [0] * 8, [0, 1, 1, 1, 1, 1] + [1] * 4]),
)


test_infer_mask_names_the_misconception = refused(
    check.infer_mask,
    ([[1, 0], [1, 0, 0, 0, 0, 0]], "1 where a weight was dropped"),
    ([[1, 1], [0, 1, 1, 1, 1, 1]], "example 1 your row would sum to 2.0"),
    ([[0, 1], [1, 1, 1, 1, 1, 1]], "example 2 your row would sum to 2.0"),
    ([[1, 0], [0, 1, 1, 1, 1, 1]], "would print 0.0 first, not 4.0"),
    ([[0, 1], [1, 0, 1, 1, 1, 1]], "would print 18.6667 first, not 20.0"),
    ([[0, 1], [0, 2, 2, 2, 2, 2]], "Row 2 must hold one number"),
    ([[0], [0, 1, 1, 1, 1, 1]], "Row 1 must hold one number"),
    (["01", "011111"], "Row 1 must hold one number"),
    ([[0, 1]], "two rows"),
    (3, "two rows"),
    (repeat([0, 1]), "two rows"),
    (None, "two rows"),
)


def before_dropout(attention, queries, keys, values, valid_lens):
    was_training = attention.training
    attention.eval()
    attention(queries, keys, values, valid_lens)
    attention.train(was_training)
    return attention.attention_weights


def with_dropout(attention, *inputs):
    attention(*inputs)
    return attention.attention_weights


def normalised(attention, *inputs):
    weights = with_dropout(attention, *inputs) + 1e-9
    return weights / weights.sum(-1, keepdim=True)


def left_in_evaluation(attention, *inputs):
    return with_dropout(attention.eval(), *inputs)


def left_in_training(attention, *inputs):
    left_in_evaluation(attention, *inputs)
    attention.train()
    return attention.attention_weights


def copied(attention, *inputs):
    return with_dropout(copy.deepcopy(attention).eval(), *inputs)


def without_probability(attention, *inputs):
    probability, attention.dropout.p = attention.dropout.p, 0.0
    weights = with_dropout(attention, *inputs)
    attention.dropout.p = probability
    return weights


def probability_lost(attention, *inputs):
    attention.dropout.p = 0.0
    return with_dropout(attention, *inputs)


def clears_inputs(attention, *inputs):
    weights = before_dropout(attention, *inputs)
    for tensor in inputs:
        tensor.zero_()
    return weights


test_which_weights_accepts_every_right_function = accepted(
    check.which_weights, before_dropout, copied, without_probability, clears_inputs
)


test_which_weights_names_the_misconception = refused(
    check.which_weights,
    (torch.ones(3, 2, 7), "Hand over the function itself"),
    (lambda attention, *inputs: attention.weights, "stopped: AttributeError"),
    (lambda attention, *inputs: attention(*inputs), "shape (B, Q, K)=(3, 2, 7)"),
    (with_dropout, "weights after dropout"),
    (normalised, "does not bring back"),
    (left_in_evaluation, "is in evaluation mode now"),
    (left_in_training, "is in training mode now"),
    (probability_lost, "does not drop as it did before"),
)


def test_which_weights_leaves_the_readers_random_numbers_alone():
    torch.manual_seed(5)
    check.which_weights(before_dropout)
    after = torch.rand(3)
    torch.manual_seed(5)
    assert torch.equal(after, torch.rand(3))
