/** Red, green and blue of a pixel, 0…255. */
export type Paint = (x: number, y: number) => readonly [red: number, green: number, blue: number];

export interface JpegShape {
  width: number;
  height: number;
  /** Sampling factors of the first channel; the others have 1 × 1. */
  sampling: readonly [across: number, down: number];
  /** MCUs between restart markers; 0 for none. */
  restart?: number;
  /** The size that the frame says, where it is another than the true one. */
  stated?: { width: number; height: number };
  /** Each MCU has the color of its first pixel, which takes a fraction of the time. */
  isFlat?: boolean;
}

export interface EncodedJpeg {
  bytes: Uint8Array;
  /** Where the data of each restart interval begin. */
  starts: number[];
}

/**
 * A baseline JPEG stream with restart markers, by ITU-T T.81: the codecs at hand write none. RGB
 * becomes YCbCr; subsampled channels have their pixels' mean.
 */
export function encodeJpeg(shape: JpegShape, paint: Paint): EncodedJpeg {
  const { width, height, sampling, restart = 0, stated = shape } = shape;
  const [across, down] = sampling;
  const out: number[] = [0xff, 0xd8];
  const segment = (marker: number, content: readonly number[]) =>
    out.push(0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255, ...content);
  segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  segment(0xdb, [0, ...ZIGZAG.map(at => QUANTIZERS[at] ?? 1)]);
  const size = [stated.height >> 8, stated.height & 255, stated.width >> 8, stated.width & 255];
  segment(0xc0, [8, ...size, 3, 1, (across << 4) | down, 0, 2, 0x11, 0, 3, 0x11, 0]);
  segment(0xc4, [0x00, ...DC_COUNTS, ...DC_VALUES]);
  segment(0xc4, [0x10, ...AC_COUNTS, ...AC_VALUES]);
  if (restart > 0) segment(0xdd, [restart >> 8, restart & 255]);
  segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
  const starts = [out.length];
  const bits = new BitWriter(out);
  const previous = [0, 0, 0];
  const [mcuWidth, mcuHeight] = [8 * across, 8 * down];
  const [columns, rows] = [Math.ceil(width / mcuWidth), Math.ceil(height / mcuHeight)];
  const sample = (x: number, y: number): [number, number, number] => {
    const [r, g, b] = paint(Math.min(x, width - 1), Math.min(y, height - 1));
    return [
      0.299 * r + 0.587 * g + 0.114 * b,
      128 - 0.168736 * r - 0.331264 * g + 0.5 * b,
      128 + 0.5 * r - 0.418688 * g - 0.081312 * b,
    ];
  };
  for (let mcu = 0; mcu < columns * rows; mcu++) {
    if (restart > 0 && mcu > 0 && mcu % restart === 0) {
      bits.flush();
      out.push(0xff, 0xd0 + ((mcu / restart - 1) % 8));
      starts.push(out.length);
      previous.fill(0);
    }
    const [left, top] = [(mcu % columns) * mcuWidth, Math.floor(mcu / columns) * mcuHeight];
    if (shape.isFlat) {
      const color = sample(left, top);
      for (let block = 0; block < across * down; block++) encodeFlatBlock(bits, previous, 0, color[0]);
      for (const channel of [1, 2]) encodeFlatBlock(bits, previous, channel, color[channel] ?? 0);
      continue;
    }
    const pixels = Array.from({ length: mcuWidth * mcuHeight }, (_, at) =>
      sample(left + (at % mcuWidth), top + Math.floor(at / mcuWidth)),
    );
    for (let v = 0; v < down; v++)
      for (let h = 0; h < across; h++)
        encodeBlock(bits, previous, 0, (x, y) => pixels[(8 * v + y) * mcuWidth + 8 * h + x]?.[0] ?? 0);
    for (const channel of [1, 2])
      encodeBlock(bits, previous, channel, (x, y) => {
        let sum = 0;
        for (let v = 0; v < down; v++)
          for (let h = 0; h < across; h++)
            sum += pixels[(y * down + v) * mcuWidth + x * across + h]?.[channel] ?? 0;
        return sum / (across * down);
      });
  }
  bits.flush();
  out.push(0xff, 0xd9);
  return { bytes: Uint8Array.from(out), starts };
}

/** Order of coefficients in a stream. */
const ZIGZAG: readonly number[] = Array.from({ length: 15 }, (_, sum) => {
  const cells = Array.from({ length: 8 }, (_, i) => [i, sum - i] as const).filter(([, j]) => j >= 0 && j < 8);
  return cells.map(([i, j]) => (sum % 2 === 0 ? j * 8 + i : i * 8 + j));
}).flat();

/** Fine steps, so that what is compared isn't all rounding. */
const QUANTIZERS: readonly number[] = Array.from(
  { length: 64 },
  (_, at) => 2 + ((at % 8) + Math.floor(at / 8)) * 2,
);

// Tables K.3 and K.5 of the standard: how many codes there are of each length, and their values.
const DC_COUNTS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_VALUES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const AC_COUNTS = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d];
const AC_VALUES = [
  ...[
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22,
    0x71,
  ],
  ...[
    0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62,
    0x72,
  ],
  ...[
    0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36,
    0x37,
  ],
  ...[
    0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
    0x59,
  ],
  ...[
    0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
    0x83,
  ],
  ...[
    0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2,
    0xa3,
  ],
  ...[
    0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2,
    0xc3,
  ],
  ...[
    0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1,
    0xe2,
  ],
  ...[
    0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9,
    0xfa,
  ],
];

type Code = readonly [bits: number, length: number];

function codesOf(counts: readonly number[], values: readonly number[]): Map<number, Code> {
  const codes = new Map<number, Code>();
  let code = 0;
  let at = 0;
  for (const [length, count] of counts.entries()) {
    for (let i = 0; i < count; i++) codes.set(values[at++] ?? 0, [code++, length + 1]);
    code <<= 1;
  }
  return codes;
}

const DC_CODES = codesOf(DC_COUNTS, DC_VALUES);
const AC_CODES = codesOf(AC_COUNTS, AC_VALUES);

const COSINES = Array.from({ length: 64 }, (_, at) => {
  const [u, x] = [Math.floor(at / 8), at % 8];
  return (u === 0 ? Math.SQRT1_2 : 1) * Math.cos(((2 * x + 1) * u * Math.PI) / 16);
});

function encodeBlock(
  bits: BitWriter,
  previous: number[],
  channel: number,
  sample: (x: number, y: number) => number,
): void {
  const samples = Array.from({ length: 64 }, (_, at) => sample(at % 8, Math.floor(at / 8)) - 128);
  const [first = 0] = samples;
  if (samples.every(one => one === first)) {
    encodeFlatBlock(bits, previous, channel, first + 128);
    return;
  }
  const coefficients = ZIGZAG.map(at => {
    const [v, u] = [Math.floor(at / 8), at % 8];
    let sum = 0;
    for (let y = 0; y < 8; y++)
      for (let x = 0; x < 8; x++)
        sum += (samples[y * 8 + x] ?? 0) * (COSINES[v * 8 + y] ?? 0) * (COSINES[u * 8 + x] ?? 0);
    return Math.round(sum / 4 / (QUANTIZERS[at] ?? 1));
  });
  const [dc = 0] = coefficients;
  bits.number(DC_CODES, 0, dc - (previous[channel] ?? 0));
  previous[channel] = dc;
  let zeros = 0;
  for (const coefficient of coefficients.slice(1)) {
    if (coefficient === 0) {
      zeros++;
      continue;
    }
    for (; zeros > 15; zeros -= 16) bits.code(AC_CODES, 0xf0);
    bits.number(AC_CODES, zeros, coefficient);
    zeros = 0;
  }
  if (zeros > 0) bits.code(AC_CODES, 0);
}

function encodeFlatBlock(bits: BitWriter, previous: number[], channel: number, value: number): void {
  const dc = Math.round(((value - 128) * 8) / (QUANTIZERS[0] ?? 1));
  bits.number(DC_CODES, 0, dc - (previous[channel] ?? 0));
  previous[channel] = dc;
  bits.code(AC_CODES, 0);
}

class BitWriter {
  private byte = 0;
  private count = 0;

  constructor(private readonly out: number[]) {}

  /** A number behind the code of its length, with the zeros before it. */
  number(codes: ReadonlyMap<number, Code>, zeros: number, value: number): void {
    const length = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
    this.code(codes, (zeros << 4) | length);
    this.bits(value < 0 ? value + 2 ** length - 1 : value, length);
  }

  code(codes: ReadonlyMap<number, Code>, value: number): void {
    const [bits, length] = codes.get(value) ?? [0, 0];
    if (length === 0) throw new Error(`There is no code for ${value}`);
    this.bits(bits, length);
  }

  flush(): void {
    if (this.count > 0) this.bits(2 ** (8 - this.count) - 1, 8 - this.count);
  }

  private bits(value: number, length: number): void {
    for (let at = length - 1; at >= 0; at--) {
      this.byte = (this.byte << 1) | ((value >> at) & 1);
      if (++this.count < 8) continue;
      this.out.push(this.byte);
      if (this.byte === 0xff) this.out.push(0);
      [this.byte, this.count] = [0, 0];
    }
  }
}
