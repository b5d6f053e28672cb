import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import golden from '../../../golden/masks.json';

export interface GoldenMask {
  name: string;
  size: [height: number, width: number];
  counts: string;
  runs: number[];
  area: number;
  bbox: [number, number, number, number];
  centroid: [number, number];
  perimeter: number;
  cropped: { size: [number, number]; counts: string };
}

/** The golden masks that have pixels. */
export const goldenMasks = (golden.masks as unknown as GoldenMask[]).filter(mask => mask.area > 0);

/** An object record of the archive, from compressed runs. */
export function record(
  id: number,
  bbox: number[],
  size: number[],
  counts: string,
  className = 'Cell',
): Record<string, unknown> {
  return {
    bbox,
    id,
    rle: { size, counts: Buffer.from(counts, 'ascii').toString('base64') },
    pred_class: className,
    derived_objects: {},
  };
}

/** A filled rectangle as a cropped record: one run that covers its box. */
export function rectangle(id: number, x1: number, y1: number, x2: number, y2: number, className = 'Cell') {
  const area = (x2 - x1) * (y2 - y1);
  return {
    ...record(id, [x1, y1, x2, y2], [y2 - y1, x2 - x1], '', className),
    rle: { size: [y2 - y1, x2 - x1], counts: [0, area] },
  };
}

export function image(
  id: string,
  width: number,
  height: number,
  records: Record<string, unknown>[],
  filename = `${id}.tif`,
): Record<string, unknown> {
  return {
    filename,
    id,
    height,
    width,
    objects: Object.fromEntries(records.map(item => [String(item['id']), item])),
  };
}

export const index = (...classes: string[]) => ({
  resultId: '5f0c7a1e-0000-4000-8000-000000000000',
  dateRun: '2026-01-02T03:04:05.678Z',
  classData: Object.fromEntries(classes.map(name => [name, { name, type: 'Instance' }])),
});

/** Writes a zip of JSON (or given) texts into a folder of its own. */
export async function writeArchive(
  entries: Record<string, unknown>,
  options: { compress?: boolean } = {},
): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'masks-'));
  const path = join(folder, 'masks.zip');
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(text), name, { compress: options.compress ?? true });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return { path, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
