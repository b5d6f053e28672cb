"""Writes formulas.json: what functions of formulas give, computed with 60 digits. What is compared is the double nearest to it.

Run in the project's folder: python3 test/golden/makeFormulas.py
"""

import json
import struct
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60


def neighbors(value):
    """Doubles beside one."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return [struct.unpack("<d", struct.pack("<q", bits + step))[0] for step in (-1, 1)]


def recorded(values, of):
    return [[value, float(of(Decimal(value)))] for value in values]


POSITIVE = [
    5e-324, 2.2250738585072014e-308, 1e-300, 1e-100, 1e-16, 0.001, 0.1, 0.3333333333333333, 0.5, 0.7071067811865476,
    0.9, 0.99, 0.9999999, 0.999999999999, *neighbors(1.0), 1.0, 1.0000001, 1.1, 1.4142135623730951, 1.5, 2.0,
    2.718281828459045, 3.0, 3.141592653589793, 7.0, 9.999999999999998, 10.0, 10.000000000000002, 12.5, 99.0, 100.0,
    255.0, 1000.0, 1024.0, 4095.0, 65535.0, 123456.789, 1e6, 1e9, 9007199254740991.0, 1e15, 1e16, 1e22, 1e23, 1e100,
    1e300, 1.7976931348623157e308,
]
EXPONENTS = [
    -745.0, -708.0, -100.0, -50.5, -10.0, -2.5, -1.0, -0.5, -0.1, -1e-5, -1e-10, -1e-17, 0.0, 1e-300, 1e-17, 1e-10,
    1e-5, 0.1, 0.25, 0.5, 0.6931471805599453, 1.0, 1.5, 2.0, 2.302585092994046, 3.0, 5.5, 10.0, 20.25, 50.0, 100.0,
    300.7, 700.0, 709.0, 709.782712893384,
]
ROUNDED = [
    0.0, 0.5, 1.5, 2.5, 2.4, 2.6, 0.49999999999999994, 1.005, 1.015, 1.025, 2.675, 1.45, 8.345, 0.285, 10.075, 1234.5678,
    5.015, 0.1, 0.05, 0.15, 0.25, 0.35, 99.995, 999.9995, 4503599627370497.5, 4503599627370496.0, 9007199254740993.0,
    1e21, 1e22, 123456789.125, 1.2345e-7, 5e-324, 1e300, 45.0, 55.0, 149.99, 150.0, 1250.0, 3.5e-10, 0.000123456,
]


def round_shortest(value, digits):
    """The shortest text that is the double (which repr has), rounded half away from zero."""
    text = Decimal(repr(value))
    return float(text.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))


def rounded():
    getcontext().prec = 400
    cases = []
    for size in ROUNDED:
        for value in (size, -size):
            for digits in (0, 1, 2, 3, 6, 10, -1, -2, -3):
                cases.append([value, digits, round_shortest(value, digits)])
    return cases


golden = {
    "exp": recorded(EXPONENTS, lambda x: x.exp()),
    "ln": recorded(POSITIVE, lambda x: x.ln()),
    "log10": recorded(POSITIVE, lambda x: x.log10()),
    "sqrt": recorded(POSITIVE, lambda x: x.sqrt()),
    "round": rounded(),
}
with open("test/golden/formulas.json", "w") as file:
    json.dump(golden, file, indent=0)
    file.write("\n")
