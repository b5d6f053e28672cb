import { CodedError } from '../base/errors';
import { reasonForLog } from '../base/reasonForLog';
import { reason, type Reason } from '../base/reasons';

/**
 * Run lengths of a binary mask in column-major order (index = x · height + y): zeros, ones, zeros,
 * …; the first may be 0. They sum to height × width. The format is COCO's run-length encoding of
 * masks.
 */
export type Runs = Uint32Array;

/** Pixels a mask may span: the reference encoder counts in 32 bits. */
export const MAX_MASK_PIXELS = 2 ** 32 - 1;

/** Groups of five bits that the largest difference of two runs needs, and one more. */
const MAX_GROUPS = 8;

const FIRST_CODE = 48;
const LAST_CODE = 111;

/** Pixels of a mask of this size. Throws `damaged-archive` when no mask can have this size. */
export function maskPixels(height: number, width: number): number {
  if (!Number.isSafeInteger(height) || !Number.isSafeInteger(width) || height <= 0 || width <= 0) {
    throw unreadableMask(reason('The mask size is {0} × {1}', height, width));
  }
  if (height * width > MAX_MASK_PIXELS)
    throw unreadableMask(reason('The mask size of {0} × {1} is too large', height, width));
  return height * width;
}

/** Collects runs and throws `damaged-archive` for those that don't fill the mask exactly. */
class RunCollector {
  private readonly runs: Uint32Array;
  private count = 0;
  private sum = 0;

  constructor(
    private readonly pixels: number,
    capacity: number,
  ) {
    this.runs = new Uint32Array(capacity);
  }

  /** The run before the last, or 0; from the fourth on, runs are differences to it. */
  get reference(): number {
    return this.count > 2 ? (this.runs[this.count - 2] as number) : 0;
  }

  add(run: number): void {
    if (run < 0) throw unreadableMask(reason('Run {0} is negative ({1})', this.count, run));
    this.sum += run;
    if (this.sum > this.pixels)
      throw unreadableMask(reason("The runs exceed the mask's {0} pixels", this.pixels));
    this.runs[this.count++] = run;
  }

  finish(): Runs {
    if (this.sum < this.pixels)
      throw unreadableMask(reason('The runs cover {0} of {1} pixels', this.sum, this.pixels));
    return this.runs.slice(0, this.count);
  }
}

/** Code units as bytes; all beyond ASCII become 0, which no run-length encoding contains. */
function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes[i] = code < 128 ? code : 0;
  }
  return bytes;
}

/**
 * Decodes COCO's compressed runs (ASCII, not base64) of a height × width mask.
 * Throws `damaged-archive`, with the reason, for anything that is not exactly such a mask.
 */
export function decodeCounts(text: string | Uint8Array, height: number, width: number): Runs {
  const pixels = maskPixels(height, width);
  const bytes = typeof text === 'string' ? asciiBytes(text) : text;
  const collector = new RunCollector(pixels, bytes.length);
  let position = 0;
  while (position < bytes.length) {
    let value = 0;
    let scale = 1;
    for (let groups = 1; ; groups++) {
      if (groups > MAX_GROUPS) throw unreadableMask(reason('A run is too long to be valid'));
      if (position === bytes.length) throw unreadableMask(reason('The last run is cut off'));
      const code = bytes[position++] as number;
      if (code < FIRST_CODE || code > LAST_CODE)
        throw unreadableMask(reason("Byte {0} of the runs isn't valid", position - 1));
      const group = code - FIRST_CODE;
      // Multiplied, not shifted: eight groups are 40 bits.
      value += (group & 0x1f) * scale;
      scale *= 32;
      if ((group & 0x20) === 0) {
        if ((group & 0x10) !== 0) value -= scale;
        break;
      }
    }
    collector.add(value + collector.reference);
  }
  return collector.finish();
}

/**
 * Checks plain (uncompressed) runs of a height × width mask. Throws `damaged-archive` when a run is
 * not a whole number ≥ 0 or the sum is not the number of pixels.
 */
export function readPlainRuns(values: readonly unknown[], height: number, width: number): Runs {
  const collector = new RunCollector(maskPixels(height, width), values.length);
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw unreadableMask(reason("A run isn't a whole number"));
    collector.add(value);
  }
  return collector.finish();
}

/** Encodes runs as COCO's compressed text in its shortest form, as the reference encoder does. */
export function encodeCounts(runs: ArrayLike<number>): string {
  const codes: number[] = [];
  const parts: string[] = [];
  for (let i = 0; i < runs.length; i++) {
    let value = (runs[i] as number) - (i > 2 ? (runs[i - 2] as number) : 0);
    for (;;) {
      const quotient = Math.floor(value / 32);
      const group = value - quotient * 32;
      value = quotient;
      const isLast = (group & 0x10) !== 0 ? value === -1 : value === 0;
      codes.push(FIRST_CODE + group + (isLast ? 0 : 0x20));
      if (isLast) break;
    }
    // In pieces: the number of arguments of a call is limited.
    if (codes.length > 4096) parts.push(String.fromCharCode(...codes.splice(0)));
  }
  parts.push(String.fromCharCode(...codes));
  return parts.join('');
}

/** Runs of a row-major bitmap (0 is background, all else the object) of width × height pixels. */
export function runsFromMask(mask: ArrayLike<number>, width: number, height: number): Runs {
  let runs = new Uint32Array(64);
  let count = 0;
  let inside = false;
  let length = 0;
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      if ((mask[y * width + x] !== 0) !== inside) {
        if (count === runs.length - 1) {
          const larger = new Uint32Array(runs.length * 2);
          larger.set(runs);
          runs = larger;
        }
        runs[count++] = length;
        length = 0;
        inside = !inside;
      }
      length++;
    }
  }
  runs[count++] = length;
  return runs.slice(0, count);
}

/** Pixels of the object: the sum of the runs of ones. */
export function area(runs: Runs): number {
  let sum = 0;
  for (let i = 1; i < runs.length; i += 2) sum += runs[i] as number;
  return sum;
}

/** The error for an object's mask that can't be read reliably. */
export function unreadableMask(why: Reason): CodedError {
  return new CodedError('damaged-archive', `Unreadable mask: ${reasonForLog(why)}`, { reason: why });
}
