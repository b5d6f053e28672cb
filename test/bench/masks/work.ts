import { EntryQueue } from '../../../src/results/masks/entryQueue';
import { LabelCanvas } from '../../../src/results/masks/labelCanvas';
import { LabelPainter } from '../../../src/results/masks/labelPainter';
import { MasksArchive } from '../../../src/results/masks/masksArchive';
import type { Masks } from '../../../src/results/masks/masks';

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

/** Gives what paints all objects of the first image at full size into one label image, in memory used again each time. */
export async function labelImagePainter(masks: Masks): Promise<() => void> {
  const objects = await masks.objects(0);
  const canvas = new LabelCanvas(objects.width, objects.height);
  return () => {
    const painter = new LabelPainter(objects, { left: 0, top: 0, step: 1 }, canvas);
    for (let object = 0; object < objects.count; object++) painter.paint(object, false);
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
    if (!image) throw new Error(`There is no ${name}`);
    return JSON.parse(await archive.readText(image.entry)) as EntryJson;
  } finally {
    archive.dispose();
  }
}
