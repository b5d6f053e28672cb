import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tablePopulations } from '../../../../src/linking/node/tablePopulations';
import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import { populationParts, sessionPopulations } from '../../../../src/populations/node/sessionPopulations';
import type { Population } from '../../../../src/populations/population';
import { ResultChoices } from '../../../../src/results/node/resultChoices';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { MemoryState } from '../../jobs/node/memoryState';
import { FilesOnDisk, openSession } from '../../session/node/sessionFixture';

const { signal } = new AbortController();
/** Object 3 has no row, and object 2 no number. */
const TABLE = 'Image origin,Object ID,Area\na.tif,2,\na.tif,1,4\na.tif,4,16\na.tif,9,1\n';

const definitions: Population[] = [
  { name: 'Large', parent: 'Cells', color: '#ff0000', gate: { kind: 'range', column: 'Area', from: 10 } },
  { name: 'Lost', gate: { kind: 'range', column: 'Length', from: 1 } },
  { name: 'Cells', gate: { kind: 'range', column: 'Area', from: 2 } },
];

describe('Populations of a table, on its masks,', () => {
  let folder: string;
  let session: ResultSession;
  let removeMasks: () => Promise<void>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'populations-'));
    const objects = join(folder, 'objects.csv');
    await writeFile(objects, TABLE);
    const archive = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image('a', 40, 40, [
        rectangle(1, 0, 0, 2, 2),
        rectangle(2, 4, 4, 6, 6),
        rectangle(3, 10, 10, 12, 12),
        rectangle(4, 20, 20, 24, 24),
      ]),
    });
    removeMasks = archive.remove;
    const state = new MemoryState();
    const choices = new ResultChoices(() => Promise.resolve(state));
    const source = new FilesOnDisk({ masks: archive.path, objects });
    ({ session } = openSession(source, { added: [populationParts(choices)] }));
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
  });
  after(async () => {
    session.dispose();
    await removeMasks();
    await rm(folder, { recursive: true });
  });

  const shown = async () => {
    const { populations, places, total } = await session.masks.request(
      'objectPopulations',
      { image: 0 },
      signal,
    );
    equal(total, 4);
    const all = populations.map(({ path, color, count }) => [path.join('/'), color, count]);
    return { all, places: [...new Uint16Array(places)] };
  };

  it('are none at first; those that change are told, and color objects', async () => {
    deepEqual(await shown(), { all: [], places: [0, 0, 0, 0] });
    let told = 0;
    const listening = session.get(tablePopulations).onDidChange(() => told++);
    const populations = session.get(sessionPopulations);
    await populations.set('objects', definitions, signal);
    equal(told, 1);
    const { all, places } = await shown();
    deepEqual(
      all.map(([path, , count]) => [path, count]),
      [
        ['Cells', 2],
        ['Cells/Large', 1],
      ],
    );
    equal(all[1]?.[1], '#ff0000');
    deepEqual(places, [1, 0, 0, 2]);
    const hiding = definitions.map(({ gate, ...each }) =>
      each.name === 'Large' ? { ...each, hidden: true as const, gate } : { ...each, gate },
    );
    await populations.set('objects', hiding, signal);
    deepEqual((await shown()).places, [1, 0, 0, 1]);
    await populations.set('aggregate', [], signal);
    equal(told, 2);
    populations.noteDraft('objects');
    equal(told, 3);
    listening.dispose();
    populations.noteDraft('objects');
    equal(told, 3);
  });

  it('are listed of a row, and of all objects of an image', async () => {
    await session.get(sessionPopulations).set('objects', definitions, signal);
    const of = async (row: number) =>
      (await session.masks.request('populationsOfRow', { row }, signal)).populations.map(({ path }) =>
        path.join('/'),
      );
    deepEqual([await of(0), await of(1), await of(2)], [[], ['Cells'], ['Cells', 'Cells/Large']]);
    const { populations } = await session.masks.request('populationMembers', { image: 0 }, signal);
    deepEqual(
      populations.map(({ path, members }) => [path.join('/'), new Uint8Array(members)[0]]),
      [
        ['Cells', 0b1001],
        ['Cells/Large', 0b1000],
      ],
    );
  });
});
