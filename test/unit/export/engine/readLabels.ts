import { decode } from 'fast-png';
import { fromArrayBuffer } from 'geotiff';
import { readFile } from 'node:fs/promises';

/** A label image as another library reads it. */
export interface ReadLabels {
  width: number;
  height: number;
  bits: number;
  labels: ArrayLike<number>;
  at(x: number, y: number): number;
}

/** Reads a label image: PNG by fast-png, TIFF by geotiff. */
export async function readLabels(file: string): Promise<ReadLabels> {
  const bytes = await readFile(file);
  const read = file.endsWith('.png') ? readPng(bytes) : await readTiff(bytes);
  return { ...read, at: (x, y) => read.labels[y * read.width + x] ?? NaN };
}

function readPng(bytes: Uint8Array): Omit<ReadLabels, 'at'> {
  const { width, height, depth, data } = decode(bytes, { checkCrc: true });
  return { width, height, bits: depth, labels: data };
}

async function readTiff(bytes: Uint8Array): Promise<Omit<ReadLabels, 'at'>> {
  const file = await fromArrayBuffer(Uint8Array.from(bytes).buffer);
  const image = await file.getImage();
  const labels = (await image.readRasters({ interleave: true })) as unknown as ArrayLike<number>;
  return { width: image.getWidth(), height: image.getHeight(), bits: image.getBitsPerSample(0), labels };
}
