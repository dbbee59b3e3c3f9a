"""The network: twelve layers, each of which is an attention of twelve heads and two matrices."""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_lib.examples.e5.bugs import planted
from attn_lib.examples.e5.cut import cut
from attn_lib.examples.e5.excerpt import Excerpt
from attn_lib.multihead import MultiHeadAttention

LAYERS, HEADS, SIZE, INNER = 12, 12, 384, 1536
EPS = 1e-12
FIRST, LAST, PADDING = "<s>", "</s>", "<pad>"
PADDED = 64  # places of each sentence where padding is not masked


class Layer(nn.Module):
    """One layer: look around, then think about it; both results are added to what was there."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(SIZE, SIZE, SIZE, SIZE, HEADS, 0.0, bias=True)
        self.norm1, self.norm2 = nn.LayerNorm(SIZE, EPS), nn.LayerNorm(SIZE, EPS)
        self.up, self.down = nn.Linear(SIZE, INNER), nn.Linear(INNER, SIZE)

    def forward(self, X: Tensor, lens: Tensor | None) -> Tensor:
        """Return the vectors after this layer: (B, N, 384) from (B, N, 384)."""
        X = self.norm1(X + self.attention(X, X, X, lens))
        return self.norm2(X + self.down(F.gelu(self.up(X))))


class E5(nn.Module):
    """multilingual-e5-small with the attention of this library.

    After a call, `weights` returns the weights of all heads, and `hidden` holds what each layer
    was given.

    Args:
        excerpt: the weights.
    """

    def __init__(self, excerpt: Excerpt) -> None:
        super().__init__()
        self.pieces = excerpt.pieces()
        kept = excerpt["kept"].tolist()
        self.rows = {piece: row for row, piece in enumerate(kept)}
        self.words = nn.Embedding.from_pretrained(excerpt.matrix("words"))
        self.places = nn.Parameter(excerpt["places"], requires_grad=False)
        self.kind = nn.Parameter(excerpt["kind"], requires_grad=False)
        self.norm = nn.LayerNorm(SIZE, EPS)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.hidden: list[Tensor] = []
        self._fill(excerpt)
        self.eval().requires_grad_(False)

    def _fill(self, excerpt: Excerpt) -> None:
        """Copy the stored weights into the modules."""
        for name, module in self.named_modules():
            if isinstance(module, nn.Linear):
                module.weight.data = excerpt.matrix(name)
                module.bias.data = excerpt[f"{name}.bias"]
            elif isinstance(module, nn.LayerNorm):
                module.weight.data = excerpt[f"{name}.weight"]
                module.bias.data = excerpt[f"{name}.bias"]

    def batch(self, texts: Sequence[str]) -> tuple[list[list[str]], Tensor, Tensor]:
        """Cut texts into pieces and fill them up to one length.

        Returns:
            The pieces of each text, its two end marks included; their rows in `words`, (B, N);
            how many of them are no padding, (B,).

        Raises:
            ValueError: the excerpt has no vector for a piece; the text names it.
        """
        cuts = [[FIRST, *cut(text, self.pieces), LAST] for text in texts]
        absent = {p: None for pieces in cuts for p in pieces if self.pieces[p][0] not in self.rows}
        if absent:
            raise ValueError(
                f"The excerpt has no vectors for {', '.join(absent)}. Say it in more common "
                "words, or make an excerpt of your own: book/models/README.md."
            )
        lens = torch.tensor([len(pieces) for pieces in cuts])
        ids = torch.full((len(cuts), max(map(len, cuts))), self._row(PADDING))
        for row, pieces in zip(ids, cuts, strict=True):
            row[: len(pieces)] = torch.tensor([self._row(piece) for piece in pieces])
        return cuts, ids, lens

    def _row(self, piece: str) -> int:
        return self.rows[self.pieces[piece][0]]

    def forward(self, ids: Tensor, lens: Tensor | None = None, *, places: bool = True) -> Tensor:
        """Return a vector for each piece, (B, N, 384).

        Args:
            ids: rows of pieces, (B, N).
            lens: how many pieces of each text count, (B,); None: all, padding too.
            places: whether each piece is told where it stands.
        """
        X = self.words(ids) + self.kind
        if places:
            X = X + self.places[: ids.shape[1]]
        X = self.norm(X)
        self.hidden = [X]
        for layer in self.layers:
            X = layer(X, lens)
            self.hidden.append(X)
        return X

    def attentive(self) -> list[Layer]:
        """Return the twelve layers."""
        return [layer for layer in self.layers if isinstance(layer, Layer)]

    def weights(self) -> Tensor:
        """Return the weights of the last call: (12, B, 12, N, N), layer, text, head, query, key."""
        found = [layer.attention.attention_weights for layer in self.attentive()]
        return torch.stack([weights for weights in found if weights is not None])

    def run(self, texts: Sequence[str], bug: str | None = None) -> tuple[Tensor, Tensor]:
        """Read texts, perhaps with a bug planted.

        Args:
            texts: B texts.
            bug: one of ``e5.BUGS``, or None.

        Returns:
            The vectors of their pieces, (B, N, 384), and how many of them count, (B,).
        """
        _, ids, lens = self.batch(texts)
        if bug == "pad":
            ids = F.pad(ids, (0, PADDED - ids.shape[1]), value=self._row(PADDING))
        with planted(bug):
            return self(ids, None if bug == "pad" else lens, places=bug != "places"), lens

    def embed(self, texts: Sequence[str], *, bug: str | None = None) -> Tensor:
        """Return one vector of length 1 for each text, the mean over its pieces: (B, 384)."""
        if bug == "cut":
            # Where heads are cut wrongly, padding would mix with the words.
            return torch.cat([_mean(*self.run([text], bug)) for text in texts])
        return _mean(*self.run(texts, bug))


def _mean(X: Tensor, lens: Tensor) -> Tensor:
    counts = (torch.arange(X.shape[1]) < lens.unsqueeze(1)).unsqueeze(2)  # (B, N, 1)
    return F.normalize((X * counts).sum(dim=1) / lens.unsqueeze(1), dim=1)


def load(path: str | Path) -> E5:
    """Read the model from the excerpt of its weights.

    Raises:
        FileNotFoundError: there is no such file; the text says where it lies.
        ValueError: the file is not the one that this book was written with.
    """
    return E5(Excerpt(path))
