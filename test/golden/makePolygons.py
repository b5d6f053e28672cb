"""Makes polygons.json: polygons of COCO annotations with the masks that pycocotools says they cover (compressed runs).
Needs numpy and pycocotools. Run: python makePolygons.py > polygons.json"""
import json
import numpy as np
import pycocotools.mask as rle

rng = np.random.default_rng(20261125)


def blob(h, w, corners, jitter, scale=0.35):
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    radius = min(h, w) * scale * rng.uniform(1 - jitter, 1, corners)
    x = w / 2 + radius * np.cos(angles)
    y = h / 2 + radius * np.sin(angles)
    return np.round(np.stack([x, y], 1).ravel(), 2).tolist()


def cases():
    yield 'square on pixel edges', 12, 15, [[2, 3, 10, 3, 10, 9, 2, 9]]
    yield 'square on pixel centers', 12, 15, [[2.5, 3.5, 10.5, 3.5, 10.5, 9.5, 2.5, 9.5]]
    yield 'triangle', 20, 20, [[1, 1, 18, 4, 7, 17]]
    yield 'clockwise and back', 20, 20, [[1, 1, 7, 17, 18, 4]]
    yield 'thinner than a pixel', 10, 30, [[1, 4.1, 29, 4.3, 29, 4.4, 1, 4.2]]
    yield 'a corner twice', 16, 16, [[2, 2, 2, 2, 13, 2, 13, 13, 13, 13, 2, 13]]
    yield 'crosses itself', 20, 20, [[2, 2, 18, 18, 18, 2, 2, 18]]
    yield 'beyond every side', 9, 11, [[-5, -5, 30, -5, 30, 30, -5, 30]]
    yield 'partly outside', 30, 30, [[-8.3, 10.2, 14.7, -6.1, 41.2, 22.9, 12.5, 38.8]]
    yield 'outside', 10, 10, [[20, 20, 30, 20, 30, 30]]
    yield 'two parts', 30, 40, [[2, 2, 12, 2, 12, 12, 2, 12], [20.5, 5.5, 38, 9, 25, 28]]
    yield 'two parts that overlap', 30, 40, [[2, 2, 22, 2, 22, 22, 2, 22], [12, 12, 38, 12, 38, 28, 12, 28]]
    yield 'to the last pixel', 8, 8, [[0, 0, 8, 0, 8, 8, 0, 8]]
    for n in range(14):
        h, w = int(rng.integers(12, 70)), int(rng.integers(12, 70))
        yield f'blob {n}', h, w, [blob(h, w, int(rng.integers(3, 24)), rng.uniform(0, 0.9), rng.uniform(0.2, 0.8))]


polygons = []
for name, h, w, parts in cases():
    mask = rle.merge(rle.frPyObjects(parts, h, w))
    polygons.append({'name': name, 'height': h, 'width': w, 'polygons': parts,
                     'counts': mask['counts'].decode(), 'area': int(rle.area(mask))})
print(json.dumps({'polygons': polygons}, separators=(',', ':')))
