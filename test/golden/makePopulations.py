"""Makes populations.json: 50 trees of populations over 5,000 rows, with how many rows each has and of how many of its parent's
it isn't known, as measurements.md defines them, by plain arithmetic: sides of polygons' lines in rational numbers, sums by
math.fsum, sorted lists for quantiles, None for unknown. Run: python3 makePopulations.py. rows() is written once more in
test/unit/populations/goldenRows.ts; a sum of its numbers is in the file."""
import json, math
from fractions import Fraction

ROWS, TREES = 5000, 50


class Lcg:
    """Numbers from 0 to 2**31 - 1, the same in every language."""

    def __init__(self, seed): self.state = seed

    def next(self):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return self.state

    def below(self, n): return (self.next() >> 8) % n


NUMBERS = ["Area", "Intensity", "X", "Y", "Long"]


def rows():
    """Texts of cells; '' is missing."""
    r = Lcg(20261128)
    out = []
    for at in range(ROWS):
        image = r.below(9)
        kind = r.below(5)
        area = r.below(40000) - 2000
        intensity = r.below(1000)
        x, y = r.below(401), r.below(401)
        gone = r.below(100)
        out.append({
            "Image": "" if image == 8 and r.below(4) == 0 else f"plate/well_{image}.tif",
            "Class": "" if kind == 4 else "ABCD"[kind],
            "Area": "" if gone < 6 else f"{area / 100:.2f}",
            "Intensity": "" if 4 <= gone < 14 else str(intensity * (1 + image % 3)),
            "X": "" if gone == 20 else str(x / 4),
            "Y": "" if gone == 21 else str(y / 4),
            "Long": "" if gone == 22 else str(9007199254740992 + intensity),
        })
    return out


DATA = rows()
VALUE = {name: [None if row[name] == "" else (int(row[name]) if name == "Long" else float(row[name])) for row in DATA] for name in NUMBERS}


def place(value, scale):
    if value is None or (scale == "log" and value <= 0): return None
    return math.log10(value) if scale == "log" else value


def quantile(values, share):
    s = sorted(values)
    if not s: return None
    at = (len(s) - 1) * share
    low = math.floor(at)
    if at == low: return s[low]
    return s[low] + (s[low + 1] - s[low]) * (at - low)


def threshold(gate, values):
    values = [float(v) for v in values if v is not None]
    if gate["kind"] == "percentile": return quantile(values, gate["percent"] / 100)
    if not values: return None
    mean = math.fsum(values) / len(values)
    median = quantile(values, 0.5)
    center = mean if gate["center"] == "mean" else median
    if gate["spread"] == "sd":
        if len(values) < 2: return None
        spread = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))
    else:
        spread = 1.4826 * quantile([abs(v - median) for v in values], 0.5)
    return center + gate["factor"] * spread


def in_polygon(px, py, points):
    """Even-odd; on a line is inside."""
    odd = False
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
        side = (px - ax) * (by - ay) - (py - ay) * (bx - ax)
        if side == 0 and min(ax, bx) <= px <= max(ax, bx) and min(ay, by) <= py <= max(ay, by): return True
        if (ay > py) != (by > py) and (side < 0) == (by > ay): odd = not odd
    return odd


def answers(gate, parent, members):
    """True, False or None for each row of the parent."""
    kind = gate["kind"]
    if kind in ("all", "any"):
        each = [answers(g, parent, members) for g in gate["gates"]]
        decides = kind == "any"
        def join(row):
            found = [a[row] for a in each]
            if decides in found: return decides
            return None if None in found else not decides
        return {row: join(row) for row in parent}
    if kind == "not":
        return {row: None if a is None else not a for row, a in answers(gate["gate"], parent, members).items()}
    if kind == "population":
        inside = set(members[gate["name"]])
        return {row: row in inside for row in parent}
    if kind == "range":
        values, low, high = VALUE[gate["column"]], gate.get("from"), gate.get("to")
        low, high = (int(e) if isinstance(e, str) else e for e in (low, high))
        def test(row):
            v = values[row]
            if v is None or (gate.get("scale") == "log" and v <= 0): return None
            return (low is None or v >= low) and (high is None or v < high or (v == high and not gate.get("toExcluded")))
        return {row: test(row) for row in parent}
    if kind in ("rectangle", "polygon", "ellipse"):
        xs, ys = gate.get("scales", ["linear", "linear"])
        exact = Fraction if (xs, ys) == ("linear", "linear") else float
        point = lambda p: (exact(place(p[0], xs)), exact(place(p[1], ys)))
        def test(row):
            px, py = place(VALUE[gate["x"]][row], xs), place(VALUE[gate["y"]][row], ys)
            if px is None or py is None: return None
            px, py = exact(px), exact(py)
            if kind == "rectangle":
                vx, vy = VALUE[gate["x"]][row], VALUE[gate["y"]][row]
                return gate["from"][0] <= vx <= gate["to"][0] and gate["from"][1] <= vy <= gate["to"][1]
            if kind == "polygon": return in_polygon(px, py, [point(p) for p in gate["points"]])
            cx, cy = point(gate["center"])
            (ax, ay), (bx, by) = [[exact(v) for v in axis] for axis in gate["axes"]]
            size = ax * by - ay * bx
            u = ((px - cx) * by - (py - cy) * bx) / size
            w = ((py - cy) * ax - (px - cx) * ay) / size
            return u * u + w * w <= 1
        return {row: test(row) for row in parent}
    if kind == "missing":
        return {row: (DATA[row][gate["column"]] == "") == gate["missing"] for row in parent}
    if kind in ("values", "text"):
        exclude = gate.get("exclude", False)
        def test(row):
            cell = DATA[row][gate["column"]]
            if cell == "":
                if gate.get("missing"): return not exclude
                return True if exclude else None
            if kind == "values": found = cell in gate["values"]
            else:
                a, b = (cell, gate["text"]) if gate.get("caseSensitive") else (cell.lower(), gate["text"].lower())
                found = a == b if gate["match"] == "equals" else b in a
            return found != exclude
        return {row: test(row) for row in parent}
    values = VALUE[gate["column"]]
    if "frozen" in gate: of = lambda row: gate["frozen"]
    elif gate["of"] == "image":
        images = {}
        for row in parent:
            if DATA[row]["Image"] != "": images.setdefault(DATA[row]["Image"], []).append(values[row])
        found = {image: threshold(gate, own) for image, own in images.items()}
        of = lambda row: found.get(DATA[row]["Image"])
    else:
        base = range(ROWS) if gate["of"] == "all" else parent
        if gate["of"] == "reference":
            base = [row for row in parent if DATA[row][gate["reference"]["column"]] == gate["reference"]["value"]]
        one = threshold(gate, [values[row] for row in base])
        of = lambda row: one
    def test(row):
        v, t = values[row], of(row)
        if v is None or t is None: return None
        return (v >= t) == (gate["side"] == "above")
    return {row: test(row) for row in parent}


def simple_gate(r, names):
    pick = lambda *of: of[r.below(len(of))]
    kind = pick("range", "range", "rectangle", "polygon", "polygon", "ellipse", "values", "text", "missing", "percentile", "statistic", "statistic", "population")
    if kind == "population" and not names: kind = "range"
    corner = lambda: [r.below(101), r.below(101)]
    if kind == "range":
        column = pick("Area", "Intensity", "X", "Long")
        if column == "Long":
            low = 9007199254740992 + r.below(500)
            gate = {"from": str(low), "to": str(low + r.below(600))}
        elif column == "Intensity": gate = {"from": r.below(500), "to": 500 + r.below(2500)}
        else: gate = {"from": r.below(35) - 5, "to": 30 + r.below(300)}
        if r.below(4) == 0: del gate[pick("from", "to")]
        elif r.below(2): gate["toExcluded"] = True
        if column != "Long" and r.below(4) == 0: gate["scale"] = "log"
        return {"kind": kind, "column": column, **gate}
    if kind in ("rectangle", "polygon", "ellipse"):
        log = r.below(4) == 0
        gate = {"kind": kind, "x": "X", "y": "Area" if log else "Y"}
        if log: gate["scales"] = pick(["log", "log"], ["linear", "log"])
        if kind == "rectangle":
            a, b = corner(), corner()
            return {**gate, "from": [min(a[0], b[0]), min(a[1], b[1])], "to": [max(a[0], b[0]), max(a[1], b[1])]}
        if kind == "polygon":
            return {**gate, "points": [[1 + v for v in corner()] for _ in range(pick(3, 4, 5, 12))]}
        wide = [pick(0.2, 0.4), pick(0.0, 0.1)] if log and gate["scales"][0] == "log" else [5 + r.below(40), r.below(3) if log else r.below(20)]
        high = [0.05, pick(0.2, 0.5)] if log else [-r.below(10), 5 + r.below(40)]
        return {**gate, "center": [10 + v for v in corner()], "axes": [wide, high]}
    if kind == "values":
        gate = {"kind": kind, "column": pick("Class", "Image"), "values": pick(["A"], ["B", "C"], ["plate/well_1.tif", "plate/well_2.tif"])}
        if r.below(3) == 0: gate["missing"] = True
        if r.below(3) == 0: gate["exclude"] = True
        return gate
    if kind == "text":
        gate = {"kind": kind, "column": pick("Image", "Class"), "match": pick("contains", "equals"), "text": pick("WELL_3", "a", "plate/well_4.tif")}
        if r.below(3) == 0: gate["caseSensitive"] = True
        if r.below(3) == 0: gate["exclude"] = True
        return gate
    if kind == "missing": return {"kind": kind, "column": pick("Area", "Class", "Intensity"), "missing": bool(r.below(2))}
    if kind == "population": return {"kind": kind, "name": pick(*names)}
    gate = {"kind": kind, "column": pick("Area", "Intensity"), "of": pick("all", "parent", "image", "reference"), "side": pick("above", "below")}
    if gate["of"] == "reference": gate["reference"] = {"column": "Class", "value": pick("A", "B", "none of it")}
    if kind == "percentile": gate["percent"] = pick(0, 10, 25, 50, 90, 97.5, 100)
    else: gate.update(center=pick("mean", "median"), spread=pick("sd", "mad"), factor=pick(-1, 0, 0.5, 1, 2))
    if r.below(8) == 0: gate["frozen"] = r.below(200)
    return gate


def any_gate(r, names, depth=0):
    what = r.below(8)
    if depth < 3 and what == 0: return {"kind": "not", "gate": any_gate(r, names, depth + 1)}
    if depth < 3 and what in (1, 2):
        return {"kind": ["all", "any"][what - 1], "gates": [any_gate(r, names, depth + 1) for _ in range(2 + r.below(2))]}
    return simple_gate(r, names)


def main():
    r = Lcg(48)
    trees = []
    for _ in range(TREES):
        populations, members = [], {}
        for at in range(2 + r.below(6)):
            names = [p["name"] for p in populations]
            # Else a deep tree is empty at its end.
            parents = [n for n in names if len(members[n]) > 100]
            parent = parents[r.below(len(parents))] if parents and r.below(4) else None
            population = {"name": f"P{at}", **({"parent": parent} if parent else {}), "gate": any_gate(r, names)}
            of = members[parent] if parent else range(ROWS)
            found = answers(population["gate"], of, members)
            members[population["name"]] = [row for row in of if found[row] is True]
            populations.append({**population, "count": len(members[population["name"]]), "missing": sum(a is None for a in found.values())})
        trees.append(populations)
    check = sum(v for name in ("X", "Y", "Intensity") for v in VALUE[name] if v is not None) + sum(round(v * 100) for v in VALUE["Area"] if v is not None)
    with open("populations.json", "w") as file:
        file.write(json.dumps({"rows": ROWS, "check": check, "trees": trees}) + "\n")
    counts = [p["count"] for tree in trees for p in tree]
    print(len(counts), "populations,", sum(0 < c < ROWS for c in counts), "of them neither empty nor all")


main()
