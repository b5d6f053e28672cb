"""Makes the images of this folder: with tifffile (BSD), Pillow for WebP, and LibTIFF's tiffcp for the compressions.

    python3 make.py          (Debian: python3-tifffile, python3-pil, libtiff-tools)

The tests know the samples by formula; see gray() and rgb() here and in test/unit/images/engine/goldenImages.test.ts.
"""
import os
import subprocess
import numpy
import tifffile
from PIL import Image

W, H = 61, 47
y, x = numpy.mgrid[0:H, 0:W]


def gray(dtype="uint16", plane=0):
    return ((x * 257 + y * 1031 + 5 + plane * 4001) % 65536).astype(dtype)


def few(bits):
    return ((x * 5 + y * 3 + x * y // 4) % 2**bits).astype("uint8")


def rgb():
    return numpy.stack([x * 4, y * 5, (x + y) * 2], axis=-1).astype("uint8")


def tiffcp(source, target, *options):
    subprocess.run(["tiffcp", *options, source, target], check=True)


os.chdir(os.path.dirname(os.path.abspath(__file__)))
plain = dict(metadata=None, software=False)
tifffile.imwrite("gray.tmp", gray(), rowsperstrip=10, **plain)
tifffile.imwrite("rgb.tmp", rgb(), photometric="rgb", rowsperstrip=10, **plain)

tiffcp("gray.tmp", "gray16-big-endian.tif", "-B", "-c", "none")
tiffcp("gray.tmp", "gray16-lzw.tif", "-c", "lzw")
tiffcp("gray.tmp", "gray16-lzw-differences.tif", "-c", "lzw:2")
tiffcp("gray.tmp", "gray16-lzw-differences-big-endian-tiles.tif", "-B", "-c", "lzw:2", "-t", "-w", "16", "-l", "16")
tiffcp("gray.tmp", "gray16-deflate-bigtiff-tiles.tif", "-8", "-c", "zip:2", "-t", "-w", "32", "-l", "16")
tiffcp("gray.tmp", "gray16-zstandard.tif", "-c", "zstd:2")
tiffcp("rgb.tmp", "rgb8-packbits.tif", "-c", "packbits")
tiffcp("rgb.tmp", "rgb8-separate-planes.tif", "-p", "separate", "-c", "lzw:2", "-t", "-w", "16", "-l", "16")
tiffcp("rgb.tmp", "rgb8-jpeg-ycbcr.tif", "-c", "jpeg:95", "-t", "-w", "32", "-l", "32")
tiffcp("rgb.tmp", "rgb8-jpeg-rgb.tif", "-c", "jpeg:r:95", "-t", "-w", "32", "-l", "32")
tiffcp("rgb.tmp", "rgb8-webp.tif", "-c", "webp:100", "-t", "-w", "32", "-l", "32")

# Sharp edges in color, which subsampling blurs.
by, bx = numpy.mgrid[0:128, 0:128]
discs = numpy.stack(
    [
        (numpy.hypot(bx - 64, by - 64) < 40) * 200 + 30,
        (numpy.hypot(bx - 40, by - 70) < 25) * 180 + 20,
        ((bx // 5 + by // 7) % 2) * 150 + 50,
    ],
    axis=-1,
).astype("uint8")
for name, subsampling in (("420", (2, 2)), ("422", (2, 1))):
    tifffile.imwrite(
        f"rgb8-jpeg-{name}.tif",
        discs,
        photometric="ycbcr",
        tile=(64, 64),
        compression="jpeg",
        subsampling=subsampling,
        compressionargs={"level": 85},
        **plain,
    )

floats = (gray() / 7 - 4000).astype("float32")
floats[3, 4] = numpy.nan
floats[5, 6] = numpy.inf
tifffile.imwrite("float.tmp", floats, rowsperstrip=10, **plain)
tiffcp("float.tmp", "float32-deflate-float-differences.tif", "-c", "zip:3")
tiffcp("float.tmp", "float32-lerc.tif", "-c", "lerc")
tifffile.imwrite("float16.tif", (gray() / 64 - 100).astype("float16"), **plain)
tifffile.imwrite("float64-big-endian.tif", (gray() / 7 - 4000).astype(">f8"), byteorder=">", **plain)
tifffile.imwrite("int16.tif", (gray("int32") - 32768).astype("int16"), **plain)
tifffile.imwrite("int32.tif", (gray("int64") * 30000 - 900_000_000).astype("int32"), **plain)
for bits in (1, 2, 4):
    tifffile.imwrite(f"gray{bits}.tif", few(bits), bitspersample=bits, **plain)
Image.fromarray(few(1).astype(bool)).save("gray1.png")
tifffile.imwrite("uint32.tif", gray("uint32") * 60000, **plain)
tifffile.imwrite("white-is-zero.tif", (gray() // 256).astype("uint8"), photometric="miniswhite", **plain)
tifffile.imwrite("dots-per-inch-72.tif", gray(), resolution=(72, 72), resolutionunit="INCH", **plain)
tifffile.imwrite("pixels-per-centimeter.tif", gray(), resolution=(20_000, 10_000), resolutionunit="CENTIMETER", **plain)

# Two times, two channels, three focal planes, each with a level of half the size.
with tifffile.TiffWriter("channels-focus-time.ome.tif", ome=True) as writer:
    planes = numpy.stack([gray(plane=i) for i in range(12)]).reshape(2, 2, 3, H, W)
    writer.write(
        planes,
        subifds=1,
        tile=(32, 32),
        compression="zlib",
        metadata={
            "axes": "TCZYX",
            "PhysicalSizeX": 325,
            "PhysicalSizeXUnit": "nm",
            "PhysicalSizeY": 0.65,
            "PhysicalSizeYUnit": "µm",
            "Channel": {"Name": ["DAPI & co", "GFP"], "Color": [65535, 16711935]},
        },
    )
    writer.write(planes[..., ::2, ::2], subfiletype=1, tile=(32, 32), compression="zlib")

tifffile.imwrite(
    "imagej-stack.tif",
    numpy.stack([gray(plane=i) for i in range(12)]).reshape(2, 3, 2, H, W),
    imagej=True,
    resolution=(1 / 0.5, 1 / 0.5),
    metadata={"axes": "TZCYX", "unit": "um"},
)

# As Aperio's scanners do: a thumbnail between the levels, a label at the end.
with tifffile.TiffWriter("slide.svs") as writer:
    big = numpy.kron(rgb(), numpy.ones((4, 4, 1), "uint8"))
    tiles = dict(photometric="rgb", tile=(64, 64), compression="zlib", **plain)
    note = "Aperio Image Library v12.0.15\r\n244x188 [0,0 244x188] (64x64)|AppMag = 20|MPP = 0.4990"
    writer.write(big, description=note, **tiles)
    writer.write(big[::8, ::8], photometric="rgb", rowsperstrip=16, description="Aperio thumbnail", **plain)
    writer.write(rgb(), description="Aperio level", **tiles)
    writer.write(numpy.zeros((30, 20, 3), "uint8"), photometric="rgb", subfiletype=1, description="Aperio label", **plain)

with tifffile.TiffWriter("pages-of-two-sizes.tif") as writer:
    for plane in range(3):
        writer.write(gray(plane=plane), **plain)
    writer.write(gray(plane=7)[:20, :30], **plain)

Image.fromarray(rgb()).save("rgb8.webp", lossless=True)
for name in ("gray.tmp", "rgb.tmp", "float.tmp"):
    os.remove(name)
