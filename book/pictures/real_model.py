"""All heads of a real model, as dark as the share of their weight that rests on the end marks."""

from attn_lib.live.figures.model.record import read_maps
from book.pictures.canvas import Canvas

LEFT, TOP, TILE, APART = 62, 14, 30, 2
HEADS = 12


def draw() -> Canvas:
    """Draw the picture."""
    maps = read_maps("en")["right"].double() / 100  # (layer, head, key, query)
    words = maps[:, :, :, 1:-1]
    shares = (words[:, :, 0] + words[:, :, -1]).mean(dim=2)  # (layer, head)
    parked = int((shares > 0.5).sum())
    assert parked > HEADS * HEADS / 2
    ahead = maps.diagonal(offset=-1, dim1=2, dim2=3)[:, :, 1:].mean(dim=2)
    assert divmod(int(ahead.argmax()), HEADS) == (2, 6)

    canvas = Canvas(TOP + HEADS * (TILE + APART) + 14)
    for layer in range(HEADS):
        for head in range(HEADS):
            x, y = LEFT + head * (TILE + APART), TOP + layer * (TILE + APART)
            tint = f"w{round(100 * shares[layer, head].item())}"
            canvas.rect(x, y, TILE, TILE, tint, "line", 0.5)
        if layer in (0, 2, 11):
            middle = TOP + layer * (TILE + APART) + TILE / 2
            canvas.number(LEFT - 12, middle, str(layer + 1), anchor="end")
    corner = LEFT + 6 * (TILE + APART) - 2, TOP + 2 * (TILE + APART) - 2
    canvas.rect(*corner, TILE + 4, TILE + 4, None, "ink", 2.5)
    return canvas
