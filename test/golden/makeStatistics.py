"""Makes statistics.json: cases of the summaries, intervals, tests, plate figures and of one whole study, as measurements.md
defines them, by scipy 1.10 and numpy 1.24 (Debian's python3-scipy). Run: python3 makeStatistics.py.
Numbers are float64 in their shortest form that reads back the same; null is "missing"."""
import json, warnings, numpy as np
from scipy import stats

rnd = np.random.default_rng(20261123)


def ci(mean, se, df, level=0.95):
    t = stats.t.ppf(0.5 + level / 2, df)
    return [mean - t * se, mean + t * se]


def summary(x):
    x = np.asarray(x, float)
    n, mean = len(x), x.mean()
    sd = x.std(ddof=1) if n > 1 else None
    sem = sd / np.sqrt(n) if n > 1 else None
    q = np.percentile(x, [25, 50, 75])
    return {"values": list(x), "n": n, "mean": mean, "sd": sd, "sem": sem, "ci95": ci(mean, sem, n - 1) if n > 1 else None,
            "median": q[1], "q1": q[0], "q3": q[2], "min": x.min(), "max": x.max()}


def welch(a, b):
    """difference = b - a; p two-sided; nothing but the difference where neither varies or n < 3."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    out = {"a": list(a), "b": list(b), "difference": b.mean() - a.mean(), "t": None, "df": None, "p": None, "ci95": None}
    if min(len(a), len(b)) < 3 or (a.var() == 0 and b.var() == 0): return out
    va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    df = (va + vb) ** 2 / (va ** 2 / (len(a) - 1) + vb ** 2 / (len(b) - 1))
    t, p = stats.ttest_ind(b, a, equal_var=False)
    return {**out, "t": t, "df": df, "p": p, "ci95": ci(out["difference"], np.sqrt(va + vb), df)}


def paired(a, b):
    """Values in the same order of replicates; null where a replicate has none: such a pair is left out."""
    pairs = [(x, y) for x, y in zip(a, b) if x is not None and y is not None]
    d = np.array([y - x for x, y in pairs], float)
    out = {"a": list(a), "b": list(b), "n": len(d), "difference": d.mean() if len(d) else None, "t": None, "df": None, "p": None, "ci95": None}
    if len(d) < 3 or d.var() == 0: return out
    t, p = stats.ttest_rel([y for _, y in pairs], [x for x, _ in pairs])
    return {**out, "t": t, "df": len(d) - 1, "p": p, "ci95": ci(d.mean(), d.std(ddof=1) / np.sqrt(len(d)), len(d) - 1)}


def holm(ps):
    """Adjusted p values in the order given; missing ones aren't of the family."""
    known = [i for i, p in enumerate(ps) if p is not None]
    out, running = [None] * len(ps), 0.0
    for rank, at in enumerate(sorted(known, key=lambda i: ps[i])):
        running = max(running, min(1.0, ps[at] * (len(known) - rank)))
        out[at] = running
    return out


def anova(groups):
    out = {"f": None, "df": None, "p": None}
    if any(len(g) < 3 or np.var(g) == 0 for g in groups): return out
    n = np.array([len(g) for g in groups], float)
    m = np.array([np.mean(g) for g in groups])
    w = n / np.array([np.var(g, ddof=1) for g in groups])
    k, W = len(groups), w.sum()
    grand = (w * m).sum() / W
    lack = ((1 - w / W) ** 2 / (n - 1)).sum()
    f = ((w * (m - grand) ** 2).sum() / (k - 1)) / (1 + 2 * (k - 2) / (k * k - 1) * lack)
    df = [k - 1, (k * k - 1) / (3 * lack)]
    return {"f": f, "df": df, "p": stats.f.sf(f, *df)}


def several(groups, reference=None, pairing=False):
    """Three conditions or more: Welch's ANOVA (never when paired), and the family's comparisons, Holm-adjusted."""
    k = len(groups)
    pairs = [(reference, j) for j in range(k) if j != reference] if reference is not None else [(i, j) for i in range(k) for j in range(i + 1, k)]
    one = paired if pairing else welch
    tests = [one(groups[i], groups[j]) for i, j in pairs]
    adjusted = holm([t["p"] for t in tests])
    keep = lambda t: {key: t[key] for key in t if key not in ("a", "b")}
    return {"groups": [list(g) for g in groups], "reference": reference, "paired": pairing, **({} if pairing else {"anova": anova(groups)}),
            "pairs": [{"of": list(of), **keep(t), "pAdjusted": p} for of, t, p in zip(pairs, tests, adjusted)]}


def ratio(a, b):
    """Ratio of geometric means b / a: Welch's t on logarithms; its interval is back-transformed."""
    t = welch(np.log(a), np.log(b))
    return {"a": list(a), "b": list(b), "ratio": np.exp(t["difference"]), "ci95": [np.exp(v) for v in t["ci95"]], "t": t["t"], "df": t["df"], "p": t["p"]}


def plate(negative, positive, samples):
    """Values of wells. Percent of control by the mean of the negative wells; robust z of all wells by those that aren't controls."""
    n, p, s = (np.asarray(v, float) for v in (negative, positive, samples))
    mad = lambda v: 1.4826 * np.median(np.abs(v - np.median(v)))
    over = lambda x, y: None if y == 0 else x / y
    far, robust = abs(p.mean() - n.mean()), abs(np.median(p) - np.median(n))
    minus = lambda v: None if v is None else 1 - v
    z = lambda v: [over(x - np.median(s), mad(s)) for x in v]
    return {"negative": list(n), "positive": list(p), "samples": list(s),
            "zPrime": minus(over(3 * (n.std(ddof=1) + p.std(ddof=1)), far)), "robustZPrime": minus(over(3 * (mad(n) + mad(p)), robust)),
            "ssmd": over(p.mean() - n.mean(), np.sqrt(n.var(ddof=1) + p.var(ddof=1))),
            "percentOfControl": [over(100 * x, n.mean()) for x in s], "robustZ": {"samples": z(s), "negative": z(n), "positive": z(p)}}


def study():
    """Objects in images of replicates of two conditions: what each statistic takes for one value. Filter of the table:
    Area >= 40; named filter: Signal > 120, missing in some objects; one image has no object, one none that passes."""
    images, objects = [], []
    for c in ("control", "treated"):
        for d in ("d1", "d2", "d3"):
            for site in range(1, 5):
                name = f"{c}/{d}_s{site}.tif"
                images.append({"image": name, "condition": c, "donor": d})
                count = 0 if name == "treated/d2_s3.tif" else int(rnd.integers(3, 12))
                for i in range(count):
                    small = name == "control/d3_s1.tif"
                    area = round(float(rnd.uniform(5, 39) if small else rnd.uniform(20, 200)), 3)
                    signal = None if rnd.random() < 0.1 else round(float(rnd.normal(130 if c == "treated" else 110, 25)), 4)
                    objects.append({"image": name, "id": i + 1, "Area": area, "Signal": signal})
    table = [o for o in objects if o["Area"] >= 40]
    of = lambda rows, image: [o for o in rows if o["image"] == image]
    mean = lambda v: float(np.mean(v)) if len(v) else None
    share = lambda rows: (lambda known: sum(o["Signal"] > 120 for o in known) / len(known) if known else None)([o for o in rows if o["Signal"] is not None])
    perImage = {i["image"]: {"objects": len(of(table, i["image"])), "meanArea": mean([o["Area"] for o in of(table, i["image"])]), "share": share(of(table, i["image"]))} for i in images}
    replicates = []
    for c in ("control", "treated"):
        for d in ("d1", "d2", "d3"):
            mine = [i["image"] for i in images if i["condition"] == c and i["donor"] == d]
            rows = [o for o in table if o["image"] in mine]
            present = lambda key: [perImage[m][key] for m in mine if perImage[m][key] is not None]
            replicates.append({"condition": c, "donor": d, "images": len(mine), "objects": len(rows), "objectsPerImage": len(rows) / len(mine),
                               "meanAreaOverObjects": mean([o["Area"] for o in rows]), "meanAreaOverImages": mean(present("meanArea")),
                               "shareOverObjects": share(rows), "shareOverImages": mean(present("share"))})
    value = lambda c, key: [r[key] for r in replicates if r["condition"] == c]
    compare = {key: {"welch": welch(value("control", key), value("treated", key)), "paired": paired(value("control", key), value("treated", key))}
               for key in ("objectsPerImage", "meanAreaOverObjects", "meanAreaOverImages", "shareOverObjects", "shareOverImages")}
    return {"images": images, "objects": objects, "tableFilter": "Area >= 40", "namedFilter": "Signal > 120", "perImage": perImage, "replicates": replicates, "compare": compare}


def draw(n, mean, sd, digits=6): return [float(f"{x:.{digits}g}") for x in rnd.normal(mean, sd, n)]


warnings.simplefilter("ignore", RuntimeWarning)  # nearly equal values are among the cases on purpose
donors = draw(6, 100, 40)
out = {
    "summary": [summary(v) for v in ([5.0], [1.0, 2.0], [3, 3, 3, 3.0], draw(3, 100, 12), draw(30, -4, 0.01), draw(500, 1e6, 3, 10),
                                     [1e15, 1e15 + 2, 1e15 + 4, 1e15 + 10], list(rnd.lognormal(0, 2, 101)))],
    "welch": [welch(draw(3, 100, 5), draw(3, 130, 20)), welch(draw(4, 10, 1), draw(9, 10, 1)), welch(draw(200, 0, 1), draw(150, 0.4, 3)),
              welch(draw(3, 1e-9, 1e-11), draw(3, 5e-9, 1e-11)), welch([1.0, 1.0, 1.0], [1.0, 2.0, 4.0]), welch(draw(2, 0, 1), draw(5, 0, 1)),
              welch([2.0, 2.0, 2.0], [3.0, 3.0, 3.0]), welch(draw(60, 0, 1), draw(60, 40, 1))],
    "paired": [paired(draw(3, 100, 10), draw(3, 120, 10)), paired(draw(12, 5, 2), draw(12, 5, 2)), paired(draw(60, 0, 1), draw(60, 3, 1)),
               paired([1.0, 2.0, None, 5.0, 6.0], [2.0, 4.0, 3.0, None, 7.5]), paired([1.0, 2.0, 3.0], [2.0, 3.0, 4.0]), paired([1.0, None, 3.0], [2.0, 3.0, 4.5])],
    "several": [several([draw(3, 10, 1), draw(3, 12, 3), draw(4, 20, 2)]), several([draw(8, 5, 1) for _ in range(5)]),
                several([draw(40, 0, 1), draw(5, 0, 9), draw(3, 1, 0.2), draw(11, 2, 4)], reference=0), several([draw(30, m, 1) for m in (0, 20, 40)]),
                several([[d + e for d, e in zip(donors, draw(6, shift, 2))] for shift in (0, 3, 8)], pairing=True),
                several([[d + e for d, e in zip(donors, draw(6, shift, 2))] for shift in (0, 3, 8, 9)], reference=0, pairing=True),
                several([draw(3, 1, 1), [2.0, 2.0, 2.0], draw(2, 5, 1)], reference=0)],
    "ratio": [ratio(list(rnd.lognormal(1, 0.3, 4)), list(rnd.lognormal(2, 0.6, 5)))],
    "plate": [plate(draw(16, 100, 4), draw(16, 10, 3), draw(288, 80, 20)), plate(draw(4, 50, 9), draw(3, 55, 9), draw(12, 50, 9)),
              plate([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 5.0])],
    "study": study(),
}


def plain(v): return v.item() if isinstance(v, np.generic) else v


json.dump(out, open("statistics.json", "w"), default=plain, allow_nan=False)
