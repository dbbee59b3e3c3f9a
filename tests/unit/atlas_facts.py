# ruff: noqa: E501, N802
"""Every number of every surprising fact of the atlas, computed anew.

Yields the row, the words of its fact that carry numbers, and what these words ought to be.
"""

import math
from dataclasses import replace

import atlas_rows as H
import numpy as np
import torch
from torch.nn import functional as F

from book.atlas import rows

ROW = {row.id: row for row in rows()}
t = torch.tensor


def n(x, p=3):
    return f"{float(x):.{p}f}".replace("-", "−")


def soft(s):
    return t(s, dtype=torch.float64).softmax(-1)


WORDS = t([[1.0, 1], [1, -1], [-1, 1], [-1, -1]], dtype=torch.float64)  # cats purr dogs bark


def w_for(id, q, k, i=None, j=None, **p):
    q, k = q.double(), k.double()
    ns = {
        "torch": torch,
        "F": F,
        "math": math,
        "q": q,
        "k": k,
        "d": q.shape[-1],
        "Q": len(q),
        "K": len(k),
        "i": torch.arange(len(q)) if i is None else i,
        "j": torch.arange(len(k)) if j is None else j,
    }
    ns |= p
    exec(ROW[id].given, ns) if not p else None
    exec(ROW[id].score, ns)
    exec(ROW[id].weights, ns)
    return ns["w"], ns["s"], ns


def ang(d, base=10000.0):
    return base ** (-torch.arange(0, d, 2) / d)


def rope_score(q, k, pq, pk, id="rope", th=None):
    d = len(q)
    return w_for(
        id,
        torch.as_tensor(q)[None],
        torch.as_tensor(k)[None],
        t([pq]),
        t([pk]),
        t=ang(d) if th is None else th,
    )[1][0, 0]


def facts():
    def y(id, words, got):
        return (id, words, str(got))

    # kernels
    w = w_for("gaussian", WORDS[:1], WORDS, h=1.0)[0][0]
    yield y("gaussian", "0.776 0.105 0.105 0.014", " ".join(n(x) for x in w))
    assert torch.allclose(w, w_for("dot", WORDS[:1], WORDS, _=0)[0][0], atol=1e-15)
    line = torch.arange(8.0)[:, None]

    def b(q):
        return w_for("boxcar", t([[q]]), line, b=1.5)[0][0]

    yield y("boxcar", "0.333 to 0", f"{n(b(3.4)[2])} to {b(3.6)[2]:.0f}")
    assert (b(3.4) > 0).nonzero().flatten().tolist() == [2, 3, 4]
    s = -((line[:, 0] - 3.4) ** 2) / 8
    p = H.w_of(ROW["sparsemax"], s)[0]
    tau = (s[p > 0] - p[p > 0])[0]
    width = math.sqrt(-8 * tau)
    yield y("epanechnikov", "0.163 0.387 0.362 0.087", " ".join(n(x) for x in p[p > 0]))
    yield y("epanechnikov", "b = 1.806", f"b = {width:.3f}")
    assert torch.allclose(w_for("epanechnikov", t([[3.4]]), line, b=width)[0][0], p, atol=1e-12)

    def speed(c, l2):
        q = t(0.0, requires_grad=True)
        x = t([-c, 0.0, c])
        a = -((q - x) ** 2) if l2 else q * x
        return float(torch.autograd.grad((a.softmax(0) * x).sum(), q)[0])

    yield y(
        "l2",
        "0.667 at c = 1, 66.7 at c = 10",
        f"{n(speed(1.0, 0))} at c = 1, {speed(10.0, 0):.1f} at c = 10",
    )
    yield y("l2", "0.848 and 0.000", f"{n(speed(1.0, 1))} and {n(speed(10.0, 1))}")
    # additive
    yield y("bahdanau", "0.052", n(math.exp(4) / (math.exp(4) + 999)))
    ns, _ = H.setting(ROW["luong_concat"])
    W, u, q, k = ns["W"], ns["u"], ns["q"], ns["k"]
    d = 8
    gap = (
        (H.run(ROW["luong_concat"], ns)[1] - torch.tanh((q @ W[:d])[:, None] + k @ W[d:]) @ u)
        .abs()
        .max()
    )
    yield y("luong_concat", "2e-15", "2e-15" if gap < 2e-15 else f"{gap:.0e}")
    yield y("luong_concat", "512 times", f"{512 * 512 * 128 * 64 // ((512 + 512) * 64 * 64)} times")
    yield y("location", "0.440 each", f"{n(soft([2.0, 0, 2, 0])[0])} each")
    a = t([1.0, 0, 0, 0])
    look = []
    for step in range(3):
        a = (4 * torch.cat([t([0.0]), a[:-1]])).softmax(0)
        look.append(a.max())
        assert a.argmax() == step + 1
    yield y("location", "0.95, 0.93, 0.93", ", ".join(n(x, 2) for x in look))

    def cov(a, c):
        return sum(min(x, y_) for x, y_ in zip(a, c, strict=False))

    yield y("coverage", "1.00", f"{cov((0.9, 0.05, 0.05), (0.9, 0.05, 0.05)):.2f}")
    yield y("coverage", "0.15", n(cov((0.05, 0.9, 0.05), (0.9, 0.05, 0.05)), 2))
    # dot
    yield y("dot", "0.776", n(soft((WORDS[0] @ WORDS.T).tolist())[0]))
    yield y("dot", "0.999", n(soft((4 * WORDS[0] @ WORDS.T).tolist())[0]))
    M = t([[0.0, 1], [-1, 0]])
    a = WORDS[0] @ M @ WORDS.T
    assert a[0] == 0
    assert a[2] == 2
    assert float((WORDS @ M @ WORDS.T).diagonal().abs().max()) == 0
    yield y(
        "bilinear",
        "dogs 0.776 and itself 0.105",
        f"dogs {n(soft(a.tolist())[2])} and itself {n(soft(a.tolist())[0])}",
    )
    yield y("scaled", "0.647", n(soft((WORDS[0] @ WORDS.T / math.sqrt(2)).tolist())[0]))
    g = torch.Generator().manual_seed(0)
    sp = (
        (
            torch.randn(10**6, 64, generator=g, dtype=torch.float32)
            * torch.randn(10**6, 64, generator=g, dtype=torch.float32)
        )
        .sum(1)
        .std()
    )
    yield y(
        "scaled",
        "spread 8.0 before the division and 1.0",
        f"spread {sp:.1f} before the division and {sp / 8:.1f}",
    )
    g = torch.Generator().manual_seed(0)
    x, y2 = (torch.randn(4000, 512, generator=g) for _ in "qk")
    Wq = torch.randn(512, 64, generator=g) * (512 * 64) ** -0.5
    Wk = torch.randn(512, 64, generator=g) * 512**-0.5
    yield y(
        "unscaled", "1.01 (d_model 512", f"{((x @ Wq) * (y2 @ Wk)).sum(1).std():.2f} (d_model 512"
    )
    yield y(
        "mup",
        "8 at d = 64, 32 at d = 1,024",
        f"{64 / math.sqrt(64):.0f} at d = 64, {1024 / math.sqrt(1024):.0f} at d = 1,024",
    )
    yield y(
        "scalar",
        "0.0833 in place of 0.0884, so its scores are 5.7 %",
        f"{n(144**-0.5, 4)} in place of {n(128**-0.5, 4)}, "
        f"so its scores are {100 * (1 - math.sqrt(128 / 144)):.1f} %",
    )

    # norms
    def best(m):
        return math.e / (math.e + m - 1)

    yield y("cosine", "0.280, of 64 0.041", f"{n(best(8))}, of 64 {n(best(64))}")
    yield y("cosine", "9.13", f"{math.log(9 * 1023):.2f}")
    yield y(
        "qknorm_l2",
        "11.4, for L = 512 it is 18.0",
        f"{math.log2(52**2 - 52):.1f}, for L = 512 it is {math.log2(512**2 - 512):.1f}",
    )
    rng = np.random.default_rng(1)
    K4 = t(rng.normal(size=(4, 2)))
    q1 = t(rng.normal(size=2))[None]
    K5 = K4.clone()
    K5[2] *= 10
    one = torch.ones(2)
    pl = [w_for("scaled", q1, k_, _=0)[0][0, 2] for k_ in (K4, K5)]
    qn = [w_for("qknorm_gain", q1, k_, g_q=one, g_k=one)[0][0, 2] for k_ in (K4, K5)]
    yield y("qknorm_gain", "0.308 to 0.894", f"{n(pl[0])} to {n(pl[1])}")
    yield y("qknorm_gain", "0.446 to 0.446", f"{n(qn[0])} to {n(qn[1])}")
    ns, _ = H.setting(ROW["rope"])
    q, k, d = ns["q"], ns["k"], 8

    def rms(x):
        return x / x.square().mean(-1, keepdim=True).sqrt()

    gain = torch.linspace(0.5, 2, d)

    def tr(x, p):
        return (
            lambda c, s_: torch.cat(
                [x[:, :4] * c - x[:, 4:] * s_, x[:, 4:] * c + x[:, :4] * s_], -1
            )
        )((p[:, None] * ang(d)).cos(), (p[:, None] * ang(d)).sin())

    i = torch.arange(8)

    def sc(a, b):
        return a @ b.T / math.sqrt(d)

    g1 = (sc(tr(rms(q), i), tr(rms(k), i)) - sc(rms(tr(q, i)), rms(tr(k, i)))).abs().max()
    g2 = (
        (
            sc(tr(rms(q) * gain, i), tr(rms(k) * gain, i))
            - sc(rms(tr(q, i)) * gain, rms(tr(k, i)) * gain)
        )
        .abs()
        .max()
    )
    yield y("qknorm_bare", "2e-15", "2e-15" if g1 < 2e-15 else f"{g1:.0e}")
    yield y("qknorm_bare", "2.03", f"{g2:.2f}")
    x = torch.ones(4, 1, 64)
    x[0] *= 10
    xn = x / x.square().mean((0, 2), keepdim=True).sqrt()
    top = (xn * xn).sum(-1) / 8
    yield y("qknorm_all", "almost 4√d", "almost 4√d" if 3.8 < top[0] / 8 < 4 else f"{top[0] / 8}√d")
    yield y("qknorm_all", "1/26", f"1/{round(float(8 / top[1, 0]))}")
    # matrices
    g = torch.Generator().manual_seed(0)
    X, Y = torch.randn(10000, 8, generator=g), torch.randn(8, 8, generator=g)
    A, B = torch.randn(8, 8, generator=g), torch.randn(8, 8, generator=g)

    def win(r):
        return len(((X @ A[:, :r]) @ (Y @ B[:, :r]).T).argmax(1).unique())

    yield y(
        "lowrank",
        "the winners are 2; with r = 2 they are 6, with r = 8 all 8",
        f"the winners are {win(1)}; with r = 2 they are {win(2)}, with r = 8 all {win(8)}",
    )
    yield y("mla", "70,272", f"{(512 + 64) * 61 * 2:,}")
    yield y(
        "mla",
        "4,997,120, 71.1 times",
        f"{128 * (192 + 128) * 61 * 2:,}, {128 * 320 / 576:.1f} times",
    )
    ns, _ = H.setting(ROW["mla"])
    gap = (ns["q"] @ (ns["k"] @ ns["W"].T).T / math.sqrt(8) - H.run(ROW["mla"], ns)[1]).abs().max()
    yield y("mla", "1e-15", "1e-15" if gap <= 1.2e-15 else f"{gap:.0e}")
    Wq, Wk = (torch.randn(2, 2, generator=g) for _ in "qk")

    def R(a):
        return t([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])

    assert (Wq.T @ R(0) @ Wk - Wq.T @ R(1) @ Wk).abs().max() > 0.1
    m = t([[1.5, -0.5]]) @ t([[0.9, 0.1], [0.1, 0.9]])
    yield y("talking", "1.30 and −0.30", f"{m[0, 0]:.2f} and {n(m[0, 1], 2)}")

    # places
    def cd(p, d=8):
        return torch.cat([(p * ang(d)).sin(), (p * ang(d)).cos()])

    assert abs(cd(3) @ cd(1) - cd(1003) @ cd(1001)) < 1e-12
    yield y("absolute", "1e-12", "1e-12")
    ns, _ = H.setting(ROW["absolute"])
    i = ns["i"]
    s0, s1 = (H.run(ROW["absolute"], ns, i=i + x, j=i + x)[1] for x in (0, 1000))
    yield y("absolute", "by up to 3.0", f"by up to {(s0 - s1).abs().max():.1f}")
    ns, _ = H.setting(ROW["shaw"])
    s1, s2 = (
        H.run(ROW["shaw"], ns, i=t([x] * 8), j=torch.zeros(8, dtype=torch.long))[1]
        for x in (5, 100000)
    )
    assert torch.equal(s1, s2)
    yield y(
        "txl",
        "65,472 numbers, not 16,777,216",
        f"{(2 * 512 - 1) * 64:,} numbers, not {512 * 512 * 64:,}",
    )

    def bk(r):
        return int(
            w_for("t5", torch.zeros(1, 2), torch.zeros(1, 2), t([r]), t([0]), b=torch.arange(32.0))[
                1
            ][0, 0]
        )

    assert [bk(x) for x in range(9)] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert bk(9) == bk(8)
    assert bk(90) != bk(91) == bk(128) == bk(100000)
    yield y("t5", "91, 128 and 100,000", "91, 128 and 100,000")
    g = torch.Generator().manual_seed(0)
    N = 4000
    D = 64

    def R_(*s_):
        return torch.randn(*s_, generator=g)

    sp = [
        w_for("deberta", R_(1, D), R_(1, D), t([1]), t([0]), c=4, Kr=R_(8, D), Qr=R_(8, D))[1][0, 0]
        for _ in range(N)
    ]
    yield y("deberta", "measured 0.99", f"measured {n(torch.stack(sp).std(), 2)}")
    ns, _ = H.setting(ROW["deberta"])
    wrong = replace(ROW["deberta"], score=ROW["deberta"].score.replace("(-D.T + c)", "(D.T + c)"))
    yield y(
        "deberta",
        "by up to 1.6",
        f"by up to {(H.run(ROW['deberta'], ns)[1] - H.run(wrong, ns)[1]).abs().max():.1f}",
    )

    def far(m):
        return (lambda w: (n(w[0]), int((w.cumsum(0) < 0.5).sum()) + 1))(
            (-m * torch.arange(100000.0)).softmax(0)
        )

    yield y(
        "alibi",
        "0.393 for itself and half of the weight within 2",
        f"{far(0.5)[0]} for itself and half of the weight within {far(0.5)[1]}",
    )
    yield y("alibi", "needs 178", f"needs {far(1 / 256)[1]}")
    s = t([0.3, -1, 0.5, 0.2, 1, 0, 0.4, 0.1])
    j = torch.arange(8.0)
    a, b = s - 0.5 * (7 - j), s + 0.5 * j
    assert (a.softmax(0) - b.softmax(0)).abs().max() < 1.2e-16

    def one(x):
        return (x.exp() / (1 + x.exp().sum())).sum()

    yield y("alibi", "sums 0.770 and 0.991", f"sums {n(one(a))} and {n(one(b))}")
    yield y("fox", "0.607", n(math.exp(-0.5)))
    ns, _ = H.setting(ROW["fox"])
    f = math.exp(-0.5)
    assert (
        H.run(ROW["fox"], ns, x_f=torch.full((8,), math.log(f / (1 - f))))[0]
        - H.run(ROW["alibi"], dict(ns, m=0.5))[0]
    ).abs().max() < 1e-15
    sc = [rope_score([1.0, 0], [1.0, 0], 7, 7 - x) * math.sqrt(2) for x in range(8)]
    yield y(
        "rope",
        "1, 0.54, −0.42, −0.99, −0.65, 0.28, 0.96, 0.75",
        ", ".join("1" if x > 0.9999 else n(x, 2) for x in sc),
    )
    lam = 2 * math.pi / ang(128)
    yield y("rope", "14 of the 64", f"{int((lam > 8192).sum())} of the {len(lam)}")
    rng = np.random.default_rng(0)
    q4, k4 = rng.normal(size=4), rng.normal(size=4)
    yield y(
        "rope_inter",
        "0.190 in halves and 0.969",
        f"{n(2 * rope_score(q4, k4, 5, 3))} in halves and {n(2 * rope_score(q4, k4, 5, 3, 'rope_inter'))}",
    )
    assert (
        abs(rope_score(q4, k4, 5, 3, "rope_inter") - rope_score(q4, k4, 105, 103, "rope_inter"))
        < 1e-12
    )
    yield y(
        "rope_linear",
        "cos = 0.992 in place of 0.540",
        f"cos = {n(math.cos(1 / 8))} in place of {n(math.cos(1))}",
    )
    d = 8
    a, b = ang(d), ang(d, 10000 * 8 ** (d / (d - 2)))
    assert a[0] == b[0] == 1
    yield y("rope_ntk", "8.000", f"{a[-1] / b[-1]:.3f}")
    yield y("yarn", "1.81 times", f"{(0.1 * math.log(32) + 1) ** 2:.2f} times")
    th = ang(128, 500000.0)
    lam = 2 * math.pi / th
    lo, hi = int((lam < 2048).sum()), int((lam > 8192).sum())
    yield y(
        "rope_llama3",
        "29 of the 64 pairs are divided by 8, 29 are left alone, and 6",
        f"{hi} of the 64 pairs are divided by 8, {lo} are left alone, and {64 - lo - hi}",
    )
    th = ang(8)
    th[1:] = 0
    v = torch.ones(8) / math.sqrt(8) * 8**0.25
    yield y(
        "prope",
        "scores 1.00 keeps 0.89",
        f"scores {rope_score(v, v, 0, 0, th=th):.2f} keeps {n(rope_score(v, v, 1000, 0, th=th), 2)}",
    )
    assert min(rope_score(v, v, place, 0, th=th) for place in range(1000)) >= 0.5  # "at least half"
    ns, _ = H.setting(ROW["rope_linear"])
    gap = (
        (
            H.run(ROW["lerope"], ns, t=ang(8) * math.exp(-math.log(8)))[1]
            - H.run(ROW["rope_linear"], ns)[1]
        )
        .abs()
        .max()
    )
    yield y("lerope", "to 1e-15", "to 1e-15" if gap < 1.2e-15 else f"{gap:.0e}")
    yield y("lerope", "−2.08", n(-math.log(8), 2))
    zeta = 0.4 / 1.4
    yield y("xpos", "0.286", n(zeta))
    place = math.ceil(math.log(torch.finfo(torch.float32).max) / -math.log(zeta) * 512)
    yield y("xpos", "36,261", f"{place:,}")

    def p32(x):
        return t(zeta, dtype=torch.float32) ** (-x / 512)

    assert torch.isinf(p32(t(float(place + 40), dtype=torch.float32)))
    assert torch.isfinite(p32(t(float(place - 40), dtype=torch.float32)))
    yield y(
        "nope",
        "0.125",
        n((w_for("nope", torch.zeros(8, 2), torch.zeros(8, 2), _=0)[0] @ t([1.0] + [0] * 7))[7]),
    )
    # after
    c = 50
    cap = [c * math.tanh(x / c) for x in (300, 200, 100)]
    yield y("softcap", "49.999, 49.966, 48.20", f"{cap[0]:.3f}, {cap[1]:.3f}, {cap[2]:.2f}")
    yield y("softcap", "0.469 0.454 0.078", " ".join(n(x) for x in soft(cap)))
    leak = soft([0.0] + [-5.0] * 7)[1:].sum()
    yield y("softcap", "4.5 %", f"{100 * leak:.1f} %")

    def lead(m, g=1.0):
        return math.exp(5 * g) / (math.exp(5 * g) + m - 1)

    def L(m):
        return math.log(m) / math.log(128)

    yield y(
        "logn",
        "0.955 of 8 keys, 0.127 of 1,024, 0.0011",
        f"{n(lead(8))} of 8 keys, {n(lead(1024))} of 1,024, {n(lead(131072), 4)}",
    )
    yield y("logn", "0.549, 0.553, 0.589", ", ".join(n(lead(m, L(m))) for m in (8, 1024, 131072)))

    def l4(p):
        return 1 + 0.1 * math.log1p(math.floor((p + 1) / 8192))

    yield y("llama4_temp", "1.486", f"{l4(2**20 - 1):.3f}")
    yield y("llama4_temp", "1.283", f"{l4(131071):.3f}")
    yield y("llama4_temp", "0.0046", n(lead(131072, l4(131071)), 4))
    ns, _ = H.setting(ROW["mistral_temp"])
    gap = (
        (
            H.run(ROW["mistral_temp"], ns, al=1 / math.log(128), be=0.0)[1][-1]
            - H.run(ROW["logn"], ns)[1][-1]
        )
        .abs()
        .max()
    )
    yield y("mistral_temp", "4e-16", "4e-16" if gap < 4.5e-16 else f"{gap:.0e}")
    s = t([2.0, 1, 0, -1])
    zz = 2.0
    a = H.w_of(ROW["learned-sink"], s, z=t([zz]))[0]
    b = s.softmax(0) * torch.sigmoid(s.logsumexp(0) - zz)
    yield y(
        "learned-sink",
        "3e-17",
        "3e-17" if (a - b).abs().max() < 6e-17 else f"{(a - b).abs().max():.0e}",
    )

    def S8(x):
        return H.w_of(ROW["learned-sink"], [x] * 8, z=t([0.0]))[0].sum()

    yield y("learned-sink", "0.051", n(S8(-5.0)))
    assert H.w_of(ROW["learned-sink"], [-math.inf] * 3, z=t([0.0]))[0].sum() == 0
    torch.manual_seed(0)
    mha = torch.nn.MultiheadAttention(
        4, 1, bias=False, add_zero_attn=True, batch_first=True, dtype=torch.float32
    )
    X = torch.randn(1, 3, 4, dtype=torch.float32)
    _o, wm = mha(X, X, X)
    sc = (X[0] @ mha.in_proj_weight[:4].T) @ (X[0] @ mha.in_proj_weight[4:8].T).T / 2
    mine = H.w_of(ROW["plusone"], sc.double())
    gap = (wm[0, :, :-1] - mine).abs().max()
    yield y("plusone", "1e-7", "1e-7" if gap < 1.5e-7 else f"{gap:.0e}")
    assert abs(float(H.w_of(ROW["plusone"], [0.0] * 8)[0, 0]) - 1 / 9) < 1e-15
    yield y("plusone", "1/9", "1/9")
    yield y("gate", "0.051 or 0.999", f"{n(S8(-5.0))} or {n(S8(5.0))}")
    # instead
    assert H.w_of(ROW["sparsemax"], [1.0, 0.0])[0].tolist() == [1, 0]
    yield y("sparsemax", "0.731", n(soft([1.0, 0])[0]))
    S = [2.0, 1, 0, -1]

    def nice(w):
        return " ".join("1" if x == 1 else "0" if x == 0 else n(x) for x in w)

    yield y("entmax", "0.831 0.169 0 0", nice(H.w_of(ROW["entmax"], S)[0]))
    yield y("entmax", "0.644 0.237 0.087 0.032", nice(soft(S)))
    yield y("entmax", "1 0 0 0", nice(H.w_of(ROW["sparsemax"], S)[0]))
    assert abs(float(H.w_of(ROW["sigmoid"], [0.0] * 8)[0, 0]) - 1 / 9) < 1e-15
    yield y("sigmoid", "0.644 to 0.112", f"{n(soft(S)[0])} to {n(soft([*S, 4.0])[0])}")
    sg = torch.sigmoid(t(S) - math.log(4))
    assert torch.equal(torch.sigmoid(t([*S, 4.0]) - math.log(4))[:4], sg)
    yield y(
        "relu",
        "0.50 0.25 0 0",
        " ".join("0" if x == 0 else n(x, 2) for x in H.w_of(ROW["relu"], S)[0]),
    )
    assert torch.equal(H.w_of(ROW["relu"], [4.0, 2, 0, -2]), 2 * H.w_of(ROW["relu"], S))
    a = soft([1.0, 0.99])
    yield y("topk", "0.5025 and 0.4975", f"{n(a[0], 4)} and {n(a[1], 4)}")
    assert H.w_of(ROW["topk"], [1.0, 0.99], n_keep=1)[0].tolist() == [1, 0]
    kk = t([-2.0, -1, 0, 1, 2])
    yield y("indexer", "2 1 0 1 2", " ".join(f"{x:.0f}" for x in kk.relu() + (-kk).relu()))
    assert (kk + -kk).abs().max() == 0
    a = t([3.0] + [0.0] * 7).softmax(0) - 0.8 * torch.zeros(8).softmax(0)
    yield y("differential", "sums to 0.2", f"sums to {n(a.sum(), 1)}")
    assert int((a < 0).sum()) == 7
    yield y("differential", "−1.77", n(a @ torch.arange(8.0), 2))
    w = H.w_of(ROW["stickbreaking"], torch.zeros(5, 5))[4]
    assert torch.allclose(w, t([1 / 16, 1 / 8, 1 / 4, 1 / 2, 0]), atol=1e-15)
    yield y("stickbreaking", "½, the next ¼, then ⅛", "½, the next ¼, then ⅛")

    def four(a):
        K = t([[a, 0.0], [0, a], [-a, 0], [0, -a]])
        return K[:1], K

    q, K = four(4.0)
    yield y(
        "linear",
        "1.000, this one 0.617",
        f"{w_for('scaled', q, K, _=0)[0][0, 0]:.3f}, this one {n(w_for('linear', q, K, _=0)[0][0, 0])}",
    )
    yield y("linear", "only 0.848", f"only {n(w_for('linear', *four(16.0), _=0)[0][0, 0])}")
    q, K = four(1.5)
    rng = np.random.default_rng(0)
    got = {}
    for m in (4, 16, 64, 256, 4096):
        W = t(rng.normal(size=(m, 2)))
        got[m] = w_for("performer", q, K, W=W)[0][0, 0]
    yield y(
        "performer",
        "exact 0.818; with 256 features 0.690, with 4,096 0.717",
        f"exact {n((K @ q[0]).softmax(0)[0])}; with 256 features {n(got[256])}, with 4,096 {n(got[4096])}",
    )
    k = t([1.0, 0])
    mem = torch.zeros(2)
    for v in (10.0, 20.0):
        mem = mem + (v - mem @ k) * k
    yield y("delta", "reads 20", f"reads {mem @ k:.0f}")
    yield y("delta", "reads 30", f"reads {(10 * k + 20 * k) @ k:.0f}")
    # layers
    C, q1 = t([[1.0, 0], [0, 1], [0.6, 0.8]]), t([[1.0, 0.5]])
    raw, back = [], []
    for p in (0, 10):
        w, s, ns = w_for("keqv", q1, C, t([p + 2]), torch.arange(3) + p, t=torch.ones(1))
        raw.append((w @ ns["turn"](C, ns["j"][:, None] * ns["t"]))[0])
        back.append(ns["o"][0])

    def pair(v, p=2):
        return f"({n(v[0], p)}, {n(v[1], p)})"

    assert (back[0] - back[1]).abs().max() < 1e-14
    yield y(
        "keqv",
        "(−0.69, 0.34) at places 0 … 2 and (0.76, 0.09)",
        f"{pair(raw[0])} at places 0 … 2 and {pair(raw[1])}",
    )
    yield y("keqv", "(0.596, 0.486)", pair(back[0], 3))

    def by(kv):
        return f"{2 * 32 * kv * 128 * 2:,}"

    yield y("mqa", "524,288 to 16,384", f"{by(32)} to {by(1)}")
    yield y(
        "gqa",
        "131,072 bytes a token in place of 524,288",
        f"{by(8)} bytes a token in place of {by(32)}",
    )
    ns, _ = H.setting(ROW["gqa"])
    rep = ns["k"][:2].repeat_interleave(2, 0)
    assert (ns["q"] @ rep.mT / math.sqrt(8) - H.run(ROW["gqa"], ns)[1]).abs().max() < 1e-15
    i, j = torch.arange(8)[:, None], torch.arange(8)[None]
    win = (
        H.w_of(
            replace(ROW["window"], weights="w = (s > -9e9).double()"),
            torch.zeros(8, 8).masked_fill((j > i) | (j <= i - 4), -math.inf),
        )
        > 0
    )
    reach = ((win.double() @ win.double()) > 0).sum(1)
    assert reach[7] == 7
    assert [bool(win[r, : win[r].sum()].all()) for r in range(8)] == [True] * 4 + [False] * 4
    yield y("window", "two layers see 7", f"two layers see {reach[7]}")
    ch = ((j <= i) & (j // 4 == i // 4)).double()
    yield y("chunk", "1 2 3 4 1 2 3 4 keys", " ".join(f"{x:.0f}" for x in ch.sum(1)) + " keys")
    assert ((torch.linalg.matrix_power(ch, 10) > 0).sum(1) == ch.sum(1)).all()
    yield y(
        "document", "0.80 of its look", f"{n(torch.zeros(5).softmax(0)[:4].sum(), 2)} of its look"
    )

    yield from newer(y)


def newer(y):
    """The facts of rows about graphs, blocks, pictures, depth and gates."""
    random = torch.Generator().manual_seed(0)

    def draw(*shape):
        return torch.randn(*shape, generator=random, dtype=torch.float64)

    keys, queries = draw(8, 8), draw(1000, 8)
    W, W_k, u, v = draw(8, 8), draw(8, 8), draw(8), draw(8)
    first = {
        "gat": w_for("gat", queries, keys, W=W, u=u, v=v)[1],
        "gatv2": w_for("gatv2", queries, keys, W_q=W, W_k=W_k, u=u)[1],
    }
    best = {name: len(s.argmax(-1).unique()) for name, s in first.items()}
    number = {1: "one"}
    yield y("gat", "of 8 random keys one has", f"of 8 random keys {number.get(best['gat'])} has")
    yield y("gat", "the next row 5 of the 8", f"the next row {best['gatv2']} of the 8")
    far = w_for("gatv2", 100 * queries, 100 * keys, W_q=W, W_k=W_k, u=u)[1]
    yield y("gatv2", "grows 100-fold", f"grows {float((far / first['gatv2']).mean()):.0f}-fold")
    assert (
        w_for("bahdanau", 100 * queries, 100 * keys, W_q=W, W_k=W_k, u=u)[1].abs().max()
        <= u.abs().sum() + 1e-9
    )

    c, d = 22.627416997969522, 128
    yield y("l2clip", "c = 22.627 is 2√128", f"c = {c:.3f} is {c / math.sqrt(128):.0f}√128")
    one = torch.ones(1, d, dtype=torch.float64)

    def clip(length):
        x = one * length / math.sqrt(d)
        return float(w_for("l2clip", one, x, g=torch.ones(d), longest=c)[1])

    most = float(w_for("l2clip", 1e6 * one, 1e6 * one, g=torch.ones(d), longest=c)[1])
    normed = float(w_for("qknorm_bare", one, one)[1])
    yield y(
        "l2clip",
        "45.3, where QK-norm stops at 11.3",
        f"{n(most, 1)}, where QK-norm stops at {n(normed, 1)}",
    )
    yield y("l2clip", "ratio 1 to 20", f"ratio 1 to {clip(20) / clip(1):.0f}")
    assert abs(clip(40) - clip(400)) < 1e-9

    e = one[:, :8] / math.sqrt(8)
    unit = {"step": e.expand(5, -1), "beta": torch.full((5,), 2.0)}
    later = math.sqrt(8) * w_for("path", e.expand(5, -1), e.expand(5, -1), **unit)[1][:, 0]
    yield y(
        "path",
        "−1, 1, −1, 1 from 1 to 4",
        ", ".join(f"{x:.0f}" for x in later[1:]).replace("-", "−") + " from 1 to 4",
    )
    erased = w_for("path", e.expand(5, -1), e.expand(5, -1), step=unit["step"], beta=torch.ones(5))[
        1
    ][1:, 0]
    yield y(
        "path", "wipes the match out: 0", f"wipes the match out: {float(erased.abs().max()):.0f}"
    )
    f = math.exp(-0.5)
    x_f = torch.full((21,), math.log(f / (1 - f)), dtype=torch.float64)
    q5 = 5 * math.sqrt(math.sqrt(8)) * e.expand(21, -1) / math.sqrt(5)
    fox = w_for("fox", q5, q5, x_f=x_f)[1][20, 0]
    wall = w_for("wall", q5, q5, x_f=x_f[:, None].expand(-1, 8))[1][20, 0]
    yield y("wall", "Gates of 0.607", f"Gates of {n(f)}")
    yield y("wall", "−5.0 and Wall 0.0002", f"{n(fox, 1)} and Wall {n(wall, 4)}")
    patches = torch.zeros(1024, 8).double()
    used = w_for("mrope", patches, patches, t=ang(8), axis=t([0, 1, 1, 2]), side=32)[2]["places"](
        torch.arange(1024)
    )
    yield y(
        "mrope",
        "32 × 32 patches takes 1,024 places, here 32",
        f"32 × 32 patches takes {32 * 32:,} places, here {int(used.max()) + 1}",
    )
    slow = ang(128, 1e6)[16 + 24]
    yield y("mrope", "by 0.00018 from", f"by {slow:.5f} from")
    yield y(
        "mrope",
        "differ by 1.6e-8 in its",
        f"differ by {1 - math.cos(slow):.1e} in its".replace("e-08", "e-8"),
    )

    block = torch.zeros(128)
    block[5] = 8
    yield y(
        "bestblock",
        "8 by the best key and 0.06 by the mean",
        f"{block.max():.0f} by the best key and {n(block.mean(), 2)} by the mean",
    )
    assert block.mean() < 0.1
    opposite = t([[5.0], [-5.0], [0.1], [0.1], [0.0], [0.0]])
    five = torch.ones(6, 1)
    plain = w_for("meanblock", five, opposite, size=2, n_keep=2)[0][5]
    assert plain[:2].sum() == 0
    assert plain[2:4].sum() > 0
    yield y("meanblock", "average 0", f"average {opposite[:2].mean():.0f}")
    yield y(
        "meanblock",
        "5 against 0.1",
        f"{opposite[:2].max():.0f} against {n(opposite[2:4].max(), 1)}",
    )
    cheap, dear = 64 * 128, 128 * (576 + 512)
    yield y(
        "shared-choice",
        "8,192 products a key, the dear one 139,264",
        f"{cheap:,} products a key, the dear one {dear:,}",
    )
    yield y("shared-choice", "from 34,816 keys", f"from {dear * 2048 // cheap:,} keys")
    yield y("shared-choice", "3.8 times", f"{n(cheap * 131072 / (dear * 2048), 1)} times")
    line = torch.arange(4.0)[:, None]
    w = w_for("parallax", torch.zeros(1, 1), line, slope=t([[2.0]]))[0][0]
    yield y("parallax", "1.00 0.50 0.00 −0.50", " ".join(n(x, 2) for x in w))
    yield y("parallax", "answer is −1.00", f"answer is {n(w @ line[:, 0].double(), 2)}")

    yield y("compressed", "262,144 or 8,192 keys", f"{2**20 // 4:,} or {2**20 // 128:,} keys")
    ns, _ = H.setting(ROW["compressed"])
    ns["b"] = torch.zeros_like(ns["b"])
    swap = t([1, 0, 2, 3, 4, 5, 6, 7])
    gap = (
        (
            H.run(ROW["compressed"], ns)[1]
            - H.run(ROW["compressed"], ns, k=ns["k"][swap], z=ns["z"][swap])[1]
        )
        .abs()
        .max()
    )
    yield y("compressed", "to 1e-15", "to 1e-15" if gap < 1.5e-15 else f"to {gap:.0e}")
    word = torch.eye(4, dtype=torch.float64)[[3, 0, 1, 2, 0]]  # x a b c a
    plain = torch.stack([torch.zeros(4, 4), torch.eye(4)]).double()
    none, before = torch.zeros(2, 4).double(), t([[9.0] * 4, [0.0] * 4]).double()
    w = w_for("cca", word, word, a=none, b=before, A=plain, B=plain, tau=t([5.0]))[0][4]
    yield y("cca", "gives b 0.9996", f"gives b {n(w[2], 4)}")
    squares = t([100.0] + [1.0] * 11)
    yield y(
        "depth",
        "0.90 of the squared length",
        f"{n(squares[0] / squares.sum(), 2)} of the squared length",
    )
    states = torch.diag(squares.sqrt())
    w = w_for("depth", torch.zeros(1, 12), states)[0][0]
    yield y("depth", "1/12 = 0.083", f"1/{1 / w[0]:.0f} = {n(w[0])}")
