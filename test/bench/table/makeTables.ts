import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { cacheFolder } from '../../host/cacheFolder';

/** Numbers in [0, 1) that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/**
 * An objects table such as the service writes, wide: image, id, class, and measurements of three to
 * eight digits.
 */
export function objectsTable(rows: number, columns: number): Promise<string> {
  const names = Array.from({ length: columns - 3 }, (_, at) => `Measure ${at + 1}`);
  const random = seeded(1234567);
  const classes = ['Nucleus', 'Cell', 'Debris', 'Mitotic cell'];
  return written(
    `objects-${rows}x${columns}.csv`,
    ['Image origin', 'Object ID', 'Class', ...names],
    rows,
    row => {
      const cells = [`run/plate 1/image_${Math.floor(row / 200)}.tif`, String(row % 200)];
      cells.push(classes[Math.floor(random() * classes.length)] ?? '');
      for (let at = 3; at < columns; at++) {
        const value = random() * 10 ** (at % 4);
        cells.push(at % 7 === 0 ? String(Math.floor(value * 100)) : value.toFixed(3 + (at % 3)));
      }
      return cells;
    },
  );
}

/**
 * The objects table of the masks that archiveFixtures.ts writes: a row for each object of each
 * image.
 */
export function linkedTable(images: number, objects: number, columns: number): Promise<string> {
  const names = Array.from({ length: columns - 3 }, (_, at) => `Measure ${at + 1}`);
  const random = seeded(2345678);
  return written(
    `linked-${images}x${objects}x${columns}.csv`,
    ['Image origin', 'Object ID', 'Class', ...names],
    images * objects,
    row => [
      `image${Math.floor(row / objects)}.tif`,
      String((row % objects) + 1),
      random() < 0.5 ? 'Small' : 'Large',
      ...names.map((_, at) => (random() * 10 ** (at % 4)).toFixed(3)),
    ],
  );
}

/** Doubles written with all their digits. */
export function digitsTable(rows: number, columns: number): Promise<string> {
  const names = Array.from({ length: columns }, (_, at) => `x${at}`);
  const random = seeded(7654321);
  return written(`digits-${rows}x${columns}.csv`, names, rows, () =>
    Array.from({ length: columns }, (_, at) =>
      ((random() + random() * 2 ** -32) * 10 ** (at % 3)).toPrecision(17),
    ),
  );
}

async function written(
  name: string,
  header: string[],
  rows: number,
  row: (at: number) => string[],
): Promise<string> {
  const folder = join(cacheFolder(), 'bench-tables');
  const path = join(folder, name);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const aside = `${path}.${process.pid}.part`;
  const file = createWriteStream(aside);
  file.write(`${header.join(',')}\n`);
  // A string holds at most about 512 MB.
  const step = Math.max(1, Math.min(5000, Math.floor(5_000_000 / header.length)));
  for (let start = 0; start < rows; start += step) {
    let text = '';
    for (let at = start; at < Math.min(rows, start + step); at++) text += `${row(at).join(',')}\n`;
    if (!file.write(text)) await new Promise<void>(resolve => file.once('drain', resolve));
  }
  file.end();
  await finished(file);
  await rename(aside, path);
  return path;
}
