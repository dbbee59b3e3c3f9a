"""The running example: "Cats purr, dogs bark.", in the reader's language.

Each word is a point of a plane. Across: cat (+1) or dog (-1); upwards: noun (+1) or verb (-1).
Its value is its page in a picture dictionary, or its own vector. Whatever chapter, figure,
picture, exercise or test needs of the example takes it from here, so none can drift.

Every function returns a new tensor, so that a reader may change it.

>>> query = keys()[0]  # cats
>>> scores = keys() @ query
>>> scores
tensor([ 2.,  0.,  0., -2.])
>>> scores.softmax(-1)
tensor([0.7758, 0.1050, 0.1050, 0.0142])

With the vectors themselves as values, the output can be checked with a pocket calculator:

>>> scores.softmax(-1) @ keys(), query.tanh()
(tensor([0.7616, 0.7616]), tensor([0.7616, 0.7616]))
"""

from typing import Any

import torch
from torch import Tensor

from attn_lib.language import words as _words

KEYS = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0))
PAGES = (10.0, 20.0, 30.0, 40.0)
# Noun, verb, cat, dog: 2 where the word has the feature.
FEATURES = ((2.0, 0.0, 2.0, 0.0), (0.0, 2.0, 2.0, 0.0), (2.0, 0.0, 0.0, 2.0), (0.0, 2.0, 0.0, 2.0))

# The padded batch: "cats purr" and "and dogs bark". *And* is a word and padding is none, but both
# have the vector (0, 0), so only the valid length tells them apart.
AND, PADDING = 4, 5
SENTENCES = ((0, 1, PADDING, PADDING), (AND, 2, 3, PADDING))
VALID_LENS = (2, 3)
AND_PAGE, PADDING_PAGE = 5.0, 0.0

# Two more words, for whom scores disagree: *fish* is a mean of *cats*, *purr* and *dogs*, so it
# lies inside the outline of the others, and *wolf* is more of a dog than *dogs*.
MORE_KEYS = ((0.5, 0.25), (-2.0, 0.5))

# The additive score of the example: queries of three numbers, keys of two, two hidden units.
W_Q = ((1.0, 2.0, -1.0), (0.0, 1.0, 1.0))
W_K = ((1.0, 1.0), (1.0, -1.0))
W_V = (1.0, 1.0)


def words() -> list[str]:
    """Return the four words in the notebook's language.

    >>> words()
    ['cats', 'purr', 'dogs', 'bark']
    """
    return list(_own()["words"])


def feature_names() -> list[str]:
    """Return the names of the four features in the notebook's language.

    >>> feature_names()
    ['noun', 'verb', 'cat', 'dog']
    """
    return list(_own()["features"])


def directions() -> dict[str, str]:
    """Return the name of the feature that lies to each side of the plane.

    >>> directions()
    {'right': 'cat', 'left': 'dog', 'up': 'noun', 'down': 'verb'}
    """
    noun, verb, cat, dog = feature_names()
    return {"right": cat, "left": dog, "up": noun, "down": verb}


def keys() -> Tensor:
    """Return the four keys, shape (K, D) = (4, 2)."""
    return torch.tensor(KEYS)


def more_words() -> list[str]:
    """Return the four words and the two that join them, in the notebook's language.

    >>> more_words()
    ['cats', 'purr', 'dogs', 'bark', 'fish', 'wolf']
    """
    return [*words(), *_own()["more"]]


def more_keys() -> Tensor:
    """Return the keys of the six words, shape (K, D) = (6, 2).

    >>> more_keys()[4], torch.tensor([3.0, 3.0, 2.0]) / 8 @ more_keys()[:3]  # fish, a mean
    (tensor([0.5000, 0.2500]), tensor([0.5000, 0.2500]))
    """
    return torch.tensor((*KEYS, *MORE_KEYS))


def pages() -> Tensor:
    """Return the pages of the four words, shape (K,) = (4,)."""
    return torch.tensor(PAGES)


def features() -> Tensor:
    """Return the four words by four features, shape (K, D) = (4, 4).

    >>> features() @ features()[0]  # the scores of cats before the division by 2
    tensor([8., 4., 4., 0.])
    """
    return torch.tensor(FEATURES)


def padded_words() -> list[list[str]]:
    """Return the two padded sentences in the notebook's language; padding reads "␣".

    >>> padded_words()
    [['cats', 'purr', '␣', '␣'], ['and', 'dogs', 'bark', '␣']]
    """
    names = [*words(), _own()["and"], "␣"]
    return [[names[word] for word in sentence] for sentence in SENTENCES]


def padded_keys() -> Tensor:
    """Return the keys of the two padded sentences, shape (B, K, D) = (2, 4, 2)."""
    vectors = (*KEYS, (0.0, 0.0), (0.0, 0.0))
    return torch.tensor([[vectors[word] for word in sentence] for sentence in SENTENCES])


def padded_pages() -> Tensor:
    """Return the pages of the two padded sentences, shape (B, K) = (2, 4).

    >>> padded_pages()
    tensor([[10., 20.,  0.,  0.],
            [ 5., 30., 40.,  0.]])
    """
    numbers = (*PAGES, AND_PAGE, PADDING_PAGE)
    return torch.tensor([[numbers[word] for word in sentence] for sentence in SENTENCES])


def valid_lens() -> Tensor:
    """Return the valid lengths of the two padded sentences, shape (B,) = (2,)."""
    return torch.tensor(VALID_LENS)


def additive_parameters() -> tuple[Tensor, Tensor, Tensor]:
    """Return W_q (U, 3), W_k (U, 2) and w_v (U,) of the additive score, with U = 2 hidden units."""
    return torch.tensor(W_Q), torch.tensor(W_K), torch.tensor(W_V)


def _own() -> dict[str, Any]:
    return _words("four_words")
