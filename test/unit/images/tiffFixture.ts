import { deflateSync } from 'node:zlib';

export interface TiffPage {
  width: number;
  height: number;
  /** Samples as they go into the file, interleaved. */
  samples:
    | Uint8Array
    | Uint16Array
    | Uint32Array
    | BigUint64Array
    | Int16Array
    | Int32Array
    | BigInt64Array
    | Float32Array
    | Float64Array;
  channels?: number;
  /** 0 white is zero, 1 black is zero, 2 RGB, 3 palette. */
  photometric?: number;
  /** 1 none, 8 Deflate; others are only claimed. */
  compression?: number;
  orientation?: number;
  extraSamples?: number;
  /** Overrides what the array's type says, for packed bits. */
  bits?: number;
  colorMap?: number[];
  /** More tags, which come first and win over other fields' tags. 5: fractions, two numbers. */
  tags?: [tag: number, type: 3 | 4 | 5, values: number[]][] | undefined;
  /** Text of the ImageDescription. */
  description?: string;
}

/** A classic TIFF file with one strip a page. */
export function tiff(pages: TiffPage[], littleEndian = true): Uint8Array {
  const parts: { offset: number; bytes: Uint8Array }[] = [];
  let end = 8;
  const put = (bytes: Uint8Array) => {
    const offset = end;
    parts.push({ offset, bytes });
    end += bytes.length + (bytes.length % 2);
    return offset;
  };
  const numbers = (values: readonly number[], size: 2 | 4) => {
    const bytes = new Uint8Array(values.length * size);
    const view = new DataView(bytes.buffer);
    values.forEach((value, i) => {
      if (size === 2) view.setUint16(i * 2, value, littleEndian);
      else view.setUint32(i * 4, value, littleEndian);
    });
    return bytes;
  };
  const directories = pages.map(page => {
    const { samples, channels = 1 } = page;
    const bits = page.bits ?? samples.BYTES_PER_ELEMENT * 8;
    const plain = sampleBytes(samples, littleEndian);
    const strip = page.compression === 8 ? new Uint8Array(deflateSync(plain)) : plain;
    const format =
      samples instanceof Float32Array || samples instanceof Float64Array
        ? 3
        : samples instanceof Int16Array || samples instanceof Int32Array || samples instanceof BigInt64Array
          ? 2
          : 1;
    const text = Buffer.from(`${page.description ?? ''}\0`);
    const entries: [tag: number, type: 2 | 3 | 4 | 5, values: number[]][] = [
      ...(page.tags ?? []),
      [256, 4, [page.width]],
      [257, 4, [page.height]],
      [258, 3, Array.from({ length: channels }, () => bits)],
      [259, 3, [page.compression ?? 1]],
      [262, 3, [page.photometric ?? 1]],
      ...(page.description === undefined ? [] : [[270, 2, [...text]] as [number, 2, number[]]]),
      [273, 4, [put(strip)]],
      ...(page.orientation ? [[274, 3, [page.orientation]] as [number, 3, number[]]] : []),
      [277, 3, [channels]],
      [278, 4, [page.height]],
      [279, 4, [strip.length]],
      ...(page.colorMap ? [[320, 3, page.colorMap] as [number, 3, number[]]] : []),
      ...(page.extraSamples ? [[338, 3, [page.extraSamples]] as [number, 3, number[]]] : []),
      [339, 3, Array.from({ length: channels }, () => format)],
    ];
    const directory = new Uint8Array(2 + entries.length * 12 + 4);
    const view = new DataView(directory.buffer);
    view.setUint16(0, entries.length, littleEndian);
    entries.forEach(([tag, type, values], i) => {
      const at = 2 + i * 12;
      view.setUint16(at, tag, littleEndian);
      view.setUint16(at + 2, type, littleEndian);
      view.setUint32(at + 4, type === 5 ? values.length / 2 : values.length, littleEndian);
      const bytes = type === 2 ? Uint8Array.from(values) : numbers(values, type === 3 ? 2 : 4);
      if (bytes.length <= 4) directory.set(bytes, at + 8);
      else view.setUint32(at + 8, put(bytes), littleEndian);
    });
    return { directory, offset: put(directory) };
  });
  directories.forEach(({ directory }, i) => {
    const next = directories[i + 1]?.offset ?? 0;
    new DataView(directory.buffer).setUint32(directory.length - 4, next, littleEndian);
  });
  const file = new Uint8Array(end);
  file.set(littleEndian ? [0x49, 0x49, 42, 0] : [0x4d, 0x4d, 0, 42]);
  new DataView(file.buffer).setUint32(4, directories[0]?.offset ?? 0, littleEndian);
  for (const { offset, bytes } of parts) file.set(bytes, offset);
  return file;
}

function sampleBytes(samples: TiffPage['samples'], littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(
    samples.buffer.slice(samples.byteOffset, samples.byteOffset + samples.byteLength),
  );
  const size = samples.BYTES_PER_ELEMENT;
  if (!littleEndian) for (let i = 0; i < bytes.length; i += size) bytes.subarray(i, i + size).reverse();
  return bytes;
}
