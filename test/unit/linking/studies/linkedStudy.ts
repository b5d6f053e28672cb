import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResultEngine } from '../../../../src/workbench/engine/resultEngine';
import type { LinkReport } from '../../../../src/linking/rowLinks';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { HEIGHT, type Study, tableOf, WIDTH } from './madeStudies';

const { signal } = new AbortController();

/** What was made of a study, beside its truth. */
export interface LinkedStudy {
  report: LinkReport;
  /**
   * Images that are called by a path that isn't theirs, and rows linked to objects that aren't
   * theirs.
   */
  wrong: string[];
  /** Images that are there with their rows, and how many of them have a row linked. */
  linkable: number;
  certain: number;
}

/**
 * Writes a study's archive, of bare names, and its table, links them, and compares with the truth.
 */
export async function linkStudy(study: Study, folder: string): Promise<LinkedStudy> {
  const { images, kinds } = study;
  const archived = images.filter(({ isInArchive }) => isInArchive);
  const entries: Record<string, unknown> = { 'index.json': index('Cell') };
  for (const { itemId, name, objects } of archived) {
    const records = objects.map(({ id, x, y, width, height }) => rectangle(id, x, y, x + width, y + height));
    entries[`${itemId}_objects.json`] = image(idOf(itemId), WIDTH, HEIGHT, records, name);
  }
  const { header, rows } = tableOf(study);
  const table = join(folder, 'objects.csv');
  await writeFile(table, `${header}\n${rows.map(({ line }) => line).join('\n')}\n`);
  const { path, remove } = await writeArchive(entries);
  const engine = new ResultEngine(() => undefined);
  try {
    await engine.handlers.openTable({ table: 'objects', path: table, options: { memory: 64 } }, signal);
    const summary = await engine.handlers.openMasks({ path }, signal);
    // Their IDs at the service are others than those in the archive: else these would tell all.
    const items = images.map(({ itemId, folder: of, name }) => ({ id: itemId, path: `${of}/${name}` }));
    const report = await engine.handlers.linkRows(kinds.items === 'known' ? { items } : {}, signal);
    const madeOf = (at: number) => archived.find(({ itemId }) => idOf(itemId) === summary.images[at]?.id);
    const wrong: string[] = [];
    for (const { image: at, path: told } of (await engine.handlers.imagePaths({}, signal)).paths) {
      const made = madeOf(at);
      if (`${made?.folder}/${made?.name}` !== told) wrong.push(`${made?.folder}/${made?.name} as ${told}`);
    }
    const linked = new Set<string>();
    for (const [row, { image: of }] of rows.entries()) {
      const { object } = await engine.handlers.objectOfRow({ row }, signal);
      const made = object && madeOf(object.image);
      if (!made) continue;
      linked.add(made.itemId);
      if (made !== images[of]) wrong.push(`row ${row} to ${made.folder}/${made.name}`);
    }
    const linkable = archived.filter(({ rows: of }) => of.length > 0);
    return {
      report,
      wrong,
      linkable: linkable.length,
      certain: linkable.filter(({ itemId }) => linked.has(itemId)).length,
    };
  } finally {
    engine.dispose();
    await remove();
  }
}

function idOf(itemId: string): string {
  return `archived-${itemId}`;
}
