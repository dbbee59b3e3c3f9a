"""Right and wrong answers to the other exercises of the page, each with the finding it must get."""

NEAR = "    near = (queries.unsqueeze(1) - keys).abs() {} width\n    near = near.to(keys.dtype)\n"
ROW = "def boxcar_weights(queries, keys, width):\n" + NEAR.format("<")
SUMS = ROW + "    sums = near.sum(1, keepdim=True)\n"
KEPT = (
    "def with_sink(scores, valid_lens, sink):\n"
    "    kept = torch.arange(scores.shape[-1]) < valid_lens.reshape(-1, 1, 1)\n"
    "    exps = torch.where(kept, scores.exp(), 0.0)\n"
)
LIFT = (
    "def lift(scores):\n"
    "    ranked = scores.sort(-1, descending=True).values\n"
    "    lifts = (1 - ranked.cumsum(-1)) / torch.arange(1, scores.shape[-1] + 1)\n"
    "    size = (ranked + lifts > 0).sum(-1, keepdim=True).clamp(min=1)\n"
    "    return (scores + lifts.gather(-1, size - 1)).clamp(min=0)\n"
    "def sparsemax(scores):\n"
)
DOT = (
    "def my_scores(queries, keys):\n"
    "    dot = queries @ keys.transpose(1, 2)\n"
    "    square = keys.square().sum(2).unsqueeze(1)\n"
)
SCORER = (
    "def scorer(queries, keys):\n    f, g = queries.sum(2).unsqueeze(2), keys.sum(2).unsqueeze(1)\n"
)
JOINED = (
    "def joined_scores(queries, keys, W_q, W_k, w_v):\n"
    "    size = (-1, queries.shape[1], keys.shape[1], -1)\n"
    "    pair = [queries.unsqueeze(2).expand(size), keys.unsqueeze(1).expand(size)]\n"
    "    hidden = torch.cat(pair, dim=-1) @ torch.cat([W_q, W_k], dim=1).T\n"
)
APART = (
    "def joined_scores(queries, keys, W_q, W_k, w_v):\n"
    "    q, k = (queries @ W_q.T).unsqueeze(2), (keys @ W_k.T).unsqueeze(1)\n"
)
STEP = (
    "def online(blocks):\n"
    "    m, s, o = torch.tensor({start}), 0.0, 0.0\n"
    "    for scores, values in blocks:\n"
    "        top = torch.maximum(m, scores.max())\n"
    "        factor, e = (m - top).exp(), (scores - top).exp()\n"
    "        s = {s} + e.sum()\n"
    "        o = {o} + e @ values\n"
    "        m = top\n"
    "    return {result}\n"
)
ONLINE = {"start": "-torch.inf", "s": "s * factor", "o": "o * factor", "result": "o / s"}
PLAIN = "def exact_weights(query, keys):\n"
LOWER = PLAIN + "    same = [float(key.lower() == query.lower()) for key in keys]\n"

# By exercise: the function that it asks for, and for each answer the finding and the text.
OTHERS = {
    "exact_lookup": (
        "exact_weights",
        {
            "solution": ("right", LOWER + "    return [s / (sum(same) or 1) for s in same]\n"),
            "undivided": ("shared", LOWER + "    return same\n"),
            "divided": ("raises_absent", LOWER + "    return [s / sum(same) for s in same]\n"),
            "place": ("index", PLAIN + "    return keys.index(query)\n"),
            "case": ("case", PLAIN + "    return [float(key == query) for key in keys]\n"),
            "key's case": (
                "case_of_key",
                PLAIN + "    return [float(key in (query, query[0].upper() + query[1:])) "
                "for key in keys]\n",
            ),
            "one number": ("count", PLAIN + "    return [1.0]\n"),
        },
    ),
    "kernel_gap": (
        "boxcar_weights",
        {
            "solution": ("right", SUMS + "    return near / torch.where(sums == 0, 1.0, sums)\n"),
            "0 by 0": ("nan", SUMS + "    return near / sums\n"),
            "epsilon": ("epsilon", SUMS + "    return near / (sums + 1e-4)\n"),
            "mean": (
                "mean",
                SUMS + "    return torch.where(sums == 0, 1 / 6, near / sums.clamp(min=1))\n",
            ),
            "edge": (
                "edge",
                SUMS.replace("<", "<=") + "    return near / torch.where(sums == 0, 1.0, sums)\n",
            ),
            "undivided": ("sums", ROW + "    return near\n"),
            "turned round": ("shape", ROW + "    return near.T\n"),
        },
    ),
    "gaussian_from_dot": (
        "my_scores",
        {
            "solution": ("right", DOT + "    return dot - square / 2\n"),
            "plain": ("plain", DOT + "    return dot\n"),
            "plus": ("plus", DOT + "    return dot + square / 2\n"),
            "whole": ("whole", DOT + "    return dot - square\n"),
            "norm": ("norm", DOT + "    return dot - square.sqrt() / 2\n"),
            "scaled": ("scaled", DOT + "    return dot / 5**0.5\n"),
            "all": (
                "distance",
                DOT + "    return dot - square / 2 - queries.square().sum(2).unsqueeze(2) / 2\n",
            ),
        },
    ),
    "batched_dot": (
        "my_batched_dot",
        {
            "solution": (
                "right",
                "def my_batched_dot(X, Y):\n    return (X.unsqueeze(3) * Y.unsqueeze(1)).sum(2)\n",
            ),
            "loop": (
                "right",
                "def my_batched_dot(X, Y):\n"
                "    return torch.stack([X[i] @ Y[i] for i in range(len(X))])\n",
            ),
            "elementwise": ("elementwise", "def my_batched_dot(X, Y):\n    return X * Y\n"),
            "first": ("first_only", "def my_batched_dot(X, Y):\n    return X @ Y[0]\n"),
            "added up": ("summed", "def my_batched_dot(X, Y):\n    return (X @ Y).sum(0)\n"),
            "squeezed": ("squeezed", "def my_batched_dot(X, Y):\n    return (X @ Y).squeeze()\n"),
            "a list": (
                "numbers",
                "def my_batched_dot(X, Y):\n    return [X[i] @ Y[i] for i in range(len(X))]\n",
            ),
            "changed": (
                "changed",
                "def my_batched_dot(X, Y):\n    Z = X @ Y\n    X[0, 0, 0] = 9\n    return Z\n",
            ),
        },
    ),
    "repeat_lens": (
        "fold_lens",
        {
            "solution": (
                "right",
                "def fold_lens(valid_lens, num_heads):\n"
                "    return valid_lens.repeat_interleave(num_heads, dim=0)\n",
            ),
            "head by head": (
                "repeat",
                "def fold_lens(valid_lens, num_heads):\n"
                "    return torch.cat([valid_lens] * num_heads)\n",
            ),
            "without dim": (
                "flattened",
                "def fold_lens(valid_lens, num_heads):\n"
                "    return valid_lens.repeat_interleave(num_heads)\n",
            ),
            "times": (
                "shape",
                "def fold_lens(valid_lens, num_heads):\n    return valid_lens * num_heads\n",
            ),
            "halves": (
                "values",
                "def fold_lens(valid_lens, num_heads):\n"
                "    return valid_lens.repeat_interleave(num_heads, dim=0) / 2\n",
            ),
        },
    ),
    "query_cancels": (
        "scorer",
        {
            "solution": ("right", SCORER + "    return f + g\n"),
            "constant": ("constant", SCORER + "    return 0 * f + g\n"),
            "uniform": ("uniform", SCORER + "    return f + 0 * g\n"),
            "product": ("weights", SCORER + "    return f * g\n"),
            "places": (
                "places",
                SCORER + "    return f + g + torch.arange(keys.shape[1])\n",
            ),
            "not finite": ("not_finite", SCORER + "    return (f + g) / 0\n"),
        },
    ),
    "additive_scores": (
        "joined_scores",
        {
            "solution": ("right", JOINED + "    return torch.tanh(hidden) @ w_v\n"),
            "two matrices": ("right", APART + "    return torch.tanh(q + k) @ w_v\n"),
            "linear": ("linear", JOINED + "    return hidden @ w_v\n"),
            "before": ("before", APART + "    return (q.tanh() + k.tanh()) @ w_v\n"),
            "outside": ("outside", JOINED + "    return (hidden @ w_v).tanh()\n"),
            "weights": ("weights", JOINED + "    return (hidden.tanh() @ w_v).softmax(-1)\n"),
            "unweighed": ("unweighed", JOINED + "    return hidden.tanh().sum(-1)\n"),
            "scaled": ("scaled", JOINED + "    return hidden.tanh() @ w_v / len(w_v) ** 0.5\n"),
            "sigmoid": ("other", JOINED + "    return hidden.sigmoid() @ w_v\n"),
            "turned round": ("shape", APART + "    return (q + k).tanh().sum(-1).mT\n"),
            "not turned": ("raises", JOINED.replace(".T", "") + "    return hidden @ w_v\n"),
        },
    ),
    "with_sink": (
        "with_sink",
        {
            "solution": (
                "right",
                KEPT + "    import math\n"
                "    return exps / (exps.sum(-1, keepdim=True) + math.exp(sink))\n",
            ),
            "bare": ("bare", KEPT + "    return exps / (exps.sum(-1, keepdim=True) + sink)\n"),
            "plus one": ("plus_one", KEPT + "    return exps / (exps.sum(-1, keepdim=True) + 1)\n"),
            "none": ("nan", KEPT + "    return exps / exps.sum(-1, keepdim=True)\n"),
            "softmax": (
                "no_sink",
                KEPT + "    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)\n",
            ),
            "rows": ("shape", KEPT + "    return exps.sum(-1)\n"),
        },
    ),
    "sparsemax": (
        "sparsemax",
        {
            "solution": (
                "right",
                LIFT + "    return lift(scores - scores.amax(-1, keepdim=True))\n",
            ),
            "not subtracted": ("large", LIFT + "    return lift(scores)\n"),
            "softmax": ("softmax", LIFT + "    return scores.softmax(-1)\n"),
            "axis": (
                "axis",
                LIFT + "    turned = scores.transpose(1, 2)\n"
                "    return lift(turned).transpose(1, 2)\n",
            ),
            "all rows": (
                "all_rows",
                LIFT + "    return lift(scores.reshape(-1)).reshape(scores.shape)\n",
            ),
            "all keys": (
                "all_keys",
                LIFT + "    n = scores.shape[-1]\n"
                "    return scores + (1 - scores.sum(-1, keepdim=True)) / n\n",
            ),
            "divided": (
                "divided",
                LIFT + "    up = scores.clamp(min=0)\n"
                "    return up / up.sum(-1, keepdim=True).clamp(min=1e-9)\n",
            ),
        },
    ),
    "online_softmax": (
        "online",
        {
            "solution": ("right", STEP.format(**ONLINE)),
            "start": ("underflow", STEP.format(**ONLINE | {"start": "0.0"})),
            "s forgotten": ("only_o", STEP.format(**ONLINE | {"s": "s"})),
            "o forgotten": ("only_s", STEP.format(**ONLINE | {"o": "o"})),
            "both forgotten": ("rescale", STEP.format(**ONLINE | {"s": "s", "o": "o"})),
            "undivided": ("undivided", STEP.format(**ONLINE | {"result": "o"})),
            "means": (
                "average",
                "def online(blocks):\n"
                "    means = [scores.softmax(0) @ values for scores, values in blocks]\n"
                "    return sum(means) / len(means)\n",
            ),
            "plain": (
                "overflow",
                "def online(blocks):\n    s, o = 0.0, 0.0\n"
                "    for scores, values in blocks:\n"
                "        s, o = s + scores.exp().sum(), o + scores.exp() @ values\n"
                "    return o / s\n",
            ),
        },
    ),
}
