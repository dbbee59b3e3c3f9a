"""``make dates``: train the stored models again, or those that are named.

It takes about two minutes a model. Another processor rounds sums differently, so the new models
differ a little from the old ones, and with them the numbers on the page.
"""

import logging
import sys
from typing import Any

import torch

from attn_lib.examples.dates.checkpoint import FOLDER, save
from attn_lib.examples.dates.model import DateReader
from attn_lib.examples.dates.train import train
from attn_lib.examples.dates.write import OUR_YEARS

# What each stored model is made of, and how its training differs.
MODELS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "additive": ({}, {}),
    "dot": ({"score": "dot"}, {}),
    "recent": ({}, {"years": OUR_YEARS}),
    "states": ({"values": "states"}, {}),
    "past": ({"values": "past"}, {}),
    "none": ({"score": "none", "values": "states"}, {}),
}


def main(names: list[str]) -> None:
    """Train these models, or all, and store them."""
    for name in names or MODELS:
        made_of, trained_on = MODELS[name]
        torch.manual_seed(0)
        model = DateReader(**made_of)

        def tell(step: int, loss: float, name: str = name) -> None:
            if step % 100 == 0:
                logging.info("%s: step %d, loss %.4f", name, step, loss)

        save(train(model, progress=tell, **trained_on), FOLDER / f"{name}.json")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main(sys.argv[1:])
