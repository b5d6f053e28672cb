import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResultEngine } from '../../../../src/workbench/engine/resultEngine';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';

const { signal } = new AbortController();

type Box = [left: number, top: number, right: number, bottom: number];

/** The objects of two images of one name, with IDs from 1 on, the largest first. */
const CONTROL: Box[] = [
  [77, 5, 96, 23],
  [113, 5, 132, 21],
  [41, 5, 53, 12],
  [5, 5, 13, 11],
];
const TREATED: Box[] = [
  [77, 5, 86, 18],
  [41, 5, 47, 20],
  [5, 5, 10, 11],
];
/**
 * Saved under a filter by size: control's IDs are those that treated's image has, and treated's a
 * part of both.
 */
const ROWS = [
  'control/img_1.png,1,86.50,14.00',
  'control/img_1.png,2,122.50,13.00',
  'control/img_1.png,3,47.00,8.50',
  'treated/img_1.png,1,81.50,11.50',
  'treated/img_1.png,2,44.00,12.50',
];

describe('rows that are left of a filter by size, of images of one name', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'filtered-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /**
   * Links the rows with some of the images, and says which image each row and each path is linked
   * to.
   */
  async function link(ids: readonly string[], items: { id: string; path: string }[]) {
    const boxesOf: Record<string, Box[]> = { idC: CONTROL, idT: TREATED };
    const entryOf = (id: string) => {
      const records = (boxesOf[id] ?? []).map((box, at) => rectangle(at + 1, ...box, 'N'));
      return [`${id}_objects.json`, image(id, 160, 120, records, 'img_1.png')];
    };
    const { path, remove } = await writeArchive({
      'index.json': index('N'),
      ...(Object.fromEntries(ids.map(entryOf)) as Record<string, unknown>),
    });
    const table = join(folder, 'objects.csv');
    await writeFile(table, `Image origin,Object ID,X Position,Y Position\n${ROWS.join('\n')}\n`);
    const engine = new ResultEngine(() => undefined);
    try {
      await engine.handlers.openTable({ table: 'objects', path: table, options: { memory: 64 } }, signal);
      const { images } = await engine.handlers.openMasks({ path }, signal);
      await engine.handlers.linkRows({ items }, signal);
      const idOf = (at: number) => images[at]?.id;
      const rows: (string | undefined)[] = [];
      for (const row of ROWS.keys()) {
        const { object } = await engine.handlers.objectOfRow({ row }, signal);
        rows.push(object ? idOf(object.image) : undefined);
      }
      const { paths } = await engine.handlers.imagePaths({}, signal);
      const { groups } = await engine.handlers.openImages({}, signal);
      return {
        rows,
        paths: new Map(paths.map(({ image: at, path: of }) => [of, idOf(at)])),
        suggested: new Map(
          groups.flatMap(group =>
            group.images.map(({ image: at, suggested: of }) => [idOf(at), of] as const),
          ),
        ),
      };
    } finally {
      engine.dispose();
      await remove();
    }
  }

  const OWN: [path: string, id: string][] = [
    ['control/img_1.png', 'idC'],
    ['treated/img_1.png', 'idT'],
  ];
  const items = OWN.map(([path], at) => ({ id: `item-${at}`, path }));

  for (const known of [[], items])
    for (const ids of [['idC', 'idT'], ['idT', 'idC'], ['idT'], ['idC']])
      it(`are linked to their own image, or to none: ${ids.join(' and ')}, ${known.length > 0 ? 'with' : 'without'} the paths of the run`, async () => {
        const { rows, paths } = await link(ids, known);
        for (const [path, id] of OWN) {
          const found = paths.get(path);
          assert.ok(found === undefined || found === id, `${path} is ${found}`);
        }
        for (const [row, found] of rows.entries()) {
          const own = row < 3 ? 'idC' : 'idT';
          assert.ok(found === undefined || found === own, `row ${row} is of ${found}`);
        }
      });

  it('are suggested for their own image, as three positions that fit say too little to be certain', async () => {
    const { rows, suggested } = await link(['idC', 'idT'], []);
    assert.ok(rows.every(found => found === undefined));
    assert.equal(suggested.get('idC'), 'control/img_1.png');
    assert.notEqual(suggested.get('idT'), 'control/img_1.png');
  });
});
