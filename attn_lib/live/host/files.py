"""The files that a page with live figures loads, by name, beside one another in one folder."""

from attn_lib.examples.dates.checkpoint import FOLDER as MODELS
from attn_lib.examples.writer.checkpoint import FOLDER as WRITERS
from attn_lib.live.figures import FIGURES
from attn_lib.live.figures.model.record import FOLDER as MAPS
from attn_lib.live.host import bundle


def files() -> dict[str, str]:
    """Return the scripts and styles of all figures, and what these load when they are used."""
    found = {"figures.js": bundle.shared(), "figures.css": bundle.stylesheet()}
    found["still.js"] = bundle.still()
    for figure in FIGURES:
        found[f"figures/{figure}.js"] = bundle.part(figure)
        found[f"figures/{figure}.css"] = bundle.stylesheet(figure)
    # Trained models, loaded by the figure that reads with them; what the heads of a real model look
    # at, by language.
    for kind, folder in (("models", MODELS), ("writers", WRITERS), ("maps", MAPS)):
        for path in sorted(folder.glob("*.json")):
            name = f"{kind}/{path.stem}"
            value = path.read_text(encoding="utf-8").strip()
            found[f"{name}.js"] = bundle.registration(name, value)
    return found
