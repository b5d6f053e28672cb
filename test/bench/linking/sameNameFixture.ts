import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/**
 * What tells the images apart: areas, areas of those objects that have rows, positions where a
 * table has no areas, or nothing, as all are the same file.
 */
export type Evidence = 'areas' | 'areasOfSome' | 'positions' | 'nothing';

export interface FixtureOptions {
  folders: number;
  /** Of each image, with IDs from 1 on. */
  objects: number;
  evidence: Evidence;
  /** Whether all images have one name; else each has its own. */
  haveSameName: boolean;
}

const WIDTH = 2000;

/**
 * Writes a masks archive of bare names, and a table of the same objects with folders; each object
 * is a filled rectangle.
 */
export async function writeLinkingFixture(
  folder: string,
  { folders, objects, evidence, haveSameName }: FixtureOptions,
): Promise<{ masks: string; table: string }> {
  const [masks, table] = [join(folder, 'masks.zip'), join(folder, 'objects.csv')];
  const zip = new ZipFile();
  const archived = pipeline(zip.outputStream, createWriteStream(masks));
  const index = { resultId: 'bench', dateRun: '2026-01-02T03:04:05.678Z', classData: CLASSES };
  zip.addBuffer(Buffer.from(JSON.stringify(index)), 'index.json');
  const rows = createWriteStream(table);
  const hasAreas = evidence !== 'positions';
  rows.write(`Image origin,Object ID,${hasAreas ? 'Area,' : ''}X Position,Y Position\n`);
  for (let image = 0; image < folders; image++) {
    const name = haveSameName ? 'img_1.png' : `img_${image + 1}.png`;
    const [records, lines] = [[] as string[], [] as string[]];
    for (let id = 1; id <= objects; id++) {
      const [width, height, x, y] = rectangle(id, evidence === 'nothing' ? 0 : image);
      const bbox = [x, y, x + width, y + height];
      const rle = { size: [height, width], counts: [0, width * height] };
      records.push(`"${id}":${JSON.stringify({ bbox, id, rle, pred_class: 'Cell', derived_objects: {} })}`);
      const area = hasAreas ? `${width * height},` : '';
      if (evidence === 'areasOfSome' && (id * 7 + image) % 10 === 0) continue;
      lines.push(`f${image + 1}/${name},${id},${area}${x + (width - 1) / 2},${y + (height - 1) / 2}\n`);
    }
    const entry = `{"filename":"${name}","id":"i${image}","height":${WIDTH},"width":${WIDTH},"objects":{${records.join()}}}`;
    zip.addBuffer(Buffer.from(entry), `i${image}_objects.json`);
    if (!rows.write(lines.join(''))) await once(rows, 'drain');
  }
  zip.end();
  await Promise.all([archived, new Promise<void>(resolve => rows.end(resolve))]);
  return { masks, table };
}

const CLASSES = { Cell: { name: 'Cell', type: 'Instance' } };

/** Of an object, another one in each image; its size and its place. */
function rectangle(id: number, image: number): [width: number, height: number, x: number, y: number] {
  const mixed = (Math.imul(id, 0x9e3779b1) ^ Math.imul(image + 1, 0x85ebca6b)) >>> 0;
  return [4 + (mixed % 13), 4 + ((mixed >>> 8) % 11), (mixed >>> 4) % 1900, (mixed >>> 12) % 1900];
}
