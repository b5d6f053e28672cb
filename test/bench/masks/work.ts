import { inflateRawSync } from 'node:zlib';
import { openPromise } from 'yauzl';
import { CompressedRuns } from '../../../src/archives/readObjectMask';
import { EntryQueue, MasksArchive } from '../../../src/archives/engine/masksArchive';
import { LabelCanvas, LabelPainter } from '../../../src/archives/engine/labelPainter';
import type { Masks } from '../../../src/archives/engine/masks';

const TILE = 256;

/** Paints every label tile of the first image at a level. */
export async function paintAll(masks: Masks, level: number): Promise<void> {
  const [image] = masks.summary.images;
  if (!image) throw new Error('The archive has no image');
  const across = Math.ceil(image.width / (TILE * 2 ** level));
  const down = Math.ceil(image.height / (TILE * 2 ** level));
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) await masks.labelTile(0, { level, x, y }, undefined);
}

/**
 * A function that paints all objects of the first image at full size into one label image, in
 * reused memory.
 */
export async function labelImagePainter(masks: Masks): Promise<() => void> {
  const objects = await masks.objects(0);
  const canvas = new LabelCanvas(objects.width, objects.height);
  return () => {
    const painter = new LabelPainter(objects, { left: 0, top: 0, step: 1 }, canvas);
    for (let object = 0; object < objects.count; object++) painter.paint(object);
  };
}

/** Inflates all entries of an archive the way opening it does, and checks their sums. */
export async function inflateAll(path: string): Promise<number> {
  const archive = await MasksArchive.open(path);
  try {
    const { images } = archive.contents;
    await using queue = new EntryQueue(
      archive,
      images.map(({ entry }) => entry),
    );
    let bytes = 0;
    for (let at = 0; at < images.length; at++)
      for await (const chunk of queue.chunks(at)) bytes += chunk.length;
    return bytes;
  } finally {
    archive.dispose();
  }
}

/**
 * A function that inflates all entries of an archive one after the other without checks: the lower
 * bound of one thread.
 */
export async function plainInflater(path: string): Promise<() => void> {
  const zip = await openPromise(path);
  const packed: { data: Buffer; size: number }[] = [];
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    const stream = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    packed.push({ data: Buffer.concat(chunks), size: entry.uncompressedSize });
  }
  return () => {
    for (const { data, size } of packed) inflateRawSync(data, { chunkSize: Math.max(64, size + 1) });
  };
}

/**
 * A function that decodes base64 counts to runs as opening an archive does, into reused memory, and
 * returns their number.
 */
export function runsDecoder(counts: readonly string[], pixels: number): () => number {
  const texts = counts.map(text => new Uint8Array(Buffer.from(text)));
  const target = new Uint32Array(Math.max(...counts.map(text => text.length)));
  const decoder = new CompressedRuns();
  return () => {
    let runs = 0;
    for (const text of texts) runs += decoder.decode(text, 0, text.length, pixels, target, 0);
    return runs;
  };
}

interface EntryJson {
  height: number;
  width: number;
  objects: Record<string, { rle: { counts: string } }>;
}

/** The JSON of an entry, for the peer. */
export async function readJson(path: string, name: string): Promise<EntryJson> {
  const archive = await MasksArchive.open(path);
  try {
    const image = archive.contents.images.find(({ entry }) => entry.fileName === name);
    if (!image) throw new Error(`No entry ${name}`);
    return JSON.parse(await archive.readText(image.entry)) as EntryJson;
  } finally {
    archive.dispose();
  }
}
