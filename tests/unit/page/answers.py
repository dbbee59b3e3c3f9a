"""What readers write: right and wrong answers to the exercises of the page, as their text."""

HEAD = "def my_masked_softmax(X, valid_lens):\n"
LENS = HEAD + "    lens = valid_lens.reshape(len(valid_lens), -1, 1)\n"
KEPT = LENS + "    kept = torch.arange(X.shape[-1]) < lens\n"
FILLED = "torch.softmax(torch.where(kept, X, {fill}), -1)"

# By the finding that each must get, in Jupyter as on the page.
MASKED_SOFTMAX = {
    "solution": (
        "right",
        KEPT + "    fill = torch.where(lens == 0, 0.0, -torch.inf)\n"
        "    weights = torch.softmax(torch.where(kept, X, fill), dim=-1)\n"
        "    return torch.where(kept, weights, 0.0)\n",
    ),
    "zeros afterwards": (
        "right",
        KEPT + f"    weights = {FILLED.format(fill='-torch.inf')}\n"
        "    return weights.masked_fill(lens == 0, 0)\n",
    ),
    "exponentials": (
        "right",
        KEPT + "    low = torch.finfo(X.dtype).min\n"
        "    top = X.masked_fill(~kept, -torch.inf).amax(-1, keepdim=True).clamp(min=low)\n"
        "    exps = (X - top).masked_fill(~kept, -torch.inf).exp()\n"
        "    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)\n",
    ),
    "rows, one by one": (
        "right",
        HEAD + "    rows = []\n"
        "    for b in range(X.shape[0]):\n"
        "        for q in range(X.shape[1]):\n"
        "            n = int(valid_lens[b] if valid_lens.ndim == 1 else valid_lens[b, q])\n"
        "            row = torch.zeros(X.shape[2])\n"
        "            if n > 0:\n"
        "                own = torch.softmax(X[b, q, :n], 0)\n"
        "                row = torch.cat([own, row[n:]])\n"
        "            rows.append(row)\n"
        "    return torch.stack(rows).reshape(X.shape)\n",
    ),
    "not a function": ("function", "my_masked_softmax = 1\n"),
    "no mask": ("unmasked", HEAD + "    return torch.softmax(X, dim=-1)\n"),
    "score 0": ("zero_fill", KEPT + f"    return {FILLED.format(fill='0.0')}\n"),
    "zeroed": ("after", KEPT + "    return torch.softmax(X, -1) * kept\n"),
    "turned round": (
        "inverted",
        KEPT + "    weights = X.masked_fill(kept, -torch.inf).softmax(-1)\n"
        "    return weights.nan_to_num()\n",
    ),
    "axis": ("axis", KEPT + "    return X.masked_fill(~kept, -1e9).softmax(1) * kept\n"),
    "one length": (
        "per_query",
        HEAD + "    if valid_lens.ndim == 2:\n        valid_lens = valid_lens[:, 0]\n"
        "    kept = torch.arange(X.shape[-1]) < valid_lens.reshape(-1, 1, 1)\n"
        f"    return {FILLED.format(fill='-torch.inf')}\n",
    ),
    "0 by 0": ("nan", KEPT + f"    return {FILLED.format(fill='-torch.inf')}\n"),
    "-1e6": ("empty", KEPT + f"    return {FILLED.format(fill='-1e6')}\n"),
    "-1e9, zeros": ("fill", KEPT + f"    return {FILLED.format(fill='-1e9')} * kept\n"),
    "written into X": (
        "changed",
        KEPT + "    X[~kept.expand_as(X)] = -1e6\n    return torch.softmax(X, -1)\n",
    ),
    "written into a row": (
        "changed",
        HEAD + "    for b in range(len(X)):\n"
        "        for q in range(X.shape[1]):\n"
        "            row = X[b][q]\n"
        "            n = valid_lens[b] if valid_lens.ndim == 1 else valid_lens[b, q]\n"
        "            row[int(n):] = -1e9\n"
        "    return torch.softmax(X, -1)\n",
    ),
    "detached": (
        "no_gradient",
        KEPT + "    fill = torch.where(lens == 0, 0.0, -torch.inf)\n"
        "    return torch.where(kept, torch.where(kept, X, fill).softmax(-1), 0.0).detach()\n",
    ),
    "mask added": (
        "gradient",
        KEPT + "    mask = torch.zeros_like(X).masked_fill(~kept, -torch.inf)\n"
        "    return (X + mask).softmax(-1).masked_fill(lens == 0, 0.0)\n",
    ),
    "written over": (
        "backward",
        KEPT + f"    weights = {FILLED.format(fill='-torch.inf')}\n"
        "    weights[(lens == 0).expand_as(X)] = 0\n    return weights\n",
    ),
    "squared": (
        "values",
        KEPT + "    fill = torch.where(lens == 0, 0.0, -torch.inf)\n"
        "    return torch.where(kept, torch.where(kept, X, fill).softmax(-1), 0.0) ** 2\n",
    ),
    "one row": ("shape", HEAD + "    return X[0].softmax(-1)\n"),
    "nothing": ("shape", HEAD + "    pass\n"),
    "a list": ("shape", HEAD + "    return [1, 2]\n"),
    "a text": ("shape", HEAD + "    return 'weights'\n"),
    "shapes": ("raises", HEAD + "    return X @ valid_lens\n"),
    "deep": ("raises", HEAD + "    return my_masked_softmax(X, valid_lens)\n"),
    "large": ("raises", HEAD + "    return [0] * 10**14\n"),
    "torch is None": ("raises", "torch = None\n" + HEAD + "    return torch.softmax(X, -1)\n"),
}

# What only the page says, with the line that it names.
ONLY_ON_THE_PAGE = {
    "no colon": ("syntax", 1, "def my_masked_softmax(X, valid_lens)\n    return X\n"),
    "stops at once": ("stopped", 2, "import math\nmath.sqrt(-1)\n"),
    "leaves": ("stopped", 1, "raise SystemExit\n"),
    "another name": ("undefined", 0, "def masked(X, valid_lens):\n    return X\n"),
    "a typing error": ("lacks", 2, HEAD + "    return torch.sofmax(X, -1)\n"),
    "a method": ("lacks", 3, HEAD + "    a = 1\n    return X.svd()\n"),
    "torch replaced": (
        "redefined",
        0,
        "torch.allclose = lambda *a, **k: True\n" + HEAD + "    return X\n",
    ),
    "replaced on the way": (
        "redefined",
        0,
        HEAD + "    torch.Tensor.softmax = 3\n    return X\n",
    ),
}
