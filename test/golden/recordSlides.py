"""Records what OpenSlide reads of the slides in test/golden/slides: run `python3 test/golden/recordSlides.py`.

Each slide gets a JSON file beside it with its levels and its associated images: size, and RGBA of all pixels, row by row,
deflated and in base64. Needs openslide (Debian: python3-openslide).
"""
import base64
import hashlib
import json
import pathlib
import zlib

import openslide

FOLDER = pathlib.Path(__file__).parent / 'slides'
ENDINGS = {'.ndpi', '.scn', '.bif', '.svs', '.tif'}


def packed(image):
    rgba = image.convert('RGBA')
    deflated = zlib.compress(rgba.tobytes(), 9)
    return {'width': rgba.width, 'height': rgba.height, 'rgba': base64.b64encode(deflated).decode()}


for path in sorted(FOLDER.iterdir()):
    if path.suffix not in ENDINGS:
        continue
    with openslide.OpenSlide(str(path)) as slide:
        levels = [
            packed(slide.read_region((0, 0), level, size)) for level, size in enumerate(slide.level_dimensions)
        ]
        record = {
            'reader': f'OpenSlide {openslide.__library_version__}',
            'sha256': hashlib.sha256(path.read_bytes()).hexdigest(),
            'mpp': [slide.properties.get('openslide.mpp-x'), slide.properties.get('openslide.mpp-y')],
            'power': slide.properties.get('openslide.objective-power'),
            'downsamples': list(slide.level_downsamples),
            'levels': levels,
            'associated': {name: packed(image) for name, image in slide.associated_images.items()},
        }
    (FOLDER / f'{path.name}.json').write_text(json.dumps(record, indent=1) + '\n')
    print(path.name, [(level['width'], level['height']) for level in levels], sorted(record['associated']))
