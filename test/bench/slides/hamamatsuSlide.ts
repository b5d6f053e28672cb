import { open } from 'node:fs/promises';
import { encodeJpeg } from '../../unit/images/slides/encodeJpeg';
import { ndpiDirectory, ndpiLinkAt } from '../../unit/images/slides/ndpiFixture';
import { tissue } from '../../unit/images/slides/slideImages';

/*
 * A slide as large as real ones. Its intervals are some few, in an order without a pattern, so that
 * it is written in seconds.
 */

/** Pixels of a restart interval: four of the coarsest but one level are its width. */
const INTERVAL = { width: 1568, height: 8, mcus: 98 };
const VARIANTS = 24;

export const SLIDE_WIDTH = 64 * INTERVAL.width;

/** Writes a slide of Hamamatsu's, of 8-bit color with levels by 4, and gives its bytes. */
export async function writeHamamatsuSlide(path: string, height: number): Promise<number> {
  const width = SLIDE_WIDTH;
  const size = { width: INTERVAL.width, height: INTERVAL.height * VARIANTS };
  const jpeg = encodeJpeg({ ...size, sampling: [2, 1], restart: INTERVAL.mcus }, tissue());
  const [first = 0] = jpeg.starts;
  const intervals = jpeg.starts.map((start, at) =>
    Buffer.from(jpeg.bytes.subarray(start, (jpeg.starts[at + 1] ?? jpeg.bytes.length) - 2)),
  );
  const file = await open(path, 'w');
  let end = 12;
  const put = async (bytes: Uint8Array) => {
    await file.write(bytes, 0, bytes.length, end);
    end += bytes.length;
    return end - bytes.length;
  };
  const views: DataView[] = [];
  for (let factor = 1; width / factor >= INTERVAL.width; factor *= 4) {
    const [across, down] = [width / factor / INTERVAL.width, Math.floor(height / factor / INTERVAL.height)];
    const header = Buffer.from(jpeg.bytes.subarray(0, first));
    // The frame's size: what doesn't fit is 0.
    const frame = header.indexOf(Buffer.from([0xff, 0xc0]));
    const side = (value: number) => (value > 65_500 ? 0 : value);
    header.writeUInt16BE(side(down * INTERVAL.height), frame + 5);
    header.writeUInt16BE(side(width / factor), frame + 7);
    const strip = await put(header);
    const starts = new Float64Array(across * down);
    let length = header.length;
    for (let row = 0; row < down; row++) {
      const parts: Buffer[] = [];
      for (let column = 0; column < across; column++) {
        const at = row * across + column;
        const interval = intervals[(Math.imul(at, 0x9e3779b1) >>> 8) % VARIANTS] ?? Buffer.alloc(0);
        const marker = at === across * down - 1 ? 0xd9 : 0xd0 + (at % 8);
        starts[at] = length;
        length += interval.length + 2;
        parts.push(interval, Buffer.from([0xff, marker]));
      }
      await put(Buffer.concat(parts));
    }
    const halves = (high: boolean) =>
      new Uint8Array(Uint32Array.from(starts, at => (high ? at / 2 ** 32 : at % 2 ** 32)).buffer);
    const [low, high] = [await put(halves(false)), await put(halves(true))];
    const text = await put(new Uint8Array(Buffer.from('Hamamatsu\0')));
    const fraction = await put(new Uint8Array(Uint32Array.of(44_000 / factor, 1).buffer));
    const facts = { width: width / factor, height: down * INTERVAL.height, lens: 20 / factor, focus: 0 };
    const list = { count: starts.length, low, high };
    views.push(ndpiDirectory({ ...facts, strip, bytes: length, text, fraction, starts: list }));
  }
  const places: number[] = [];
  let next = end;
  for (const view of views) {
    places.push(next);
    next += view.byteLength;
  }
  for (const [at, view] of views.entries()) {
    view.setBigUint64(ndpiLinkAt(view), BigInt(places[at + 1] ?? 0), true);
    await put(new Uint8Array(view.buffer));
  }
  const start = Buffer.alloc(12);
  start.write('II*\0', 'latin1');
  start.writeBigUInt64LE(BigInt(places[0] ?? 0), 4);
  await file.write(start, 0, 12, 0);
  await file.close();
  return end;
}
