"""Reads the files in export/ with the reference tools and compares them, pixel by pixel, with masks.json.
Needs numpy, pycocotools, scikit-image, tifffile, shapely, Java and ImageJ's ij.jar (its path in IJ_JAR).
Run: python checkExports.py; it ends with a verdict."""
import csv, glob, json, os, subprocess, sys, uuid
import numpy as np
import pycocotools.mask as rle
from pycocotools.coco import COCO
from shapely.geometry import box, shape
from shapely.ops import unary_union
import skimage.io, tifffile

here = os.path.dirname(os.path.abspath(__file__))
export = lambda *parts: os.path.join(here, 'export', *parts)
problems, checked = [], {}

def expect(kind, ok, what):
    checked[kind] = checked.get(kind, 0) + 1
    if not ok: problems.append(f'{kind}: {what}')

def bitmap(size, runs):
    flat = np.zeros(size[0] * size[1], bool); at = 0
    for i, run in enumerate(runs):
        if i % 2: flat[at:at + run] = True
        at += run
    return flat.reshape(size, order='F')

# As goldenArchive.ts builds it: images by size, ids by order, one of them large, classes by id.
images, number = {}, 0
for mask in json.load(open(os.path.join(here, 'masks.json')))['masks']:
    if mask['name'].startswith('one run'): continue
    h, w = mask['size']
    oid = 70001 if mask['name'] == 'square 8x8' else number
    if mask['area']: images.setdefault(f'{w}x{h}', {})[oid] = bitmap(mask['size'], mask['runs'])
    if mask['name'] == 'ring with island': ring = bitmap(mask['size'], mask['runs'])
    number += 1
y, x = np.nonzero(ring)
ring = ring[y.min():y.max() + 1, x.min():x.max() + 1]
FAR = 64900
far = {1: (FAR, FAR, np.ones((10, 20), bool)), 2: (FAR, FAR + 30, ring)}

def truth(image, oid):
    """left, top and pixels of an object"""
    if image == 'far': return far[oid]
    m = images[image][oid]; y, x = np.nonzero(m)
    return x.min(), y.min(), m[y.min():y.max() + 1, x.min():x.max() + 1]

total = sum(map(len, images.values())) + len(far)

# COCO by pycocotools
coco = COCO(export('coco', 'golden_coco.json'))
expect('coco', len(coco.anns) == total and min(coco.anns) == 1, 'annotations')
for ann in coco.anns.values():
    image = coco.imgs[ann['image_id']]; name = image['file_name'].split('/')[-1][:-4]
    left, top, m = truth(name, ann['object_id'])
    code = ann['segmentation']
    expect('coco', code['size'] == [image['height'], image['width']], 'size')
    expect('coco', ann['bbox'] == [left, top, m.shape[1], m.shape[0]] == rle.toBbox(code).tolist(), f'bbox {ann["id"]}')
    expect('coco', ann['area'] == m.sum() == rle.area(code), f'area {ann["id"]}')
    if name != 'far': expect('coco', (coco.annToMask(ann) == images[name][ann['object_id']]).all(), f'pixels {ann["id"]}')
    expect('coco', ann['category_id'] in coco.cats, 'category')

# GeoJSON by shapely
seen = set()
for file in glob.glob(export('geojson', '*.geojson')):
    name = os.path.basename(file)[:-8]
    features = json.load(open(file, encoding='utf-8'))['features']
    expect('geojson', len(features) == len(far if name == 'far' else images[name]), f'features of {name}')
    for feature in features:
        said = feature['properties']; left, top, m = truth(name, int(said['name']))
        geometry = shape(feature['geometry'])
        expect('geojson', geometry.is_valid, f'{name} {said["name"]} is not valid')
        pixels = unary_union([box(left + x, top + y, left + x + 1, top + y + 1) for y, x in zip(*np.nonzero(m))])
        expect('geojson', geometry.area == m.sum(), f'area of {name} {said["name"]}')
        expect('geojson', geometry.symmetric_difference(pixels).area == 0, f'pixels of {name} {said["name"]}')
        expect('geojson', said['objectType'] == 'detection' and set(said['classification']) == {'name', 'color'}, 'properties')
        expect('geojson', said['measurements']['Area (mask pixels)'] == m.sum(), 'measurements')
        expect('geojson', str(uuid.UUID(feature['id'])) == feature['id'] and feature['id'] not in seen, 'id')
        seen.add(feature['id'])

# Label images by tifffile and scikit-image
for kind, ending, read in ('labels-tiff', 'tif', tifffile.imread), ('labels-png', 'png', skimage.io.imread):
    rows = list(csv.DictReader(open(export(kind, f'golden_labels.{ending}.csv'), encoding='utf-8', newline='')))
    for file in sorted(glob.glob(export(kind, f'*.{ending}'))):
        name = os.path.basename(file).split('_')[0]
        labels = read(file); objects = images[name]
        mine = [row for row in rows if row['file'] == os.path.basename(file)]
        value = {int(row['object']): int(row['label']) for row in mine}
        expect(kind, set(value) == set(objects) and len(set(value.values())) == len(value) and 0 not in value.values(), f'map of {name}')
        wide = max(value.values()) > 65535
        expect(kind, labels.dtype == (np.uint32 if wide else np.uint16), f'{labels.dtype} of {name}')
        expected = np.zeros(next(iter(objects.values())).shape, np.uint32)
        for oid in sorted(objects, key=lambda oid: (-objects[oid].sum(), -oid)): expected[objects[oid]] = value[oid]
        expect(kind, np.array_equal(labels, expected), f'pixels of {name}')
        for row in mine:
            oid = int(row['object'])
            expect(kind, objects[oid].sum() == int(row['area']), f'area of {oid}')
            expect(kind, objects[oid].sum() - (expected == value[oid]).sum() == int(row['overlapped']), f'overlap of {oid}')

# ROIs by ImageJ
jar = os.environ.get('IJ_JAR', '/usr/share/java/ij.jar')
zips = sorted(glob.glob(export('imagej-roi', '*.zip')))
said = subprocess.run(['java', '-Djava.awt.headless=true', '-cp', jar, os.path.join(here, 'ReadRois.java'), *zips], check=True, capture_output=True, text=True, env={**os.environ, 'LC_ALL': 'C.UTF-8', 'JAVA_TOOL_OPTIONS': '-Dfile.encoding=UTF-8'}).stdout
lines = [line.split('\t') for line in said.splitlines()]
expect('imagej-roi', len(lines) == total, f'{len(lines)} ROIs')
for zip, entry, roi, kind, left, top, width, height, pixels in lines:
    name = os.path.basename(zip).split('_')[0]; x, y, m = truth(name, int(roi.split()[-1]))
    expect('imagej-roi', entry == roi + '.roi', f'name {entry} {roi}')
    expect('imagej-roi', (int(left), int(top), int(height), int(width)) == (x, y, *m.shape), f'box of {roi} in {name}')
    expect('imagej-roi', pixels == ''.join('01'[int(p)] for p in m.ravel()), f'pixels of {roi} in {name} ({kind})')

for problem in problems: print(problem)
print('; '.join(f'{kind}: {count} checks' for kind, count in checked.items()))
print('verdict:', 'all correct' if not problems else f'{len(problems)} problems')
sys.exit(bool(problems))
