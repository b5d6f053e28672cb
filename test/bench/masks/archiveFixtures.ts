import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { encodeCounts } from '../../../src/archives/runLengthEncoding';

export interface FixtureImage {
  side: number;
  objects: number;
  /** Radius of the smallest object; the largest has twice that. */
  smallest: number;
  /** Runs of the whole image, or of each object's box. */
  shape: 'cropped' | 'full-frame';
  /** Pixels by which objects lie elsewhere than without it, at most. */
  moved?: number;
}

/** Numbers from 0 to 1 that are the same in every run (Lehmer's generator). */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Writes a masks archive of nucleus-like objects, discs with uneven outlines. */
export async function writeFixture(path: string, images: readonly FixtureImage[]): Promise<void> {
  const zip = new ZipFile();
  const done = pipeline(zip.outputStream, createWriteStream(path));
  const classData = {
    Small: { name: 'Small', type: 'Instance' },
    Large: { name: 'Large', type: 'Instance' },
  };
  zip.addBuffer(
    Buffer.from(JSON.stringify({ resultId: 'bench', dateRun: '2026-01-02T03:04:05.678Z', classData })),
    'index.json',
  );
  images.forEach((image, at) => {
    zip.addBuffer(Buffer.from(imageJson(image, `image${at}`, at + 1)), `image${at}_objects.json`);
  });
  zip.end();
  await done;
}

function imageJson(
  { side, objects, smallest, shape, moved = 0 }: FixtureImage,
  id: string,
  seed: number,
): string {
  const random = seededNumbers(seed);
  const move = seededNumbers(seed + 1_000_000);
  const records: string[] = [];
  for (let number = 1; number <= objects; number++) {
    const radius = smallest * (1 + random());
    const x = radius + 3 + random() * (side - 2 * radius - 6);
    const y = radius + 3 + random() * (side - 2 * radius - 6);
    const farthest = Math.max(radius + 3, side - radius - 3);
    const place = (at: number) =>
      moved === 0 ? at : Math.min(farthest, Math.max(radius + 3, at + (2 * move() - 1) * moved));
    const { box, runs } = blob(place(x), place(y), radius, random, shape === 'cropped' ? undefined : side);
    const [x1, y1, x2, y2] = box;
    const size = shape === 'cropped' ? [y2 - y1, x2 - x1] : [side, side];
    const record = {
      bbox: box,
      id: number,
      rle: { size, counts: btoa(encodeCounts(runs)) },
      pred_class: radius > 1.5 * smallest ? 'Large' : 'Small',
      derived_objects: {},
    };
    records.push(`"${number}":${JSON.stringify(record)}`);
  }
  return `{"filename":"${id}.tif","id":"${id}","height":${side},"width":${side},"objects":{${records.join(',')}}}`;
}

/**
 * A disc with a wavy edge: its box, and its runs inside the box or, given its side, inside the
 * image.
 */
function blob(x: number, y: number, radius: number, random: () => number, side: number | undefined) {
  const waves = Array.from({ length: 3 }, () => ({
    phase: random() * 6.283,
    height: random() * radius * 0.08,
  }));
  const spans: [column: number, from: number, to: number][] = [];
  for (let column = Math.ceil(x - radius * 1.3); column <= x + radius * 1.3; column++) {
    const wave = waves.reduce(
      (sum, { phase, height }, at) => sum + height * Math.sin(phase + (at + 2) * column * 0.3),
      0,
    );
    const half = Math.sqrt(Math.max(0, (radius + wave) ** 2 - (column - x) ** 2));
    // Real outlines follow the noise of the image.
    const from = Math.round(y - half + random() - 0.5);
    const to = Math.round(y + half + random() - 0.5);
    if (to > from) spans.push([column, from, to]);
  }
  const x1 = spans[0]?.[0] ?? 0;
  const x2 = (spans.at(-1)?.[0] ?? 0) + 1;
  const y1 = Math.min(...spans.map(([, from]) => from));
  const y2 = Math.max(...spans.map(([, , to]) => to));
  const height = side ?? y2 - y1;
  const left = side === undefined ? x1 : 0;
  const top = side === undefined ? y1 : 0;
  const pixels = side === undefined ? (x2 - x1) * height : side * side;
  const runs: number[] = [];
  let position = 0;
  for (const [column, from, to] of spans) {
    const start = (column - left) * height + from - top;
    if (start === position && runs.length > 0) runs[runs.length - 1] = (runs.at(-1) ?? 0) + to - from;
    else runs.push(start - position, to - from);
    position = start + to - from;
  }
  if (pixels > position) runs.push(pixels - position);
  const box: [number, number, number, number] = [x1, y1, x2, y2];
  return { box, runs };
}
