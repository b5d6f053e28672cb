"""Times pycocotools' iou on two sets of masks: python3 pycocotoolsIou.py FILE. The file is JSON, {"side", "a", "b"}, with the
plain runs of each mask of the whole image. Prints seconds of the processor and of the clock, the best of some, and how many
pairs overlap."""
import json
import sys
import time

import pycocotools.mask as rle

with open(sys.argv[1]) as file:
    sets = json.load(file)
side = sets["side"]
a, b = (rle.frPyObjects([{"size": [side, side], "counts": runs} for runs in sets[name]], side, side) for name in "ab")
times = []
wall_times = []
for _ in range(5):
    start = time.process_time()
    wall_start = time.perf_counter()
    iou = rle.iou(a, b, [0] * len(b))
    times.append(time.process_time() - start)
    wall_times.append(time.perf_counter() - wall_start)
print(json.dumps({"seconds": min(times), "wallSeconds": min(wall_times), "overlapping": int((iou > 0).sum())}))
