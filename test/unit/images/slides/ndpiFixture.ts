import { type ByteSource, checkReach } from '../../../../src/images/byteSource';
import type { EncodedJpeg } from './encodeJpeg';

/** One image of a Hamamatsu slide. */
export interface NdpiDirectory {
  width: number;
  height: number;
  /** Magnification; -1 of the macro image, -2 of the map. */
  lens: number;
  /** Height of the focal plane, in nm. */
  focus?: number;
  jpeg: EncodedJpeg;
  /** Its table of MCU starts: none, the right one, or one that is so many bytes off. */
  starts?: 'none' | number;
  /** Pixels per centimeter. */
  resolution?: number;
  orientation?: number;
}

export interface NdpiFile {
  bytes: Uint8Array;
  source: ByteSource;
}

/**
 * A slide as Hamamatsu's scanners write it: a TIFF file whose links have 64 bits, and behind each
 * directory the high halves of its values. With `shift` all but the header lies so many bytes
 * farther in the file, which is then only a source.
 */
export function ndpi(directories: readonly NdpiDirectory[], shift = 0): NdpiFile {
  const HEADER = 12;
  const parts: Uint8Array[] = [];
  let end = HEADER;
  const put = (bytes: Uint8Array): number => {
    const at = end;
    parts.push(bytes, new Uint8Array(bytes.length % 2));
    end += bytes.length + (bytes.length % 2);
    return at + shift;
  };
  const numbers = (values: readonly number[]) => {
    const view = new DataView(new ArrayBuffer(4 * values.length));
    values.forEach((value, at) => view.setUint32(4 * at, value % 2 ** 32, true));
    return new Uint8Array(view.buffer);
  };
  const links: { view: DataView; at: number; offset: number }[] = [];
  for (const {
    width,
    height,
    lens,
    focus = 0,
    jpeg,
    starts = 0,
    resolution = 44_000,
    orientation,
  } of directories) {
    const strip = put(jpeg.bytes);
    const fraction = put(numbers([resolution, 1]));
    const offBy = starts === 'none' ? 0 : starts;
    const places = jpeg.starts.map(start => start + offBy);
    const text = put(new Uint8Array(Buffer.from('Hamamatsu\0')));
    const isList = places.length > 1;
    const view = ndpiDirectory({
      ...{ width, height, lens, focus, strip, text, fraction },
      ...(orientation !== undefined && { orientation }),
      bytes: jpeg.bytes.length,
      ...(starts !== 'none' && {
        starts: {
          count: places.length,
          low: isList ? put(numbers(places)) : (places[0] ?? 0),
          high: isList ? put(numbers(places.map(() => 0))) : 0,
        },
      }),
    });
    const offset = put(new Uint8Array(view.buffer));
    links.push({ view, at: ndpiLinkAt(view), offset });
  }
  links.forEach(({ view, at }, i) => view.setBigUint64(at, BigInt(links[i + 1]?.offset ?? 0), true));
  const bytes = new Uint8Array(end);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, 0x49492a00);
  header.setBigUint64(4, BigInt(links[0]?.offset ?? 0), true);
  let at = HEADER;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, source: shiftedSource(bytes, HEADER, shift) };
}

/** What a directory says; places in the file are those of what was put there. */
interface DirectoryFacts {
  width: number;
  height: number;
  lens: number;
  focus: number;
  orientation?: number;
  /** Where the stream is, and how long. */
  strip: number;
  bytes: number;
  /** Where a text of 10 bytes and the fraction of the resolution are. */
  text: number;
  fraction: number;
  /** Where the lists of MCU starts are, low and high halves; single values themselves. */
  starts?: { count: number; low: number; high: number };
}

/** A directory without its link, which is behind its entries, before the high halves. */
export function ndpiDirectory(facts: DirectoryFacts): DataView {
  const { width, height, orientation, starts } = facts;
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [254, 4, 1, 0],
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8],
    [259, 3, 1, 7],
    [262, 3, 1, 6],
    [271, 2, 10, facts.text],
    [273, 4, 1, facts.strip],
    ...(orientation === undefined ? [] : [[274, 3, 1, orientation] as [number, number, number, number]]),
    [277, 3, 1, 3],
    [278, 4, 1, height],
    [279, 4, 1, facts.bytes],
    [282, 5, 1, facts.fraction],
    [283, 5, 1, facts.fraction],
    [284, 3, 1, 1],
    [296, 3, 1, 3],
    [65420, 4, 1, 1],
    [65421, 11, 1, new Uint32Array(Float32Array.of(facts.lens).buffer)[0] ?? 0],
    [65422, 9, 1, 0],
    [65423, 9, 1, 0],
    [65424, 9, 1, facts.focus],
    ...(starts
      ? ([
          [65426, 4, starts.count, starts.low],
          [65432, 4, starts.count, starts.high],
        ] as [number, number, number, number][])
      : []),
  ];
  const view = new DataView(new ArrayBuffer(2 + 12 * entries.length + 8 + 4 * entries.length));
  view.setUint16(0, entries.length, true);
  entries.forEach(([tag, type, count, value], at) => {
    view.setUint16(2 + 12 * at, tag, true);
    view.setUint16(4 + 12 * at, type, true);
    view.setUint32(6 + 12 * at, count, true);
    view.setUint32(10 + 12 * at, (value < 0 ? value + 2 ** 32 : value) % 2 ** 32, true);
    view.setUint32(10 + 12 * entries.length + 4 * at, Math.floor(Math.max(0, value) / 2 ** 32), true);
  });
  return view;
}

/** Where the link of such a directory is. */
export function ndpiLinkAt(view: DataView): number {
  return 2 + 12 * view.getUint16(0, true);
}

/** A file whose bytes from `head` on lie `shift` bytes farther, behind zeros. */
function shiftedSource(bytes: Uint8Array, head: number, shift: number): ByteSource {
  const size = bytes.length + shift;
  return {
    size,
    read: async (offset, length) => {
      checkReach(offset, length, size);
      const out = new Uint8Array(length);
      const copy = (from: number, to: number, place: number) => {
        const [start, end] = [Math.max(offset, place), Math.min(offset + length, place + to - from)];
        if (end > start) out.set(bytes.subarray(from + start - place, from + end - place), start - offset);
      };
      copy(0, head, 0);
      copy(head, bytes.length, head + shift);
      return out;
    },
  };
}
