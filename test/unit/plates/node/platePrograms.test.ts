import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { savePlateAsProgram } from '../../../../src/plates/node/platePrograms';
import type { Population } from '../../../../src/populations/population';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { ProgramTable } from '../../../../src/session/node/programTable';
import { plainEnglish } from '../../../../src/words/translate';
import golden from '../../../golden/statistics.json';
import { ImagesInMemory, openStudied } from '../../study/node/studiedSession';
import { FilesOnDisk } from '../../session/node/sessionFixture';

type Options = Parameters<typeof savePlateAsProgram>[2];

const [figures] = golden.plate;

/** An image of a well with its objects. */
interface WellImage {
  image: string;
  plate: string;
  well: string;
  condition: string;
  /** Intensity and area of each object. */
  objects: [signal: string, area: number][];
}

/**
 * A plate of 384 whose wells have the golden values as medians of 3 objects, and one well whose
 * images have none.
 */
function goldenPlate(plate: string): WellImage[] {
  ok(figures);
  const { negative, positive, samples } = figures;
  const conditions = [
    ...negative.map(value => [value, 'DMSO'] as const),
    ...positive.map(value => [value, 'Staurosporine'] as const),
    ...samples.map(value => [value, 'library'] as const),
  ];
  const wells = conditions.map(([value, condition], at): WellImage => {
    const well = `${String.fromCharCode(65 + (at % 16))}${String(Math.floor(at / 16) + 1).padStart(2, '0')}`;
    const objects = [value - 1, value, value + 2].map((each): [string, number] => [String(each), 50]);
    return { image: `${plate}/${well}_s1.tif`, plate, well, condition, objects };
  });
  return [...wells, { image: `${plate}/P24_s1.tif`, plate, well: 'P24', condition: '', objects: [] }];
}

describe('What programs do with plates', () => {
  let folder: string;
  let count = 0;
  const sessions: ResultSession[] = [];

  before(async () => (folder = await mkdtemp(join(tmpdir(), 'plates-'))));

  after(async () => {
    for (const session of sessions) session.dispose();
    await rm(folder, { recursive: true });
  });

  async function tableOf(
    images: readonly WellImage[],
    { hasPlates = true, areAllKnown = true } = {},
  ): Promise<ProgramTable> {
    const objects = join(folder, `${++count}.csv`);
    const rows = images.flatMap(({ image, objects: own }) =>
      own.map(([signal, area], at) => `${image},${at},${signal},${area},${area > 60 ? 'big' : 'small'}`),
    );
    await writeFile(objects, ['Image origin,Object ID,Signal,Area,Class', ...rows].join('\n'));
    const known = new ImagesInMemory();
    known.stored = {
      columns: [
        { name: 'Position', role: 'well' },
        { name: 'Compound', role: 'condition' },
        ...(hasPlates ? [{ name: 'Barcode', role: 'plate' as const }] : []),
      ],
      values: Object.fromEntries(
        images.map(({ image, plate, well, condition }) => [
          image,
          [well, condition, ...(hasPlates ? [plate] : [])],
        ]),
      ),
      excluded: {},
    };
    const items = areAllKnown ? images.map(({ image }, at) => ({ id: `i${at}`, path: image })) : [];
    const { session } = openStudied(new FilesOnDisk({ objects }, items), { images: known });
    sessions.push(session);
    return { session, kind: 'objects', signal: new AbortController().signal };
  }

  const OPTIONS: Omit<Options, 'destination'> = {
    plate: undefined,
    well: undefined,
    negative: ['DMSO'],
    positive: ['Staurosporine'],
    measure: 'Signal',
    statistic: 'median',
    as: 'value',
    filters: [],
    overwrite: true,
  };

  async function saved(table: ProgramTable, more: Partial<Options> = {}) {
    const destination = join(folder, 'wells.csv');
    const found = await savePlateAsProgram(plainEnglish, table, { ...OPTIONS, destination, ...more });
    const [header = [], ...rows] = (await readFile(destination, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => line.split(','));
    return { found, header, rows };
  }

  /** The last cells of rows by well. */
  const valuesByWell = (rows: readonly string[][], well = 1) =>
    new Map(rows.map(row => [row[well] ?? '', row.at(-1) ?? '']));

  describe('of two plates whose values numpy has compared', () => {
    let table: ProgramTable;

    before(async () => (table = await tableOf([...goldenPlate('P1'), ...goldenPlate('P2')])));

    it('save each well with its condition, control, images, objects and value', async () => {
      const { found, header, rows } = await saved(table);
      const names = ['Plate', 'Well', 'Condition', 'Control', 'Images', 'Objects', 'Signal (Median)'];
      deepEqual(header, names);
      equal(found.wells, 2 * 321);
      equal(rows.length, found.wells);
      deepEqual(rows[0], ['P1', 'A1', 'DMSO', 'negative', '1', '3', '98.8713']);
      deepEqual(rows[1], ['P1', 'A2', 'Staurosporine', 'positive', '1', '3', '10.7178']);
      // A well of images without objects has no median, and 0 objects.
      deepEqual(
        rows.find(([, well]) => well === 'P24'),
        ['P1', 'P24', '', '', '1', '0', ''],
      );
      equal(found.warnings, undefined);
    });

    it('have Z′, robust Z′ and SSMD for each plate', async () => {
      const { found } = await saved(table);
      deepEqual(
        found.plates.map(({ plate, positive, reason }) => [plate, positive, reason]),
        [
          ['P1', 'Staurosporine', undefined],
          ['P2', 'Staurosporine', undefined],
        ],
      );
      for (const { zPrime, robustZPrime, ssmd } of found.plates)
        for (const [own, expected] of [
          [zPrime, figures?.zPrime],
          [robustZPrime, figures?.robustZPrime],
          [ssmd, figures?.ssmd],
        ] as const)
          ok(own !== null && Math.abs(own - (expected ?? NaN)) <= 1e-12 * Math.abs(expected ?? NaN));
    });

    it('have percent of control and robust z as columns', async () => {
      const near = (text: string | undefined, expected: number | null | undefined) =>
        ok(
          Math.abs(Number(text) - (expected ?? NaN)) <= 1e-12 * Math.max(1, Math.abs(expected ?? NaN)),
          text,
        );
      const percent = await saved(table, { as: 'percentOfControl' });
      equal(percent.header.at(-1), 'Signal (Median) as percent of control');
      near(valuesByWell(percent.rows).get('A3'), figures?.percentOfControl[0]);
      const scores = await saved(table, { as: 'robustZ' });
      equal(scores.header.at(-1), 'Signal (Median) as robust z');
      near(valuesByWell(scores.rows).get('A1'), figures?.robustZ.negative[0]);
      near(valuesByWell(scores.rows).get('A3'), figures?.robustZ.samples[0]);
      deepEqual(percent.found.plates, scores.found.plates);
    });

    it('take controls by wells too, one line for each condition of positive ones', async () => {
      const wells = { negative: ['A1', 'b01', 'C1'], positive: ['A2', 'B2', 'C2', 'A3', 'P24'] };
      const { found, rows } = await saved(table, wells);
      deepEqual(
        found.plates
          .slice(0, 3)
          .map(({ plate, positive, zPrime, reason }) => [plate, positive, zPrime !== null, reason]),
        [
          ['P1', 'Staurosporine', true, undefined],
          [
            'P1',
            'library',
            false,
            'Negative control wells with a value: 3, positive: 1. At least 3 of each are needed.',
          ],
          [
            'P1',
            null,
            false,
            'Negative control wells with a value: 3, positive: 0. At least 3 of each are needed.',
          ],
        ],
      );
      deepEqual(rows.find(([, well]) => well === 'B1')?.[3], 'negative');
      deepEqual(rows.find(([, well]) => well === 'D1')?.[3], '');
    });

    it('have a line that says what is missing where no control is marked', async () => {
      const { found } = await saved(table, { negative: undefined, positive: undefined });
      deepEqual(found.plates[0], {
        plate: 'P1',
        positive: null,
        zPrime: null,
        robustZPrime: null,
        ssmd: null,
        reason: 'Negative control wells with a value: 0, positive: 0. At least 3 of each are needed.',
      });
      const { found: percent } = await saved(table, { negative: undefined, as: 'percentOfControl' });
      deepEqual(
        percent.warnings?.map(({ kind, message }) => [kind, message]),
        ['P1', 'P2'].map(plate => [
          'missing',
          `${plate}: Percent of control is missing: no negative control well has a value.`,
        ]),
      );
    });

    it('refuse what names neither, both, or nothing', async () => {
      for (const [option, more] of [
        ['negative', { negative: ['DMSO', 'Taxol'] }],
        ['positive', { positive: ['DMSO'] }],
        ['positive', { negative: ['A1'], positive: ['A01'] }],
        ['well', { well: 'Wells' }],
        ['plate', { plate: 'Plates' }],
        ['statistic', { statistic: undefined }],
        ['statistic', { measure: { objectsPerImage: true } as const, statistic: 'median' as const }],
        ['measure', { measure: 'Class' }],
      ] as const)
        await rejects(saved(table, more), { code: 'bad-request', details: { subject: option } }, option);
    });
  });

  const image = (
    name: string,
    well: string,
    signals: string[],
    more: Partial<WellImage> = {},
  ): WellImage => ({
    ...{ image: name, plate: '', well, condition: '' },
    objects: signals.map((signal, at) => [signal, 50 + 10 * at]),
    ...more,
  });
  const NO_CONTROLS = { negative: undefined, positive: undefined };

  it('measure wells over their objects, whatever their images, and count those without', async () => {
    const table = await tableOf(
      [
        image('a.tif', 'A1', ['1', '2', '3']),
        image('b.tif', 'A01', ['10', '']),
        image('c.tif', 'A1', []),
        image('d.tif', 'B2', []),
      ],
      { hasPlates: false },
    );
    const value = async (more: Partial<Options>) => {
      const { rows, header } = await saved(table, { ...NO_CONTROLS, ...more });
      deepEqual(header[0], 'Well');
      const byWell = valuesByWell(rows, 0);
      return [byWell.get('A1'), byWell.get('B2')];
    };
    deepEqual(await value({ statistic: 'mean' }), ['4', '']);
    deepEqual(await value({ statistic: 'count' }), ['4', '0']);
    deepEqual(await value({ statistic: 'missing' }), ['1', '0']);
    deepEqual(await value({ statistic: 'sum' }), ['16', '']);
    deepEqual(await value({ measure: { objects: true }, statistic: undefined }), ['5', '0']);
    deepEqual(await value({ measure: { objectsPerImage: true }, statistic: 'mean' }), [String(5 / 3), '0']);
    deepEqual(await value({ measure: { shareOf: { class: 'big' } }, statistic: undefined }), ['0.2', '']);
    const ofSignal = { shareOf: { filter: { kind: 'range', column: 'Signal', from: 3 } } } as const;
    deepEqual(await value({ measure: ofSignal, statistic: 'mean' }), ['0.5', '']);
    const small = { kind: 'range', column: 'Area', to: 50 } as const;
    deepEqual(await value({ measure: { objects: true }, statistic: 'count', filters: [small] }), ['2', '0']);
  });

  it('measure wells over the objects of a population, whose parent it is unknown of', async () => {
    const table = await tableOf([
      {
        ...{ image: 'P1/A1_s1.tif', plate: 'P1', well: 'A1', condition: 'DMSO' },
        objects: [
          ['1', 50],
          ['2', 70],
          ['4', 80],
          ['', 90],
        ],
      },
      { image: 'P1/A1_s2.tif', plate: 'P1', well: 'A1', condition: 'DMSO', objects: [['9', 70]] },
      { image: 'P1/B1_s1.tif', plate: 'P1', well: 'B1', condition: 'Staurosporine', objects: [['1', 10]] },
    ]);
    await table.session.tables.open('objects', table.signal);
    const populations: Population[] = [
      { name: 'Bright', gate: { kind: 'range', column: 'Signal', from: 2 } },
    ];
    await table.session.tables.request('objects', 'setPopulations', { populations }, table.signal);
    const value = async (more: Partial<Options>) => {
      const { found, header, rows } = await saved(table, more);
      const [a1, b1] = [valuesByWell(rows).get('A1'), valuesByWell(rows).get('B1')];
      return [header.at(-1), a1, b1, found.warnings?.map(({ kind }) => kind)];
    };
    const of = { kind: 'population', name: 'Bright' } as const;
    const warned = ['without-value'];
    const median = { measure: { column: 'Area', of }, statistic: 'median' } as const;
    deepEqual(await value(median), ['Area in Bright (Median)', '70', '', warned]);
    const number = { measure: { objects: true, of }, statistic: undefined } as const;
    deepEqual(await value(number), ['Number of objects in Bright', '3', '0', warned]);
    const perImage = { measure: { objectsPerImage: true, of }, statistic: undefined } as const;
    deepEqual(await value(perImage), ['Bright per image', '1.5', '0', warned]);
    const small = { filters: [{ kind: 'range', column: 'Area', to: 75 }] } as const;
    deepEqual(await value({ ...number, ...small }), ['Number of objects in Bright', '2', '0', undefined]);
    // Another gate under the same name, as when it is dragged.
    const brighter: Population[] = [{ name: 'Bright', gate: { kind: 'range', column: 'Signal', from: 3 } }];
    await table.session.tables.request('objects', 'setPopulations', { populations: brighter }, table.signal);
    deepEqual(await value(number), ['Number of objects in Bright', '2', '0', warned]);
    deepEqual(await value(median), ['Area in Bright (Median)', '75', '', warned]);
  });

  it('name images that are in no well, and leave them out', async () => {
    const table = await tableOf(
      [
        image('a.tif', 'A1', ['1']),
        image('b.tif', 'AG1', ['5']),
        image('c.tif', '', ['6']),
        image('d.tif', 'B2', ['inf', '2']),
      ],
      { hasPlates: false, areAllKnown: false },
    );
    const { found, rows } = await saved(table, { ...NO_CONTROLS, statistic: 'mean' });
    deepEqual(
      rows.map(row => [row[0], row.at(-1)]),
      [
        ['A1', '1'],
        ['B2', '2'],
      ],
    );
    deepEqual(
      found.warnings?.map(({ message }) => message),
      [
        'Infinite values are left out of means, SDs and sums: 1.',
        'Images without a well are left out: 1.',
        '“AG1” names no well of a plate of up to 1,536: its images are left out.',
      ],
    );
    const { rows: most } = await saved(table, { ...NO_CONTROLS, statistic: 'max' });
    deepEqual(most.at(-1)?.at(-1), 'inf');
  });

  it('refuse wells of several folders without a column of plates, unless they are said to be of one', async () => {
    const images = ['P1', 'P2'].map(plate => image(`${plate}/A01_s1.tif`, 'A1', ['1'], { plate }));
    const table = await tableOf(images, { hasPlates: false });
    await rejects(saved(table, NO_CONTROLS), (error: unknown) => {
      ok(isCoded(error, 'bad-request'));
      const { code, args } = error.details.reason ?? {};
      deepEqual([code, args], ['several-plates', ['A1', 'P1', 'P2']]);
      return true;
    });
    const { found } = await saved(table, { ...NO_CONTROLS, plate: null });
    deepEqual([found.wells, found.plates.map(({ plate }) => plate)], [1, [null]]);
    const ofPlates = await saved(await tableOf(images), NO_CONTROLS);
    deepEqual([ofPlates.found.wells, ofPlates.found.plates.map(({ plate }) => plate)], [2, ['P1', 'P2']]);
  });

  it('go by columns of the table where images have none, and name an image whose rows are in two wells', async () => {
    const objects = join(folder, 'own.csv');
    const rows = ['a.tif,A1,1,1', 'a.tif,A1,1,3', 'b.tif,A2,1,5', 'b.tif,A3,1,7', 'a.tif,A2,2,9'];
    await writeFile(objects, ['Image,Well,Plate,Signal', ...rows].join('\n'));
    const { session } = openStudied(new FilesOnDisk({ objects }, []), { images: new ImagesInMemory() });
    sessions.push(session);
    const table: ProgramTable = { session, kind: 'objects', signal: new AbortController().signal };
    const { found, rows: wells } = await saved(table, { ...NO_CONTROLS, statistic: 'mean' });
    deepEqual(wells, [
      ['1', 'A1', '', '', '1', '2', '2'],
      ['2', 'A2', '', '', '1', '1', '9'],
    ]);
    deepEqual(
      found.warnings?.map(({ message }) => message),
      ['b.tif is in several wells and left out: A2, A3.'],
    );
  });
});
