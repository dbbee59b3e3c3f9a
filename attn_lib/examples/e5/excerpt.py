"""The stored weights: a file in the format of safetensors, read without that package.

Matrices have four bits a number: of each 32 numbers in a row, the file holds one factor in half
precision and 32 whole numbers from -8 to 7. All else is float32.
"""

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

NAME = "multilingual-e5-small-excerpt.safetensors"
SHA256 = "efd983f604d40914cc9d39906c939a7cd3bd1c8f30e429646ca84005c6bbdc77"
_DTYPES = {"F32": torch.float32, "F16": torch.float16, "I32": torch.int32, "U8": torch.uint8}
_REMEDY = (
    "It lies in the book's repository under book/models; book/models/README.md says how it is made."
)


class Excerpt:
    """The weights, by the names that book/models/README.md lists.

    Args:
        path: the file.

    Raises:
        FileNotFoundError: there is no such file; the text says where it lies.
        ValueError: the file is not the one that this book was written with.
    """

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        if not path.is_file():
            raise FileNotFoundError(f"The weights {path} are missing. {_REMEDY}")
        self._bytes = path.read_bytes()
        found = hashlib.sha256(self._bytes).hexdigest()
        if found != SHA256:
            raise ValueError(
                f"{path.name} must have the SHA-256 {SHA256}. Got {found}: it was changed or cut "
                f"short. Fetch it again. {_REMEDY}"
            )
        size = int.from_bytes(self._bytes[:8], "little")
        self._start = 8 + size
        self._tensors: dict[str, Any] = json.loads(self._bytes[8 : self._start])
        self.source: dict[str, str] = self._tensors.pop("__metadata__")

    def __getitem__(self, name: str) -> Tensor:
        """Return a tensor as it is stored."""
        stored = self._tensors[name]
        flat = torch.frombuffer(bytearray(self._raw(name)), dtype=_DTYPES[stored["dtype"]])
        return flat.reshape(stored["shape"])

    def _raw(self, name: str) -> bytes:
        first, last = self._tensors[name]["data_offsets"]
        return self._bytes[self._start + first : self._start + last]

    def matrix(self, name: str) -> Tensor:
        """Return a matrix of four bits a number in float32."""
        factors, packed = self[f"{name}.factors"].float(), self[f"{name}.packed"]
        halves = torch.cat((packed & 15, packed >> 4), dim=-1).float() - 8  # (rows, blocks, 32)
        return (halves * factors.unsqueeze(-1)).flatten(1)

    def pieces(self) -> dict[str, tuple[int, float]]:
        """Return all pieces that the model knows, each with its number and its log probability."""
        texts = zlib.decompress(self._raw("pieces")).decode().split("\n")
        chances = bytearray(zlib.decompress(self._raw("chances")))
        scores = torch.frombuffer(chances, dtype=torch.float32).tolist()
        return {text: (i, scores[i]) for i, text in enumerate(texts)}
