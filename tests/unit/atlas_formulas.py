# ruff: noqa: B905, E741
"""The formulas of the atlas a second time: loops and `math`, one number at a time."""

import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def dist2(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def rms(a):
    return math.sqrt(dot(a, a) / len(a))


def sig(x):
    return 1 / (1 + math.exp(-x))


def mv(M, x):
    return [dot(r, x) for r in M]  # M x


def vm(x, M):
    return [sum(x[a] * M[a][b] for a in range(len(x))) for b in range(len(M[0]))]  # x M


INF = math.inf


def soft(s, extra=None):
    m = max(s + ([extra] if extra is not None else []))
    e = [math.exp(x - m) for x in s]
    t = sum(e) + (math.exp(extra - m) if extra is not None else 0)
    return [x / t for x in e]


def theta(d, base=10000.0):
    return [base ** (-2 * n / d) for n in range(d // 2)]


def turned(x, place, th, pairs):
    y = list(x)
    for n, (a, b) in enumerate(pairs):
        t = place * th[n]
        y[a] = x[a] * math.cos(t) - x[b] * math.sin(t)
        y[b] = x[a] * math.sin(t) + x[b] * math.cos(t)
    return y


def halves(d):
    return [(n, n + d // 2) for n in range(d // 2)]


def inter(d):
    return [(2 * n, 2 * n + 1) for n in range(d // 2)]


def rope(th_of, pairs, factor=1.0):
    def f(q, k, i, j, N, a, b):
        d = len(q)
        th = th_of(d, N)
        return factor * dot(turned(q, i, th, pairs(d)), turned(k, j, th, pairs(d))) / math.sqrt(d)

    return f


def yarn_theta(d, N):
    out = []
    L, f = 4096, 32

    def dim(r):
        return d * math.log(L / (r * 2 * math.pi)) / (2 * math.log(10000))

    lo, hi = max(math.floor(dim(32)), 0), min(math.ceil(dim(1)), d - 1)
    for n, t in enumerate(theta(d)):
        g = 1 - min(max((n - lo) / (hi - lo), 0), 1)
        out.append(t * (g + (1 - g) / f))
    return out


def llama3_theta(d, N):
    out = []
    for t in theta(d, 500000.0):
        lam = 2 * math.pi / t
        if lam < 8192 / 4:
            out.append(t)
        elif lam > 8192:
            out.append(t / 8)
        else:
            z = (8192 / lam - 1) / 3
            out.append((1 - z) * t / 8 + z * t)
    return out


def code(place, d):
    th = theta(d)
    return [math.sin(place * t) for t in th] + [math.cos(place * t) for t in th]


def bucket(r):
    b = 16 if r > 0 else 0
    n = abs(r)
    return b + (n if n < 8 else min(15, 8 + int(math.log(n / 8) / math.log(16) * 8)))


def xpos(q, k, i, j, N, a, b):
    d = len(q)
    th = theta(d)
    Q, K = turned(q, i, th, halves(d)), turned(k, j, th, halves(d))
    t = 0
    for n in range(d // 2):
        z = (2 * n / d + 0.4) / 1.4
        for x in (n, n + d // 2):
            t += z ** ((i - j) / 512) * Q[x] * K[x]
    return t / math.sqrt(d)


def sdp(q, k, i, j, N, a, b):
    return dot(q, k) / math.sqrt(len(q))


def plain(q, k, i, j, N, a, b):
    return dot(q, k)


def leaky(x):
    return x if x > 0 else 0.2 * x


def clipped(x, longest):
    n = norm(x)
    return [y * min(1, longest / n) for y in x]


def path(q, k, i, j, N, a, b):
    for t in range(a, b, -1):
        along = N["beta"][t] * dot(q, N["step"][t])
        q = [x - along * y for x, y in zip(q, N["step"][t])]
    return dot(q, k) / math.sqrt(len(q))


def wall(q, k, i, j, N, a, b):
    t = 0
    for n in range(len(q)):
        t += q[n] * k[n] * math.prod(sig(N["x_f"][u][n]) for u in range(b + 1, a + 1))
    return t / math.sqrt(len(q))


def mrope(q, k, i, j, N, a, b):
    d = len(q)

    def angle(place, n):  # the picture begins at place 0
        return (0, place // 3, place % 3)[n * 3 // (d // 2)] * theta(d)[n]

    t = 0
    for n in range(d // 2):
        turn = angle(i, n) - angle(j, n)
        m = n + d // 2
        t += math.cos(turn) * (q[n] * k[n] + q[m] * k[m])
        t += math.sin(turn) * (q[n] * k[m] - q[m] * k[n])
    return t / math.sqrt(d)


def causal(f):
    return lambda q, k, i, j, N, a, b: -INF if j > i else f(q, k, i, j, N, a, b)


def tanhs(parts, u):
    return dot([math.tanh(sum(p)) for p in zip(*parts)], u)


def loc(q, k, i, j, N, a, b):
    K = len(N["prev"][a])

    def at(x):
        return N["prev"][a][x] if 0 <= x < K else 0

    f = [sum(N["filt"][c][0][t] * at(b + t - 1) for t in range(3)) for c in range(len(N["filt"]))]
    return tanhs((vm(q, N["W_q"]), vm(k, N["W_k"]), vm(f, N["U"])), N["u"])


def deb(q, k, i, j, N, a, b):
    c = N["c"]

    def de(x):
        return min(max(x + c, 0), 2 * c - 1)

    return (dot(q, k) + dot(q, N["Kr"][de(i - j)]) + dot(k, N["Qr"][de(j - i)])) / math.sqrt(
        3 * len(q)
    )


def txl(q, k, i, j, N, a, b):
    d = len(q)
    r = vm(code(i - j, d), N["W_r"])
    return (
        dot([x + y for x, y in zip(q, N["u"])], k) + dot([x + y for x, y in zip(q, N["b"])], r)
    ) / math.sqrt(d)


def fox(q, k, i, j, N, a, b):
    return (
        -INF
        if j > i
        else dot(q, k) / math.sqrt(len(q))
        + sum(math.log(sig(N["x_f"][l])) for l in range(b + 1, a + 1))
    )


SCORE = {
    "gaussian": lambda q, k, i, j, N, a, b: -dist2(q, k) / (2 * N["h"] ** 2),
    "l2": lambda q, k, i, j, N, a, b: -dist2(q, k) / math.sqrt(len(q)),
    "boxcar": lambda q, k, i, j, N, a, b: dist2(q, k),
    "epanechnikov": lambda q, k, i, j, N, a, b: dist2(q, k),
    "bahdanau": lambda q, k, i, j, N, a, b: tanhs((vm(q, N["W_q"]), vm(k, N["W_k"])), N["u"]),
    "luong_concat": lambda q, k, i, j, N, a, b: tanhs((vm(list(q) + list(k), N["W"]),), N["u"]),
    "location": loc,
    "coverage": lambda q, k, i, j, N, a, b: tanhs(
        (vm(q, N["W_q"]), vm(k, N["W_k"]), [x * N["cover"][a][b] for x in N["w_c"]]), N["u"]
    ),
    "gat": lambda q, k, i, j, N, a, b: leaky(
        dot(vm(q, N["W"]), N["u"]) + dot(vm(k, N["W"]), N["v"])
    ),
    "gatv2": lambda q, k, i, j, N, a, b: dot(
        [leaky(x + y) for x, y in zip(vm(q, N["W_q"]), vm(k, N["W_k"]))], N["u"]
    ),
    "l2clip": lambda q, k, i, j, N, a, b: (
        dot(clipped([x * y for x, y in zip(q, N["g"])], 2), clipped(k, 2)) / math.sqrt(len(q))
    ),
    "path": causal(path),
    "wall": causal(wall),
    "mrope": mrope,
    "depth": lambda q, k, i, j, N, a, b: dot(q, k) / rms(k),
    "dot": plain,
    "unscaled": plain,
    "scaled": sdp,
    "bilinear": lambda q, k, i, j, N, a, b: dot(q, mv(N["M"], k)),
    "mup": lambda q, k, i, j, N, a, b: dot(q, k) / len(q),
    "scalar": lambda q, k, i, j, N, a, b: dot(q, k) / 12,
    "cosine": lambda q, k, i, j, N, a, b: 3 * dot(q, k) / norm(q) / norm(k),
    "qknorm_l2": lambda q, k, i, j, N, a, b: 11.4 * dot(q, k) / norm(q) / norm(k),
    "qknorm_gain": lambda q, k, i, j, N, a, b: (
        sum(x * y * g * h for x, y, g, h in zip(q, k, N["g_q"], N["g_k"]))
        / rms(q)
        / rms(k)
        / math.sqrt(len(q))
    ),
    "qknorm_bare": lambda q, k, i, j, N, a, b: math.sqrt(len(q)) * dot(q, k) / norm(q) / norm(k),
    "lowrank": lambda q, k, i, j, N, a, b: dot(vm(q, N["A"]), vm(k, N["B"])) / math.sqrt(N["r"]),
    "mla": lambda q, k, i, j, N, a, b: dot(q, mv(N["W"], k)) / math.sqrt(len(q)),
    "absolute": lambda q, k, i, j, N, a, b: (
        dot(
            [x + y for x, y in zip(q, code(i, len(q)))],
            [x + y for x, y in zip(k, code(j, len(q)))],
        )
        / math.sqrt(len(q))
    ),
    "shaw": lambda q, k, i, j, N, a, b: (
        dot(
            q,
            [x + y for x, y in zip(k, N["A"][min(max(j - i, -N["c"]), N["c"]) + N["c"]])],
        )
        / math.sqrt(len(q))
    ),
    "txl": txl,
    "t5": lambda q, k, i, j, N, a, b: dot(q, k) + N["b"][bucket(j - i)],
    "deberta": deb,
    "alibi": causal(lambda q, k, i, j, N, a, b: dot(q, k) / math.sqrt(len(q)) - 0.5 * (i - j)),
    "fox": fox,
    "nope": causal(sdp),
    "xpos": xpos,
    "rope": rope(lambda d, N: theta(d), halves),
    "rope_inter": rope(lambda d, N: theta(d), inter),
    "rope_linear": rope(lambda d, N: [t / 8 for t in theta(d)], halves),
    "rope_ntk": rope(lambda d, N: theta(d, 10000.0 * 8 ** (d / (d - 2))), halves),
    "yarn": rope(yarn_theta, halves, (0.1 * math.log(32) + 1) ** 2),
    "rope_llama3": rope(llama3_theta, halves),
    "prope": rope(lambda d, N: [t if n < d // 8 else 0.0 for n, t in enumerate(theta(d))], halves),
    "lerope": rope(lambda d, N: N["t"], halves),
    "keqv": rope(lambda d, N: theta(d), halves),
    "softcap": lambda q, k, i, j, N, a, b: 5 * math.tanh(dot(q, k) / math.sqrt(len(q)) / 5),
    "logn": lambda q, k, i, j, N, a, b: dot(q, k) / math.sqrt(len(q)) * math.log(N["K"], 128),
    "llama4_temp": lambda q, k, i, j, N, a, b: (
        (1 + 0.1 * math.log(1 + math.floor((i + 1) / 8192))) * dot(q, k) / math.sqrt(len(q))
    ),
    "mistral_temp": lambda q, k, i, j, N, a, b: (
        (0.2 * math.log(i + 1) + 0.5) * dot(q, k) / math.sqrt(len(q))
    ),
    "learned-sink": sdp,
    "plusone": sdp,
    "gate": sdp,
    "sparsemax": sdp,
    "entmax": sdp,
    "sigmoid": sdp,
    "relu": sdp,
    "topk": sdp,
    "stickbreaking": sdp,
    "linear": lambda q, k, i, j, N, a, b: dot(
        *([x + 1 if x > 0 else math.exp(x) for x in v] for v in (q, k))
    ),
    "performer": lambda q, k, i, j, N, a, b: (
        sum(
            math.exp(dot(w, q) - dot(q, q) / 2) * math.exp(dot(w, k) - dot(k, k) / 2)
            for w in N["W"]
        )
        / len(N["W"])
    ),
    "window": causal(
        lambda q, k, i, j, N, a, b: dot(q, k) / math.sqrt(len(q)) if i - j < 4 else -INF
    ),
    "chunk": causal(
        lambda q, k, i, j, N, a, b: dot(q, k) / math.sqrt(len(q)) if i // 4 == j // 4 else -INF
    ),
    "document": causal(
        lambda q, k, i, j, N, a, b: dot(q, k) / math.sqrt(len(q)) if (i < 4) == (j < 4) else -INF
    ),
}


def project(s, power):
    """Sparsemax (1) and entmax 1.5 (2) by bisection on the threshold."""
    f = (
        (lambda t: [max(x - t, 0) for x in s])
        if power == 1
        else (lambda t: [max(x / 2 - t, 0) ** 2 for x in s])
    )
    lo, hi = min(s) - 2, max(s) + 1
    for _ in range(200):
        m = (lo + hi) / 2
        lo, hi = (m, hi) if sum(f(m)) > 1 else (lo, m)
    return f(hi)


def stick(s, a):
    out = []
    for b in range(len(s)):
        out.append(0.0 if b >= a else sig(s[b]) * math.prod(1 - sig(x) for x in s[b + 1 : a]))
    return out


def share(s):
    t = sum(s)
    return [x / t for x in s]


WEIGHT = {
    "boxcar": lambda s, N, a: (lambda v: [x / max(sum(v), 1) for x in v])(
        [1.0 if x < 4.2**2 else 0.0 for x in s]
    ),
    "epanechnikov": lambda s, N, a: share([max(1 - x / 36, 0) for x in s]),
    "learned-sink": lambda s, N, a: soft(s, N["z"][0]),
    "plusone": lambda s, N, a: soft(s, 0.0),
    "sparsemax": lambda s, N, a: project(s, 1),
    "entmax": lambda s, N, a: project(s, 2),
    "sigmoid": lambda s, N, a: [1 / (1 + len(s) * math.exp(-x)) for x in s],
    "relu": lambda s, N, a: [max(x, 0) / len(s) for x in s],
    "topk": lambda s, N, a: soft([x if sorted(s, reverse=True).index(x) < 3 else -INF for x in s]),
    "stickbreaking": lambda s, N, a: stick(s, a),
    "linear": lambda s, N, a: share(s),
    "performer": lambda s, N, a: share(s),
}


def chosen_blocks(a, K, size, rank):
    """The keys that query a sees: its own block, and the one that `rank` puts first."""
    blocks = [[b for b in K if b // size == n and b <= a] for n in range(a // size + 1)]
    blocks = [block for block in blocks if block]
    own = [block for block in blocks if block[0] // size == a // size]
    others = sorted((block for block in blocks if block not in own), key=rank, reverse=True)
    return [b for block in (own + others)[:2] for b in block]


def shortened(k, z, b, n):
    """Four tokens to one key, entry by entry."""
    out = []
    for first in range(0, len(k) - n + 1, n):
        key = []
        for x in range(len(k[0])):
            p = soft([z[first + t][x] + b[t][x] for t in range(n)])
            key.append(sum(p[t] * k[first + t][x] for t in range(n)))
        out.append(key)
    return out


def convolved(x, mean, each, mix):
    """Two causal convolutions of two tokens, then the mean, at unit length."""

    def at(rows, t):
        return rows[t] if t >= 0 else [0.0] * len(rows[0])

    once = [
        [p * u + c * w for p, c, u, w in zip(at(x, t - 1), x[t], each[0], each[1])]
        for t in range(len(x))
    ]
    out = []
    for t in range(len(x)):
        twice = zip(vm(at(once, t - 1), mix[0]), vm(once[t], mix[1]), mean[t])
        row = [sum(parts) for parts in twice]
        out.append([y / norm(row) for y in row])
    return out


def weights(id, N):
    """N: the same tensors as nested lists."""
    q, k, i, j = N["q"], N["k"], N["i"], N["j"]
    Q, K = range(len(i)), range(len(j))
    if id in ("bestblock", "meanblock"):
        rows = []
        for a in Q:

            def rank(block, a=a):
                if id == "meanblock":
                    return sum(dot(q[a], k[b]) for b in block) / len(block)
                return max(dot(vm(q[a], N["W_i"]), vm(k[b], N["W_j"])) for b in block)

            seen = chosen_blocks(a, K, 2, rank)
            s = [dot(q[a], k[b]) / math.sqrt(len(q[a])) if b in seen else -INF for b in K]
            rows.append(soft(s))
        return rows
    if id == "shared-choice":
        rows = []
        for a in Q:
            keep = sorted(K, key=lambda b: -N["earlier"][a][b])[:3]
            rows.append(
                soft([dot(q[a], k[b]) / math.sqrt(len(q[a])) if b in keep else -INF for b in K])
            )
        return rows
    if id == "compressed":
        short = shortened(k, N["z"], N["b"], 4)
        return [soft([dot(x, c) / math.sqrt(len(x)) for c in short]) for x in q]
    if id == "cca":
        mean = [[(x + y) / 2 for x, y in zip(q[a], k[a])] for a in Q]
        qn = convolved(q, mean, N["a"], N["A"])
        kn = convolved(k, mean, N["b"], N["B"])
        far = N["tau"][0] * math.sqrt(len(q[0]))
        return [soft([far * dot(x, y) for y in kn]) for x in qn]
    if id == "parallax":
        rows = []
        for a in Q:
            p = soft([dot(q[a], k[b]) / math.sqrt(len(q[a])) for b in K])
            lean = [dot(N["slope"][a], k[b]) for b in K]
            mean = dot(p, lean)
            rows.append([x + x * (mean - y) for x, y in zip(p, lean)])
        return rows
    if id == "delta":
        d = len(q[0])
        out = []
        mem = [[0.0] * d for _ in K]
        for t in Q:
            n = norm(k[t])
            kn = [x / n for x in k[t]]
            read = mv(mem, kn)
            for b in K:
                err = (1.0 if b == t else 0.0) - read[b]
                for x in range(d):
                    mem[b][x] += 0.5 * err * kn[x]
            out.append(mv(mem, q[t]))
        return out
    if id == "differential":
        rows = []
        for a in Q:
            m = [
                soft([dot(vm(q[a], N[A]), vm(k[b], N[B])) / math.sqrt(N["r"]) for b in K])
                for A, B in (("A1", "B1"), ("A2", "B2"))
            ]
            rows.append([x - 0.8 * y for x, y in zip(*m)])
        return rows
    if id == "indexer":
        rows = []
        for a in Q:
            cheap = [
                sum(
                    N["w_h"][a][h] * max(dot(vm(q[a], N["W_i"][h]), vm(k[b], N["W_j"])), 0)
                    for h in range(2)
                )
                for b in K
            ]
            low = sorted(cheap)[-3]
            keep = [b for b in K if cheap[b] >= low]
            rows.append(
                soft([dot(q[a], k[b]) / math.sqrt(len(q[a])) if b in keep else -INF for b in K])
            )
        return rows
    if id in ("mqa", "gqa"):
        H = len(q)
        of = (lambda h: 0) if id == "mqa" else (lambda h: h // (H // 2))
        return [
            [soft([dot(q[h][a], k[of(h)][b]) / math.sqrt(len(q[h][a])) for b in K]) for a in Q]
            for h in range(H)
        ]
    if id == "qknorm_all":
        H = len(q)
        out = []

        def r(x, a):
            return math.sqrt(sum(dot(x[h][a], x[h][a]) for h in range(H)) / (H * len(x[0][a])))

        for h in range(H):
            out.append(
                [
                    soft(
                        [
                            sum(
                                x * y * g * f
                                for x, y, g, f in zip(
                                    q[h][a], k[h][b], N["g_q"][h], N["g_k"][h], strict=False
                                )
                            )
                            / r(q, a)
                            / r(k, b)
                            / math.sqrt(len(q[h][a]))
                            for b in K
                        ]
                    )
                    for a in Q
                ]
            )
        return out
    if id == "talking":
        H = range(len(q))
        s = [[[dot(q[h][a], k[h][b]) / math.sqrt(len(q[h][a])) for b in K] for a in Q] for h in H]
        w = [[soft([sum(N["P_"][h][g] * s[g][a][b] for g in H) for b in K]) for a in Q] for h in H]
        return [[[sum(N["R_"][h][g] * w[g][a][b] for g in H) for b in K] for a in Q] for h in H]
    f, w = SCORE[id], WEIGHT.get(id, lambda s, N, a: soft(s))
    return [w([f(q[a], k[b], i[a], j[b], N, a, b) for b in K], N, a) for a in Q]
