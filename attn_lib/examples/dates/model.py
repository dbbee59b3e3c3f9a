"""An encoder that reads characters, a decoder that writes ten, and attention between them."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attn_lib.attention import AdditiveAttention, DotProductAttention, ScoreAttention
from attn_lib.examples.dates.alphabet import LETTERS, SYMBOLS
from attn_lib.validation import check_queries_keys

LETTER_SIZE = 24  # numbers in an embedding
STATE_SIZE = 48  # in a decoder state, the query, and in a key: an encoder state in each direction
START = len(SYMBOLS)  # stands before the first symbol written
SCORES = ("additive", "dot", "none")
VALUES = ("letters", "states", "past")


class DateReader(nn.Module):
    """A model that reads a date character by character and writes it in ISO form.

    A key is what the encoder makes of a character and its surroundings. A value is, unless told
    otherwise, the embedding of the character alone, so that a weight on it says what was taken.

    Args:
        score: ``additive`` or ``dot``, the scoring function; ``none``: all weights are equal, so
            the decoder is given one and the same average at every step.
        values: what the weights average: ``letters``, the embeddings; ``states``, the encoder's
            states; ``past``, the states of an encoder that reads from left to right only.

    Shape:
        letters (B, K); lens (B,), the end mark included; written (B, Q), what stands before each
        symbol to be written.

    Returns:
        Logits (B, Q, 11), one for each of ``0123456789-``.

    Example:
        >>> from attn_lib.examples.dates import DateReader, encode
        >>> letters, lens = encode(["15 March 2024", "2024년 3월 15일"])
        >>> DateReader()(letters, lens, torch.tensor([[11, 2, 0], [11, 2, 0]])).shape
        torch.Size([2, 3, 11])
    """

    def __init__(self, score: str = "additive", values: str = "letters") -> None:
        super().__init__()
        if score not in SCORES:
            raise ValueError(f"score must be one of {', '.join(SCORES)}. Got {score!r}.")
        if values not in VALUES:
            raise ValueError(f"values must be one of {', '.join(VALUES)}. Got {values!r}.")
        self.score, self.values = score, values
        self.read = nn.Embedding(len(LETTERS), LETTER_SIZE)
        self.encoder = (
            nn.GRU(LETTER_SIZE, STATE_SIZE, batch_first=True)
            if values == "past"
            else nn.GRU(LETTER_SIZE, STATE_SIZE // 2, batch_first=True, bidirectional=True)
        )
        self.write = nn.Embedding(len(SYMBOLS) + 1, LETTER_SIZE)
        self.decoder = nn.GRU(LETTER_SIZE, STATE_SIZE, batch_first=True)
        self.attention = make_attention(score)
        value_size = LETTER_SIZE if values == "letters" else STATE_SIZE
        self.output = nn.Linear(STATE_SIZE + value_size, len(SYMBOLS))

    def forward(self, letters: Tensor, lens: Tensor, written: Tensor) -> Tensor:
        """Score every symbol at every step, given what should stand before it."""
        keys, values = self.encode(letters, lens)
        queries, _ = self.decoder(self.write(written))  # (B, Q, 48)
        # The end mark is read, but nothing may be taken from it: it lies behind the valid length.
        contexts = self.attention(queries, keys, values, lens - 1)  # (B, Q, V)
        return self.output(torch.cat((queries, contexts), dim=2))

    def encode(self, letters: Tensor, lens: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys (B, K, 48) and values (B, K, V), one each for every character."""
        embedded = self.read(letters)  # (B, K, 24)
        # Packed, so that the reading from right to left begins at the text's own end.
        packed = pack_padded_sequence(embedded, lens, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.encoder(packed)[0], batch_first=True)  # (B, K, 48)
        return states, embedded if self.values == "letters" else states


class NoAttention(ScoreAttention):
    """The same weight for every key: what is left when attention may not choose."""

    def check(self, queries: Tensor, keys: Tensor) -> None:
        """Accept what the other mechanisms accept."""
        check_queries_keys(queries, keys)

    def scores(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return zeros."""
        return queries.new_zeros(*queries.shape[:2], keys.shape[1])


def make_attention(score: str) -> ScoreAttention:
    """Return the mechanism of that name, for queries and keys of one size."""
    match score:
        case "additive":
            return AdditiveAttention(STATE_SIZE, STATE_SIZE, num_hiddens=32, dropout=0)
        case "dot":
            return DotProductAttention(dropout=0)
        case _:
            return NoAttention(dropout=0)
