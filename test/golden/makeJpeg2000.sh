#!/bin/sh
# Writes the JPEG 2000 tiles that makeSlides.ts puts into slides: run `sh test/golden/makeJpeg2000.sh` in the project's root.
# Needs opj_compress of OpenJPEG (Debian: libopenjp2-tools) and Python 3.
set -e
out=test/golden/slides/tiles
work=$(mktemp -d)
mkdir -p "$out"
python3 - "$work" <<'P'
import math, pathlib, sys

folder = pathlib.Path(sys.argv[1])
W, H = 64, 48

def rgb(x, y):
    dark = (x // 12 + y // 9) % 3 == 0
    return (92, 60 + x % 60, 150) if dark else (214 - y % 40, 130 + (x * y) % 50, 190 - y % 50)

def clip(v):
    return max(0, min(255, math.floor(v + 0.5)))

def ycc(r, g, b):
    return (
        clip(0.299 * r + 0.587 * g + 0.114 * b),
        clip(128 - 0.168736 * r - 0.331264 * g + 0.5 * b),
        clip(128 + 0.5 * r - 0.418688 * g - 0.081312 * b),
    )

for n in range(6):
    pixels = [rgb(x + W * (n % 3), y + H * (n // 3)) for y in range(H) for x in range(W)]
    (folder / f'{n}.ppm').write_bytes(b'P6\n%d %d\n255\n' % (W, H) + bytes(v for p in pixels for v in p))
    parts = [ycc(*p) for p in pixels]
    (folder / f'{n}.444.raw').write_bytes(bytes(p[c] for c in range(3) for p in parts))
    even = [parts[i] for i in range(W * H) if (i % W) % 2 == 0]
    (folder / f'{n}.422.raw').write_bytes(bytes(p[0] for p in parts) + bytes(p[c] for c in (1, 2) for p in even))
gray = b''.join(((x * 1000 + y * 7) % 65536).to_bytes(2, 'big') for y in range(H) for x in range(W))
(folder / 'gray.pgm').write_bytes(b'P5\n%d %d\n65535\n' % (W, H) + gray)
P
for n in 0 1 2 3 4 5; do
  opj_compress -i "$work/$n.ppm" -o "$out/rgb$n.j2k" -r 4 -I > /dev/null
  opj_compress -i "$work/$n.444.raw" -o "$out/ycc$n.j2k" -F 64,48,3,8,u -mct 0 -r 4 -I > /dev/null
  opj_compress -i "$work/$n.422.raw" -o "$out/ycc422-$n.j2k" -F 64,48,3,8,u@1x1:2x1:2x1 -mct 0 > /dev/null
done
opj_compress -i "$work/0.ppm" -o "$out/rgb0.jp2" > /dev/null
opj_compress -i "$work/gray.pgm" -o "$out/gray16.j2k" > /dev/null
rm -r "$work"
