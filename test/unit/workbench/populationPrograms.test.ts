import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareAsProgram } from '../../../src/study/node/conditionPrograms';
import { imageStudy } from '../../../src/session/node/imageStudy';
import {
  savePopulationsAsProgram,
  savePopulationTable,
  setPopulationsAsProgram,
} from '../../../src/populations/node/populationPrograms';
import {
  populationParts,
  sessionPopulations,
  storedPopulations,
} from '../../../src/populations/node/sessionPopulations';
import type { Population } from '../../../src/populations/population';
import { ResultChoices } from '../../../src/results/node/resultChoices';
import type { ProgramTable } from '../../../src/session/node/programTable';
import type { ResultSession } from '../../../src/session/node/resultSession';
import { choiceOwnerOf } from '../../../src/session/node/resultSource';
import { saveTableAsProgram } from '../../../src/table/node/tablePrograms';
import { plainEnglish } from '../../../src/words/translate';
import type { InProcessEngine } from '../session/node/inProcessEngine';
import { MemoryState } from '../jobs/node/memoryState';
import { FilesOnDisk } from '../session/node/sessionFixture';
import { ImagesInMemory, openStudied } from '../study/node/studiedSession';

/** Two images of each of two conditions; Area is the row's number, and missing in row 5. */
const ROWS = Array.from({ length: 16 }, (_, at) => {
  const image = Math.floor(at / 4);
  return `im${image}.tif,${at},${at === 5 ? '' : at},${at % 2 === 0 ? 'A' : 'B'}`;
});

const DEFINED: Population[] = [
  { name: 'Large', gate: { kind: 'range', column: 'Area', from: 4 } },
  { name: 'Large A', parent: 'Large', gate: { kind: 'values', column: 'Class', values: ['A'] } },
  {
    name: 'Top',
    gate: { kind: 'percentile', column: 'Area', of: 'image', percent: 50, side: 'above' },
  },
];

describe('What programs do with populations', () => {
  let folder: string;
  let session: ResultSession;
  let engines: InProcessEngine[];
  let table: ProgramTable;
  const state = new MemoryState();
  const choices = new ResultChoices(() => Promise.resolve(state));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'populations-'));
    const objects = join(folder, 'objects.csv');
    await writeFile(objects, ['Image origin,Object ID,Area,Class', ...ROWS].join('\n'));
    const images = new ImagesInMemory();
    const names = [0, 1, 2, 3].map(at => `im${at}.tif`);
    images.stored = {
      columns: [
        { name: 'Treatment', role: 'condition' },
        { name: 'Donor', role: 'replicate' },
      ],
      values: Object.fromEntries(names.map((name, at) => [name, [at < 2 ? 'a' : 'b', `d${at}`]])),
      excluded: {},
    };
    const source = new FilesOnDisk(
      { objects },
      names.map((path, at) => ({ id: `i${at}`, path })),
    );
    ({ session, engines } = openStudied(source, { images, added: [populationParts(choices)] }));
    table = { session, kind: 'objects', signal: new AbortController().signal };
  });

  after(async () => {
    session.dispose();
    await rm(folder, { recursive: true });
  });

  const idsIn = async (name: string) => {
    const destination = join(folder, `rows of ${name}.csv`);
    const filters = [{ kind: 'population', name } as const];
    const columns = ['Object ID'];
    await saveTableAsProgram(table, { columns, filters, sort: [], destination, overwrite: true });
    return (await readFile(destination, 'utf8')).trim().split('\n').slice(1).map(Number);
  };

  it('sets populations, counts them, and filters and compares by them', async () => {
    const { populations } = await setPopulationsAsProgram(table, DEFINED);
    deepEqual(populations, [
      { name: 'Large', path: 'Large', count: 11, ofParent: 11 / 16, ofAll: 11 / 16, missing: 1 },
      { name: 'Large A', path: 'Large/Large A', count: 6, ofParent: 6 / 11, ofAll: 6 / 16, missing: 0 },
      {
        ...{ name: 'Top', path: 'Top', count: 8, ofParent: 0.5, ofAll: 0.5, missing: 1 },
        thresholds: [[1.5, 13.5]],
      },
    ]);
    deepEqual(await idsIn('large a'), [4, 6, 8, 10, 12, 14]);
    const { groups } = await compareAsProgram(plainEnglish, table, {
      measure: { shareOf: { filter: { kind: 'population', name: 'Large A' } } },
      ...{ condition: 'Treatment', replicate: undefined, reference: undefined, paired: false },
      ...{ scale: 'difference', filters: [] },
    });
    // Of the parent's rows: none of im0, 2 of 3 of im1, 2 of 4 of the others.
    deepEqual(
      groups.map(({ condition, mean }) => [condition, mean]),
      [
        ['a', 2 / 3],
        ['b', 0.5],
      ],
    );
  });

  it('is told again to a thread that has taken the place of another', async () => {
    engines[0]?.crash(new Error('gone'));
    deepEqual(await idsIn('Large A'), [4, 6, 8, 10, 12, 14]);
    equal(engines.length, 2);
  });

  it('refuses what a table can not have, and changes nothing', async () => {
    const circle: Population[] = [
      { name: 'X', parent: 'Y', gate: { kind: 'missing', column: 'Area', missing: true } },
      { name: 'Y', parent: 'X', gate: { kind: 'missing', column: 'Area', missing: true } },
    ];
    const orphan: Population[] = [
      { name: 'Z', parent: 'Gone', gate: { kind: 'missing', column: 'Area', missing: true } },
    ];
    const unknown: Population[] = [{ name: 'Z', gate: { kind: 'range', column: 'Nothing', from: 1 } }];
    for (const wanted of [circle, orphan, unknown])
      await rejects(setPopulationsAsProgram(table, wanted), { code: 'bad-request' });
    deepEqual(session.get(sessionPopulations).known('objects'), DEFINED);
    deepEqual(await choices.value(storedPopulations, choiceOwnerOf(session.source)), { objects: DEFINED });
    await rejects(idsIn('Z'), { code: 'bad-request' });
  });

  it('saves a row for each population and group, with groups in which it has none', async () => {
    const destination = join(folder, 'populations.csv');
    const saved = { measures: ['Area'], statistics: ['mean'] as const, destination, overwrite: true };
    const { rows } = await savePopulationsAsProgram(table, { by: ['Treatment', 'Image origin'], ...saved });
    const lines = (await readFile(destination, 'utf8')).trim().split('\n');
    equal(rows, 12);
    deepEqual(lines.slice(0, 7), [
      'Population,Treatment,Image origin,Count,OfParent,OfAll,Area (mean)',
      'Large,a,im0.tif,0,0,0,',
      'Large,a,im1.tif,3,0.75,0.75,5.666666666666667',
      'Large,b,im2.tif,4,1,1,9.5',
      'Large,b,im3.tif,4,1,1,13.5',
      'Large/Large A,a,im0.tif,0,,0,',
      'Large/Large A,a,im1.tif,2,0.6666666666666666,0.5,5',
    ]);
    await savePopulationsAsProgram(table, { by: undefined, ...saved });
    deepEqual((await readFile(destination, 'utf8')).trim().split('\n'), [
      'Population,Count,OfParent,OfAll,Area (mean)',
      'Large,11,0.6875,0.6875,9.909090909090908',
      'Large/Large A,6,0.5454545454545454,0.375,9',
      'Top,8,0.5,0.5,8.5',
    ]);
  });

  it('saves a table of images with what is per mm², and a column for each condition for Prism', async () => {
    const destination = join(folder, 'table.csv');
    const { columns } = await session.tables.open('objects', table.signal);
    const { condition, replicate } = await session.get(imageStudy).rolesOf('objects', table.signal);
    const written = { destination, overwrite: true };
    const lines = async () => (await readFile(destination, 'utf8')).trim().split('\n');
    const areas = { texts: ['im0.tif', 'im1.tif', 'im2.tif'], areas: [0.5, 0.25, 2] };
    await savePopulationTable(table, columns, {
      by: [0],
      measures: [2],
      statistics: ['mean'],
      areas,
      ...written,
    });
    deepEqual((await lines()).slice(0, 5), [
      'Population,Image origin,Count,OfParent,OfAll,PerMm2,Area (mean)',
      'Large,im0.tif,0,0,0,0,',
      'Large,im1.tif,3,0.75,0.75,12,5.666666666666667',
      'Large,im2.tif,4,1,1,2,9.5',
      // How large it is isn't known.
      'Large,im3.tif,4,1,1,,13.5',
    ]);
    await savePopulationTable(table, columns, {
      by: [...condition, ...replicate],
      ...{ measures: [], statistics: [], isSpread: true },
      ...written,
    });
    deepEqual((await lines()).slice(0, 7), [
      'Population,Measure,Donor,a,b',
      'Large,Count,d0,0,',
      'Large,Count,d1,3,',
      'Large,Count,d2,,4',
      'Large,Count,d3,,4',
      'Large,OfParent,d0,0,',
      'Large,OfParent,d1,0.75,',
    ]);
  });
});
