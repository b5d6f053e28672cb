"""Makes matching.json: pairs of sets of masks with what matching them by IoU must give. A is the reference, B is judged.
One to one; the most pairs with IoU >= threshold, then the largest total IoU of those pairs. Thresholds are exact
(intersection * 20 >= k * union), IoU is float64. On masks without overlaps that is StarDist's `matching` but for its float32
(checked by its own code, 240 figures); with overlaps StarDist's tie-break also adds pairs below the threshold, ours doesn't.
Two empty masks never match. 0 of 0 is missing (null), and left out of means over images. An object of A is split where at
least two of B have half their own area or more in it; one of B is merged where at least two of A have half of theirs in it.
Run: python3 makeMatching.py (numpy, scipy). Masks are uncompressed COCO runs, column by column, of [height, width]."""
import json, numpy as np
from scipy.ndimage import label, binary_dilation, binary_erosion, gaussian_filter
from scipy.optimize import linear_sum_assignment

rng = np.random.default_rng(20261123)


def runs(mask):
    flat = mask.T.ravel().astype(np.int8)
    at = np.flatnonzero(np.diff(flat)) + 1
    edges = np.concatenate([[0], at, [flat.size]])
    out = np.diff(edges).tolist()
    return out if flat[0] == 0 else [0] + out


def instances(labels):
    return [labels == v for v in range(1, labels.max() + 1)]


def scene(h, w, cut):
    return label(gaussian_filter(rng.normal(size=(h, w)), 3) > cut)[0]


def figures(a, b):
    inter = np.array([[np.count_nonzero(x & y) for y in b] for x in a], dtype=np.int64).reshape(len(a), len(b))
    union = (np.array([x.sum() for x in a])[:, None] + np.array([y.sum() for y in b])[None, :] - inter) if inter.size else inter
    iou = inter / np.where(union == 0, 1, union) if inter.size else inter.astype(float)
    out = []
    for k in range(10, 20):
        tp, total = 0, 0.0
        if inter.size:
            enough = (inter * 20 >= k * union) & (union > 0)
            rows, cols = linear_sum_assignment(-enough.astype(float) - enough * iou / (2 * min(iou.shape)))
            ok = enough[rows, cols]
            tp, total = int(ok.sum()), float(iou[rows, cols][ok].sum())
        fp, fn = len(b) - tp, len(a) - tp
        out.append(scores(k / 20, tp, fp, fn, total))
    return iou, out


def scores(threshold, tp, fp, fn, total):
    over = lambda x, y: x / y if y else None
    return {"threshold": threshold, "tp": tp, "fp": fp, "fn": fn, "precision": over(tp, tp + fp), "recall": over(tp, tp + fn),
            "f1": over(2 * tp, 2 * tp + fp + fn), "accuracy": over(tp, tp + fp + fn), "meanMatchedIou": over(total, tp),
            "panopticQuality": over(total, tp + fp / 2 + fn / 2)}


def parted(these, those):
    """Of `these`, those with at least two of `those` that have half their own area or more inside."""
    return [i for i, x in enumerate(these) if sum(1 for y in those if y.any() and 2 * np.count_nonzero(x & y) >= y.sum()) >= 2]


def rect(h, w, y, x, dy, dx):
    m = np.zeros((h, w), bool); m[y:y + dy, x:x + dx] = True; return m


def cases():
    for i in range(8):
        a = scene(72, 96, 0.04); yield f"noise {i}, grown", instances(a), instances(label(binary_dilation(a > 0))[0])
    for i in range(6):
        a = scene(72, 96, 0.02); yield f"noise {i}, worn", instances(a), instances(label(binary_erosion(a > 0))[0])
    for i in range(6):
        a = scene(64, 64, 0.05); yield f"noise {i}, shifted", instances(a), [np.roll(m, (1, 2), (0, 1)) for m in instances(a)][::-1]
    yield "exactly one half", [rect(10, 10, 0, 0, 4, 4)], [rect(10, 10, 0, 0, 4, 8)]
    yield "exactly 0.55", [rect(10, 30, 0, 0, 1, 11)], [rect(10, 30, 0, 0, 1, 20)]
    yield "exactly 0.7, two ways", [rect(20, 20, 0, 0, 1, 7), rect(20, 20, 5, 0, 1, 10)], [rect(20, 20, 0, 0, 1, 10), rect(20, 20, 5, 0, 1, 7)]
    over = [rect(30, 30, 2, 2, 10, 10), rect(30, 30, 2, 4, 10, 10), rect(30, 30, 2, 6, 10, 10)]
    row = lambda *spans: [rect(4, 70, 0, a, 1, b - a) for a, b in spans]
    yield "greedy by IoU loses a pair", row((10, 30), (15, 35)), row((12, 32), (5, 25))
    yield "largest total of the accepted pairs alone", row((14, 37), (6, 57)), row((1, 20), (1, 41))
    yield "overlapping chain", over, [rect(30, 30, 2, 3, 10, 10), rect(30, 30, 2, 5, 10, 10), rect(30, 30, 2, 8, 10, 10)]
    yield "the same mask twice", [over[0], over[0]], [over[0]]
    yield "one split in two, two merged", [rect(40, 40, 0, 0, 10, 20), rect(40, 40, 20, 0, 10, 8), rect(40, 40, 20, 8, 10, 8)], [rect(40, 40, 0, 0, 10, 13), rect(40, 40, 0, 13, 10, 7), rect(40, 40, 20, 0, 10, 16)]
    yield "nothing beside something", [], [over[0]]
    yield "something beside nothing", [over[0]], []
    yield "nothing at all", [], []
    yield "an empty mask", [np.zeros((9, 9), bool), rect(9, 9, 0, 0, 3, 3)], [rect(9, 9, 0, 0, 3, 3)]


images, everything = [], []
for name, a, b in cases():
    size = list((a or b or [np.zeros((5, 5))])[0].shape)
    iou, at = figures(a, b)
    everything.append(at)
    images.append({"name": name, "size": size, "a": [runs(m) for m in a], "b": [runs(m) for m in b], "iou": iou.tolist(), "at": at,
                   "split": parted(a, b), "merged": parted(b, a)})
pooled, means = [], []
for k in range(10):
    of = [at[k] for at in everything]
    total = sum((each["meanMatchedIou"] or 0) * each["tp"] for each in of)
    pooled.append(scores((k + 10) / 20, *(sum(each[key] for each in of) for key in ("tp", "fp", "fn")), total))
    known = lambda key: [each[key] for each in of if each[key] is not None]
    means.append({key: {"mean": sum(known(key)) / len(known(key)), "n": len(known(key))} for key in ("precision", "recall", "f1", "accuracy", "meanMatchedIou", "panopticQuality")})
json.dump({"images": images, "pooled": pooled, "meanOverImages": means}, open("matching.json", "w"), allow_nan=False)
