import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResultEngine } from '../../../../src/workbench/engine/resultEngine';
import type { LinkParams } from '../../../../src/linking/rowLinks';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';

const { signal } = new AbortController();

/** An object of an image: its ID, and the square that it is. */
type Square = [id: number, side: number, x: number, y: number];

/**
 * One image as the archive has it and as the table has it; absent in either where it is left out.
 */
interface Folder {
  folder: string;
  /** The width that the table says, where it is another one. */
  saidWidth?: number;
  objects: Square[];
  /** Rows of other objects than those of the image. */
  rows?: Square[];
  width?: number;
  /** Where it has another one than the others. */
  ownName?: string;
  /** A garbled entry doesn't even tell its name. */
  archive?: 'damaged' | 'garbled' | 'missing';
  /** µm per pixel, and the origin of the table's positions. */
  scale?: number;
  offset?: number;
}

interface Written {
  columns?: ('area' | 'position' | 'size')[];
  decimals?: number;
  /** What areas are rounded to. */
  areaStep?: number;
  reversed?: boolean;
  params?: LinkParams;
  /** The bare name, of the archive; each folder's by default. */
  name?: string;
}

/**
 * Links a table whose paths have folders with an archive of bare names, and says which path each
 * folder's image got.
 */
async function link(folders: readonly Folder[], options: Written = {}) {
  const { columns = ['area', 'position'], decimals = 6, name = 'img_1.png', params = {}, areaStep } = options;
  const entries: Record<string, unknown> = { 'index.json': index('Cell') };
  for (const { folder, objects, archive, width = 500, ownName = name } of options.reversed
    ? [...folders].reverse()
    : folders) {
    if (archive === 'missing') continue;
    const records = objects.map(([id, side, x, y]) => rectangle(id, x, y, x + side, y + side));
    const entry = JSON.stringify(image(`id-${folder}`, width, 400, records, ownName));
    // A name comes first in an entry, and is read of a damaged one too.
    entries[`id-${folder}_objects.json`] =
      archive === 'damaged' ? `${entry.slice(0, -40)}!` : archive === 'garbled' ? '!' : entry;
  }
  const header = ['Image origin', 'Object ID'];
  if (columns.includes('area')) header.push('Area');
  if (columns.includes('position')) header.push('X Position', 'Y Position');
  if (columns.includes('size')) header.push('Image width', 'Image height');
  const lines = folders.flatMap(made => {
    const { folder, objects, rows = objects, scale = 1, offset = 0, ownName = name } = made;
    const width = made.saidWidth ?? made.width ?? 500;
    return rows.map(([id, side, x, y]) => {
      const cells = [`${folder}/${ownName}`, String(id)];
      const place = (value: number) => ((value + side / 2 - 0.5) * scale + offset).toFixed(decimals);
      const area = side * side * scale * scale;
      if (columns.includes('area'))
        cells.push(areaStep ? String(Math.round(area / areaStep) * areaStep) : area.toFixed(decimals));
      if (columns.includes('position')) cells.push(place(x), place(y));
      if (columns.includes('size')) cells.push(String(width), '400');
      return cells.join();
    });
  });
  const { path, remove } = await writeArchive(entries);
  const tables = await mkdtemp(join(tmpdir(), 'table-'));
  const table = join(tables, 'objects.csv');
  await writeFile(table, `${header.join()}\n${lines.join('\n')}\n`);
  const engine = new ResultEngine(() => undefined);
  try {
    await engine.handlers.openTable({ table: 'objects', path: table, options: { memory: 64 } }, signal);
    const { images } = await engine.handlers.openMasks({ path }, signal);
    const report = await engine.handlers.linkRows(params, signal);
    const { paths } = await engine.handlers.imagePaths({}, signal);
    const pathOf = new Map(paths.map(each => [images[each.image]?.id ?? '', each.path]));
    const open = await engine.handlers.openImages({}, signal);
    return {
      report,
      /** The folder of each image's path, by the folder that it is of. */
      linked: Object.fromEntries(
        folders.flatMap(({ folder }) => {
          const found = pathOf.get(`id-${folder}`);
          return found === undefined ? [] : [[folder, found.slice(0, found.lastIndexOf('/'))]];
        }),
      ),
      told: report.sameNames?.linked,
      why: Object.fromEntries(
        open.groups.flatMap(group =>
          group.images.map(({ image: at, why }) => [(images[at]?.id ?? '').slice(3), why]),
        ),
      ),
      openFolders: open.groups
        .flatMap(group => group.images.map(({ image: at }) => (images[at]?.id ?? '').slice(3)))
        .sort((a, b) => a.localeCompare(b)),
      suggested: Object.fromEntries(
        open.groups.flatMap(group =>
          group.images.flatMap(({ image: at, suggested }) =>
            suggested === undefined
              ? []
              : [[(images[at]?.id ?? '').slice(3), suggested.slice(0, suggested.lastIndexOf('/'))]],
          ),
        ),
      ),
    };
  } finally {
    engine.dispose();
    await rm(tables, { recursive: true, force: true });
    await remove();
  }
}

/** `count` squares with IDs from 1 on, of sides and places that depend on `seed`. */
function squares(count: number, seed: number): Square[] {
  return Array.from({ length: count }, (_, at): Square => {
    const mixed = (at + 1) * 7919 + seed * 104729;
    return [at + 1, 3 + (mixed % 11), (at * 17 + seed) % 400, (mixed >> 3) % 300];
  });
}

const own = (...folders: string[]) => Object.fromEntries(folders.map(folder => [folder, folder]));

describe('images of the same name in several folders', () => {
  it('are told apart by their objects, two, three or forty of them', async () => {
    for (const count of [2, 3, 40]) {
      const folders = Array.from({ length: count }, (_, at) => ({
        folder: `f${at}`,
        objects: squares(12 + (at % 5), at),
      }));
      const { report, linked } = await link(folders);
      assert.deepEqual(linked, own(...folders.map(({ folder }) => folder)));
      assert.deepEqual([report.ambiguous, report.rowsWithoutObject, report.objectsWithoutRow], [0, 0, 0]);
      assert.equal(report.sameNames?.open, 0);
    }
  });

  it('are told apart whatever the order of the archive', async () => {
    const folders = ['z', 'a', 'm'].map((folder, at) => ({ folder, objects: squares(9, at) }));
    assert.deepEqual((await link(folders, { reversed: true })).linked, own('z', 'a', 'm'));
  });

  it('are told apart by sets of IDs alone where all that was analyzed has a row for each object', async () => {
    const folders = [8, 9, 10].map(count => ({ folder: `of${count}`, objects: squares(count, 1) }));
    const items = folders.map(({ folder }) => ({ id: `item-${folder}`, path: `${folder}/img_1.png` }));
    const { linked, told } = await link(folders, { columns: [], params: { items } });
    assert.deepEqual(linked, own('of8', 'of9', 'of10'));
    assert.deepEqual(told, { ids: 3 });
    const unknown = await link(folders, { columns: [] });
    assert.deepEqual([unknown.linked, unknown.suggested], [{}, own('of8', 'of9', 'of10')]);
    assert.deepEqual(unknown.why, { of8: 'ids-alone', of9: 'ids-alone', of10: 'ids-alone' });
  });

  it('are told apart by sets of IDs alone where IDs run on from image to image', async () => {
    let last = 0;
    const folders = [8, 8, 9].map((count, at) => {
      const objects = squares(count, 1).map(([id, ...rest]): Square => [id + last, ...rest]);
      last += count;
      return { folder: `f${at}`, objects };
    });
    const { linked, told } = await link(folders, { columns: [] });
    assert.deepEqual([linked, told], [own('f0', 'f1', 'f2'), { ids: 3 }]);
    const [first, ...others] = folders;
    const partly = [
      { ...first, folder: 'f0', objects: first?.objects ?? [], rows: first?.objects.slice(1) ?? [] },
    ];
    assert.deepEqual((await link([...partly, ...others], { columns: [] })).linked, {});
  });

  it('are not told apart by IDs where the rows are a part, as under a filter, and positions are of others', async () => {
    const control: Square[] = [
      [1, 18, 77, 5],
      [2, 16, 113, 5],
      [3, 7, 41, 5],
      [4, 6, 5, 60],
    ];
    const treated: Square[] = [
      [1, 13, 77, 5],
      [2, 12, 41, 40],
      [3, 5, 5, 5],
    ];
    const folders: Folder[] = [
      { folder: 'control', objects: control, rows: control.slice(0, 3) },
      { folder: 'treated', objects: treated, rows: treated.slice(0, 2) },
    ];
    for (const columns of [[], ['position'], ['area', 'position']] as const)
      for (const items of [[], folders.map(({ folder }) => ({ id: folder, path: `${folder}/img_1.png` }))]) {
        const { linked } = await link(folders, { columns: [...columns], params: { items } });
        for (const [folder, path] of Object.entries(linked)) assert.equal(path, folder);
      }
  });

  it('stay open where areas in hundreds fit by chance, and the image that is meant is missing', async () => {
    const folders: Folder[] = [
      { folder: 'a', objects: squares(6, 1), archive: 'missing' },
      { folder: 'b', objects: squares(6, 2).map(([id, side, ...rest]) => [id, side + 1, ...rest]), rows: [] },
      { folder: 'c', objects: squares(5, 3) },
    ];
    const { linked } = await link(folders, { columns: ['area'], areaStep: 100 });
    assert.equal(linked['b'], undefined);
  });

  it('of which only one is in the table and in the archive are told by what objects say, not by the name', async () => {
    const [first, second] = [squares(9, 1), squares(9, 5)];
    const others = ['a', 'b'].map((folder, at) => ({
      folder,
      ownName: 'img_2.png',
      objects: squares(8, at + 7),
    }));
    const linkRows = (rows: Square[]) => link([{ folder: 'one', objects: first, rows }, ...others]);
    assert.equal((await linkRows(first)).report.matched, 9 + 8 + 8);
    const { report, openFolders, why } = await linkRows(second);
    assert.deepEqual([report.matched, openFolders, why], [8 + 8, ['one'], { one: 'none-fits' }]);
  });

  it('stay open without areas and positions where sets of IDs are equal', async () => {
    const folders = ['a', 'b'].map((folder, at) => ({ folder, objects: squares(8, at) }));
    const { report, linked, openFolders, suggested } = await link(folders, { columns: [] });
    assert.deepEqual([linked, suggested, openFolders], [{}, {}, ['a', 'b']]);
    assert.deepEqual([report.matched, report.ambiguous], [0, 16]);
  });

  it('are told apart by areas where sets of IDs are equal', async () => {
    const folders = ['a', 'b', 'c'].map((folder, at) => ({ folder, objects: squares(8, at) }));
    const { linked, told } = await link(folders, { columns: ['area'] });
    assert.deepEqual(linked, own('a', 'b', 'c'));
    assert.deepEqual(told, { areas: 3 });
  });

  it('are told apart by areas in µm², rounded, with another pixel size for each', async () => {
    const folders = ['a', 'b', 'c'].map((folder, at) => ({
      folder,
      objects: squares(16, at),
      scale: 0.65 * (at + 1),
    }));
    assert.deepEqual((await link(folders, { columns: ['area'], decimals: 1 })).linked, own('a', 'b', 'c'));
  });

  it('are told apart by positions, also in µm and with an offset, where IDs and areas are equal', async () => {
    const moved = (by: number) =>
      squares(8, 1).map(([id, side, x, y]): Square => [id, side, (x * (by + 1)) % 400, y + by]);
    const folders = ['a', 'b', 'c'].map((folder, at) => ({
      folder,
      objects: moved(at * 3),
      scale: 0.5,
      offset: 1000,
    }));
    const { linked, told } = await link(folders, { decimals: 3 });
    assert.deepEqual(linked, own('a', 'b', 'c'));
    assert.deepEqual(told, { positions: 3 });
  });

  it('stay open where they are the same file, beside others that are told apart', async () => {
    const folders = [1, 1, 2].map((seed, at) => ({ folder: `f${at}`, objects: squares(8, seed) }));
    const { linked, openFolders, suggested } = await link(folders);
    assert.deepEqual([linked, openFolders, suggested], [own('f2'), ['f0', 'f1'], {}]);
  });

  it('do not fit where they have no ID in common', async () => {
    const later = squares(8, 2).map(([id, ...rest]): Square => [id + 100, ...rest]);
    const folders = [
      { folder: 'a', objects: squares(8, 1), rows: later },
      { folder: 'b', objects: squares(9, 3) },
    ];
    const { linked, suggested, openFolders } = await link(folders);
    assert.deepEqual([linked, suggested, openFolders], [own('b'), {}, ['a']]);
  });

  it('are told apart by areas where one of them is damaged, and not by IDs', async () => {
    const folders: Folder[] = [
      { folder: 'a', objects: squares(8, 1), archive: 'damaged' },
      { folder: 'b', objects: squares(9, 2) },
      { folder: 'c', objects: squares(10, 3) },
    ];
    const byAreas = await link(folders);
    assert.deepEqual([byAreas.linked, byAreas.told], [own('b', 'c'), { areasAndPositions: 2 }]);
    const byIds = await link(folders, { columns: [] });
    assert.deepEqual(byIds.linked, {});
    assert.deepEqual(byIds.suggested, own('b', 'c'));
  });

  it('are told apart by areas where one of them is missing, and not by IDs', async () => {
    const folders: Folder[] = [
      { folder: 'a', objects: squares(8, 1), archive: 'missing' },
      { folder: 'b', objects: squares(9, 2) },
      { folder: 'c', objects: squares(10, 3) },
    ];
    assert.deepEqual((await link(folders)).linked, own('b', 'c'));
    const byIds = await link(folders, { columns: [] });
    assert.deepEqual([byIds.linked, byIds.suggested], [{}, own('b', 'c')]);
  });

  it('stay open where the rows are of a damaged one, and a part of those of another', async () => {
    const folders: Folder[] = [
      { folder: 'control', objects: squares(20, 1), archive: 'damaged' },
      { folder: 'treated', objects: squares(30, 2), rows: [] },
    ];
    for (const columns of [[], ['area', 'position']] as const) {
      const { report, linked, openFolders } = await link(folders, { columns: [...columns] });
      assert.deepEqual([report.matched, report.ambiguous], [0, 20]);
      assert.deepEqual([linked, openFolders], [{}, ['control', 'treated']]);
    }
  });

  it('are told apart by areas where it is not even known what the damaged one is called, and not by IDs', async () => {
    const folders: Folder[] = [
      { folder: 'a', objects: squares(8, 1), archive: 'garbled' },
      { folder: 'b', objects: squares(9, 2) },
      { folder: 'c', objects: squares(10, 3) },
    ];
    assert.deepEqual((await link(folders)).linked, own('b', 'c'));
    const byIds = await link(folders, { columns: [] });
    assert.deepEqual([byIds.linked, byIds.suggested], [{}, own('b', 'c')]);
    const ofOne: Folder[] = [
      { folder: 'control', objects: squares(20, 1), archive: 'garbled' },
      { folder: 'treated', objects: squares(30, 2), rows: [] },
    ];
    for (const columns of [[], ['area', 'position'], ['size']] as const) {
      const { report, linked } = await link(ofOne, { columns: [...columns] });
      assert.deepEqual([report.matched, linked], [0, {}]);
    }
  });

  it('are told apart by areas of a part of their objects', async () => {
    const folders = ['a', 'b'].map((folder, at) => {
      const objects = squares(12, at);
      return { folder, objects, rows: objects.filter(([id]) => id % 3 !== at) };
    });
    assert.deepEqual((await link(folders)).linked, own('a', 'b'));
    const { linked, openFolders } = await link(folders, { columns: [] });
    assert.deepEqual([linked, openFolders], [{}, ['a', 'b']]);
  });

  it('are suggested where there are fewer than three objects', async () => {
    const folders = [1, 2].map(count => ({ folder: `of${count}`, objects: squares(count, count) }));
    const { linked, suggested, report } = await link(folders);
    assert.deepEqual([linked, suggested], [{}, own('of1', 'of2')]);
    assert.deepEqual(report.sameNames, { linked: {}, open: 2, suggested: 2 });
  });

  it('are suggested where their IDs agree and their areas do not', async () => {
    const other = squares(8, 5);
    const folders = [
      { folder: 'a', objects: squares(8, 1), rows: other },
      { folder: 'b', objects: squares(9, 2) },
    ];
    const { linked, suggested } = await link(folders);
    assert.deepEqual([linked, suggested], [own('b'), own('a')]);
  });

  it('are suggested, not told apart, by a size that only one has', async () => {
    const folders = [300, 400, 500].map(width => ({
      folder: `w${width}`,
      objects: squares(2, 1),
      width,
    }));
    const items = folders.map(({ folder }) => ({ id: `item-${folder}`, path: `${folder}/img_1.png` }));
    for (const params of [{ items }, {}]) {
      const { linked, suggested } = await link(folders, { columns: ['size'], params });
      assert.deepEqual([linked, suggested], [{}, own('w300', 'w400', 'w500')]);
    }
  });

  it('of another size than the rows of their path say stay open, and it is said why', async () => {
    const folders: Folder[] = ['a', 'b', 'c'].map((folder, at) => ({
      ...{ folder, ownName: `${folder}.tif`, objects: squares(8, at) },
      ...(folder === 'b' && { saidWidth: 400 }),
    }));
    const { report, why } = await link(folders, { columns: ['area', 'position', 'size'] });
    assert.deepEqual([report.matched, why], [16, { b: 'other-size' }]);
    assert.deepEqual(report.sameNames, { linked: {}, open: 0, suggested: 0, ofOtherSizes: 1 });
    assert.equal(report.rowsWithoutObject + report.ambiguous, 8);
    const byHand = [{ image: 'id-b', path: 'b/b.tif' }];
    const said = await link(folders, { columns: ['size'], params: { byHand } });
    assert.deepEqual([said.report.matched, said.why], [24, {}]);
  });

  it('are certain where the ID of the analyzed item is that of the image', async () => {
    const folders = ['a', 'b'].map(folder => ({ folder, objects: squares(2, 1) }));
    const items = ['a', 'b'].map(folder => ({ id: `id-${folder}`, path: `${folder}/img_1.png` }));
    const { linked, report } = await link(folders, { columns: [], params: { items } });
    assert.deepEqual(linked, own('a', 'b'));
    assert.equal(report.ambiguous, 0);
  });

  it('are told apart where one of the analyzed ones has neither objects nor rows', async () => {
    const folders: Folder[] = [
      { folder: 'a', objects: squares(8, 1) },
      { folder: 'b', objects: [] },
    ];
    const items = ['a', 'b'].map(folder => ({ id: `item-${folder}`, path: `${folder}/img_1.png` }));
    const { linked, told } = await link(folders, { columns: [], params: { items } });
    assert.deepEqual([linked, told], [own('a', 'b'), { ids: 1, empty: 1 }]);
    const unknown = await link(folders, { columns: [] });
    assert.deepEqual([unknown.linked, unknown.openFolders, unknown.suggested], [{}, ['a'], own('a')]);
  });

  it('stay open by name where several have no objects', async () => {
    const folders: Folder[] = [
      { folder: 'a', objects: squares(8, 1) },
      { folder: 'b', objects: [] },
      { folder: 'c', objects: [] },
    ];
    const items = ['a', 'b', 'c'].map(folder => ({ id: `item-${folder}`, path: `${folder}/img_1.png` }));
    const { linked, openFolders } = await link(folders, { columns: [], params: { items } });
    assert.deepEqual([linked, openFolders], [own('a'), []]);
  });

  it('are linked by hand, against all else', async () => {
    const folders = ['a', 'b', 'c'].map((folder, at) => ({ folder, objects: squares(8, at) }));
    const byHand = [
      { image: 'id-a', path: 'b/img_1.png' },
      { image: 'id-b', path: 'a/img_1.png' },
    ];
    const { linked, told, report } = await link(folders, { params: { byHand } });
    assert.deepEqual(
      [linked, told],
      [
        { a: 'b', b: 'a', c: 'c' },
        { hand: 2, areasAndPositions: 1 },
      ],
    );
    assert.equal(report.ambiguous, 0);
    const gone = await link(folders, { params: { byHand: [{ image: 'id-x', path: 'a/img_1.png' }] } });
    assert.deepEqual(gone.linked, own('a', 'b', 'c'));
  });

  it('are open again where a person gave their path, or their image, to another', async () => {
    const folders = ['a', 'b'].map((folder, at) => ({ folder, objects: squares(8, at) }));
    const items = ['a', 'b'].map(folder => ({ id: `id-${folder}`, path: `${folder}/img_1.png` }));
    const byHand = [{ image: 'id-a', path: 'b/img_1.png' }];
    const { linked, openFolders, suggested, report } = await link(folders, { params: { items, byHand } });
    assert.deepEqual([linked['a'], openFolders, suggested], ['b', ['b'], { b: 'a' }]);
    assert.deepEqual([report.matched, report.sameNames?.open], [8, 1]);
  });

  it('keep the links of other names', async () => {
    const folders = ['a'].map(folder => ({ folder, objects: squares(8, 1) }));
    const { report, linked } = await link(folders, { name: 'only.png' });
    assert.deepEqual([report.matched, report.sameNames, linked], [8, undefined, {}]);
  });
});
