import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramFilter } from '../../../src/columns/namedFilter';
import type { NamedMeasure } from '../../../src/study/namedMeasure';
import { compareAsProgram, saveGroupsAsProgram } from '../../../src/study/node/conditionPrograms';
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

  it('measures numbers and means of a population, and warns of thresholds of each image', async () => {
    const compared = (measure: NamedMeasure, filters: ProgramFilter[] = []) =>
      compareAsProgram(plainEnglish, table, {
        ...{ measure, condition: 'Treatment', replicate: undefined, reference: undefined, paired: false },
        ...{ scale: 'difference', filters },
      });
    const means = async (measure: NamedMeasure) => (await compared(measure)).groups.map(({ mean }) => mean);
    const large = { kind: 'population', name: 'Large' } as const;
    // 0 and 3 of the images of a (one object has no area), 4 and 4 of those of b.
    deepEqual(await means({ objectsPerImage: true, of: large }), [1.5, 4]);
    // im0 has no value; im1 has 4, 6 and 7.
    deepEqual(await means({ column: 'Area', of: large }), [17 / 3, 11.5]);
    const warnings = async (...of: Parameters<typeof compared>) =>
      ((await compared(...of)).warnings ?? []).map(({ kind, ...more }) => [
        kind,
        ...('populations' in more ? more.populations : []),
        ...('objects' in more ? [more.objects] : []),
      ]);
    deepEqual(await warnings({ objectsPerImage: true, of: large }), [['without-value', 1]]);
    const top = { kind: 'population', name: 'Top' } as const;
    deepEqual(await warnings({ shareOf: { filter: top } }), [
      ['fixed-by-image', 'Top'],
      ['without-value', 1],
    ]);
    // Of fewer objects than those that the threshold is of, it isn't fixed.
    deepEqual((await warnings({ shareOf: { filter: top } }, [large]))[0], ['image-thresholds', 'Top']);
    deepEqual((await warnings({ objectsPerImage: true, of: top }))[0], ['image-thresholds', 'Top']);
    deepEqual((await warnings('Area', [top]))[0], ['image-thresholds', 'Top']);
    // Where classes divide the objects of an image, their shares do differ.
    const { warnings: byClass = [] } = await compareAsProgram(plainEnglish, table, {
      ...{
        measure: { shareOf: { filter: top } },
        condition: 'Class',
        replicate: undefined,
        reference: undefined,
      },
      ...{ paired: false, scale: 'difference', filters: [] },
    });
    deepEqual(byClass[0]?.kind, 'image-thresholds');
    // Of the parent's objects alone it isn't known: all of them have a class.
    deepEqual(await warnings({ shareOf: { filter: { kind: 'population', name: 'Large A' } } }), []);
    const destination = join(folder, 'groups.csv');
    const options = {
      ...{ by: ['Treatment'], statistics: ['count', 'mean'] as const, filters: [], destination },
      ...{ replicate: undefined, technicalReplicate: undefined, overwrite: true },
    };
    // Statistics of objects are of all of them.
    const within = [{ column: 'Area', of: large }];
    await rejects(saveGroupsAsProgram(plainEnglish, table, { ...options, of: 'objects', measures: within }), {
      code: 'bad-request',
      details: { subject: 'measures' },
    });
    await saveGroupsAsProgram(plainEnglish, table, {
      ...options,
      of: 'images',
      measures: [
        { objectsPerImage: true, of: large },
        { column: 'Area', of: [large, { kind: 'range', column: 'Area', to: 12 }] },
      ],
    });
    deepEqual((await readFile(destination, 'utf8')).trim().split('\n'), [
      'Treatment,Large per image (n),Large per image (Mean),"Area in Large, Area ≤ 12 (n)","Area in Large, Area ≤ 12 (Mean)"',
      // im2 has a mean of 9.5, im3 one object of 12.
      'a,2,1.5,1,5.666666666666667',
      'b,2,4,2,10.75',
    ]);
  });

  it('is told again to a thread that has taken the place of another', async () => {
    engines[0]?.crash(new Error('gone'));
    deepEqual(await idsIn('Large A'), [4, 6, 8, 10, 12, 14]);
    equal(engines.length, 2);
  });

  it('saves rows with a column for each: yes, no, or nothing where a value is missing', async () => {
    const destination = join(folder, 'with populations.csv');
    const saved = { columns: ['Object ID', 'Area'], filters: [], sort: [], destination, overwrite: true };
    const linesOf = async (path = destination) => (await readFile(path, 'utf8')).trim().split('\n');
    const idAndOwn = (line: string) => line.replace(/^(\d+),[^,]*/, '$1');
    await saveTableAsProgram(table, { ...saved, populations: true });
    const [header, ...rows] = await linesOf();
    equal(header, 'Object ID,Area,Large,Large/Large A,Top');
    // One has no area; some aren't in the parent, and some in the parent alone.
    deepEqual(
      [0, 3, 4, 5, 15].map(at => idAndOwn(rows[at] ?? '')),
      ['0,no,no,no', '3,no,no,yes', '4,yes,yes,no', '5,,,', '15,yes,no,yes'],
    );
    const sorted = { ...saved, sort: [{ column: 'Object ID', descending: true }], columns: ['Object ID'] };
    await saveTableAsProgram(table, { ...sorted, populations: true });
    deepEqual((await linesOf())[1], rows[15]?.replace(/,[^,]*/, ''));
    await saveTableAsProgram(table, saved);
    equal((await linesOf())[0], 'Object ID,Area');
    await setPopulationsAsProgram(table, []);
    await rejects(saveTableAsProgram(table, { ...saved, populations: true }), {
      code: 'bad-request',
      details: { subject: 'populations' },
    });
    await setPopulationsAsProgram(table, DEFINED);
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
    deepEqual(session.get(sessionPopulations).listOf('objects'), DEFINED);
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
