import { sessionImageColumns } from '../../../../src/study/node/sessionImageColumns';
import * as assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureName } from '../../../../src/study/namedMeasure';
import {
  compareAsProgram,
  type ProgramComparison,
  saveGroupsAsProgram,
} from '../../../../src/study/node/conditionPrograms';
import type { ProgramTable } from '../../../../src/session/node/programTable';
import { saveTableAsProgram } from '../../../../src/table/node/tablePrograms';
import { setImageColumns } from '../../../../src/study/node/givenImageColumns';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { plainEnglish } from '../../../../src/words/translate';
import golden from '../../../golden/statistics.json';
import { assertClose } from '../assertClose';
import { FilesOnDisk } from '../../session/node/sessionFixture';
import { ImagesInMemory, openStudied } from './studiedSession';

const { study } = golden;
const FILTERS = [{ kind: 'range', column: 'Area', from: 40 } as const];
/** Means of control and drug, t, df and p. */
const GOLDEN_OF_REPEATS = [
  16.583333333333332, 23.583333333333332, 1.1405601522221003, 3.930738047630874, 0.31874397072338495,
];
const SHARE = { shareOf: { filter: { kind: 'range', column: 'Signal', from: 120 } } } as const;

describe('What programs do with tables', () => {
  let folder: string;
  let session: ResultSession;
  let table: ProgramTable;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-'));
    const objects = join(folder, 'objects.csv');
    const rows = study.objects.map(o => `${o.image},${o.id},${o.Area},${o.Signal ?? ''}`);
    await writeFile(objects, ['Image origin,Object ID,Area,Signal', ...rows].join('\n'));
    const images = new ImagesInMemory();
    images.stored = {
      columns: [
        { name: 'Treatment', role: 'condition' },
        { name: 'Donor', role: 'replicate' },
      ],
      values: Object.fromEntries(
        study.images.map(({ image, condition, donor }) => [image, [condition, donor]]),
      ),
      excluded: {},
    };
    // The items of the run tell of the image without objects.
    const items = study.images.map(({ image }, at) => ({ id: `i${at}`, path: image }));
    ({ session } = openStudied(new FilesOnDisk({ objects }, items), { images }));
    table = { session, kind: 'objects', signal: new AbortController().signal };
  });

  after(async () => {
    session.dispose();
    await rm(folder, { recursive: true });
  });

  const compare = (more: Partial<Parameters<typeof compareAsProgram>[2]> = {}): Promise<ProgramComparison> =>
    compareAsProgram(plainEnglish, table, {
      measure: 'Area',
      condition: 'Treatment',
      replicate: undefined,
      reference: undefined,
      paired: false,
      scale: 'difference',
      filters: FILTERS,
      ...more,
    });

  it('compares conditions as the golden study says, with the role of replicates', async () => {
    for (const [measure, key] of [
      ['Area', 'meanAreaOverObjects'],
      [{ objectsPerImage: true }, 'objectsPerImage'],
      [SHARE, 'shareOverObjects'],
    ] as const)
      for (const paired of [false, true]) {
        const { difference, t, df, p, ci95 } = study.compare[key][paired ? 'paired' : 'welch'];
        const found = await compare({ measure, paired });
        assert.ok('difference' in found);
        assert.equal(found.test, paired ? 'paired-t' : 'welch-t');
        assertClose(
          { difference: found.difference, t: found.statistic, df: found.df, p: found.p, ci95: found.ci95 },
          { difference, t, df, p, ci95 },
          key,
        );
        assert.deepEqual([found.pairs, found.excluded, found.reason], [undefined, [], undefined]);
        assert.deepEqual(
          found.groups.map(({ condition, n }) => [condition, n]),
          [
            ['control', 3],
            ['treated', 3],
          ],
        );
      }
  });

  it('answers a ratio for a difference, and why there is no p', async () => {
    const found = await compare({ scale: 'ratio', reference: 'treated' });
    assert.ok('ratio' in found && !('difference' in found));
    const none = await compare({
      replicate: ['Object ID'],
      filters: [{ kind: 'range', column: 'Object ID', to: 2 }],
    });
    assert.equal(none.reason, 'Fewer than 3 replicates, or pairs of them');
    assert.equal(none.p, null);
  });

  it('knows columns by their positions too', async () => {
    const [area, treatment, donor] = [2, 4, 5];
    const byName = await compare();
    const byPosition = { measure: area, condition: treatment, replicate: [donor] };
    assert.deepEqual(await compare(byPosition), byName);
    const columns = ['A', 'B'].map((name, index) => ({ index, name, kind: 'number' as const }));
    const names = [1, { shareOf: { filter: { kind: 'range', column: 0, from: 2 } } }] as const;
    assert.deepEqual(
      names.map(named => measureName(plainEnglish, columns, named)),
      ['B', 'Share of A ≥ 2'],
    );
  });

  it('warns of what is not counted, as the caption does', async () => {
    const missing = study.objects.filter(({ Area, Signal }) => Area >= 40 && Signal === null).length;
    assert.ok(missing > 1);
    assert.deepEqual((await compare({ measure: SHARE })).warnings, [
      {
        kind: 'without-value',
        objects: missing,
        message: `${missing} objects have no value for the measure and are left out.`,
      },
    ]);
    assert.equal((await compare()).warnings, undefined);
  });

  it('names the option that is wrong', async () => {
    const wrong = (more: Parameters<typeof compare>[0], subject: string) =>
      assert.rejects(compare(more), { code: 'bad-request', details: { subject } });
    await wrong({ measure: 'Volume' }, 'measure');
    await wrong({ measure: 'Image origin' }, 'measure');
    await wrong({ measure: { shareOf: { class: 'x' } } }, 'measure');
    await wrong({ condition: 'Dose' }, 'condition');
    await wrong({ replicate: ['Treatment'] }, 'replicate');
    await wrong({ reference: 'other' }, 'reference');
    await wrong({ filters: [{ kind: 'missing', column: 'None', missing: true }] }, 'filters');
  });

  it('saves rows by the names of columns', async () => {
    const destination = join(folder, 'rows.csv');
    const saved = await saveTableAsProgram(table, {
      columns: ['Donor', 'Area'],
      filters: [...FILTERS, { kind: 'values', column: 'Treatment', values: ['treated'] }],
      sort: [{ column: 'Area', descending: true }],
      destination,
      overwrite: false,
    });
    const expected = study.objects
      .filter(({ image, Area }) => image.startsWith('treated') && Area >= 40)
      .sort((a, b) => b.Area - a.Area)
      .map(({ image, Area }) => `${image.slice(8, 10)},${Area}`);
    const written = await readFile(destination, 'utf8');
    assert.equal(written, `Donor,Area\n${expected.join('\n')}\n`);
    assert.deepEqual(saved, { path: destination, rows: expected.length, bytes: Buffer.byteLength(written) });
    await assert.rejects(
      saveTableAsProgram(table, { columns: undefined, filters: [], sort: [], destination, overwrite: false }),
      { code: 'exists' },
    );
  });

  async function groups(more: Partial<Parameters<typeof saveGroupsAsProgram>[2]>) {
    const destination = join(folder, 'groups.csv');
    const saved = await saveGroupsAsProgram(plainEnglish, table, {
      by: ['Treatment'],
      measures: ['Area'],
      statistics: ['count', 'mean'],
      of: 'objects',
      filters: FILTERS,
      destination,
      overwrite: true,
      ...more,
    });
    const lines = (await readFile(destination, 'utf8')).trimEnd().split('\n');
    assert.equal(saved.groups, lines.length - 1);
    return lines.map(line => line.split(','));
  }

  it('saves groups of objects, without statistics that only replicates have', async () => {
    const passing = study.objects.filter(({ Area }) => Area >= 40);
    const [header, ...rows] = await groups({});
    assert.deepEqual(header, ['Treatment', 'Area (n)', 'Area (Mean)']);
    assert.deepEqual(
      rows.map(([name, count]) => [name, Number(count)]),
      ['control', 'treated'].map(name => [
        name,
        passing.filter(({ image }) => image.startsWith(name)).length,
      ]),
    );
    const excluded = passing[0]?.image ?? '';
    const image = study.images.findIndex(each => each.image === excluded);
    const exclude = async (why: string | null): Promise<void> => {
      await session
        .get(sessionImageColumns)
        .edit([{ kind: 'exclude', images: [image], reasons: [why] }], [], table.signal);
    };
    const { images } = await session.get(sessionImageColumns).allImages(table.signal);
    assert.equal(images[image], excluded);
    await exclude('Blurred');
    const [, ...without] = await groups({});
    await exclude(null);
    assert.equal(
      without.reduce((sum, [, count]) => sum + Number(count), 0),
      passing.filter(each => each.image !== excluded).length,
    );
    await assert.rejects(groups({ statistics: ['sem'] }), {
      code: 'bad-request',
      details: { subject: 'statistics' },
    });
    await assert.rejects(groups({ measures: [SHARE] }), {
      code: 'bad-request',
      details: { subject: 'measures' },
    });
  });

  it('saves groups of images and of replicates, images without objects included', async () => {
    const measures = ['Area', { objectsPerImage: true }, SHARE] as const;
    const ofImages = await groups({
      of: 'images',
      measures: [...measures],
      statistics: ['count', 'missing'],
    });
    // One image has no object, one none that passes; both count 0 objects, and have no mean and no
    // share.
    assert.deepEqual(ofImages.slice(1), [
      ['control', '11', '1', '12', '0', '11', '1'],
      ['treated', '11', '1', '12', '0', '11', '1'],
    ]);
    const ofReplicates = await groups({
      of: 'replicates',
      measures: [...measures],
      statistics: ['count', 'mean', 'sem', 'ciLow', 'ciHigh'],
    });
    const [header, control] = ofReplicates;
    assert.deepEqual(header?.slice(1, 6), [
      'Area (n)',
      'Area (Mean)',
      'Area (SEM)',
      'Area (CI95 low)',
      'Area (CI95 high)',
    ]);
    assert.equal(header?.[6], 'Objects per image (n)');
    const values = study.replicates.filter(({ condition }) => condition === 'control');
    const mean = (key: 'meanAreaOverObjects' | 'objectsPerImage' | 'shareOverObjects') =>
      values.reduce((sum, one) => sum + one[key], 0) / 3;
    assertClose(
      [control?.[2], control?.[7], control?.[12]].map(Number),
      [mean('meanAreaOverObjects'), mean('objectsPerImage'), mean('shareOverObjects')],
      'means of replicates',
    );
  });

  describe('of which columns could be replicates', () => {
    /**
     * Of each donor and repeat, other numbers of objects; the value of an object is by all of
     * these.
     */
    const rows = ['ctrl', 'drug'].flatMap(condition =>
      [1, 2, 3].flatMap(donor =>
        [1, 2, 3, 4].flatMap(rep =>
          Array.from({ length: ((donor * rep) % 4) + 1 }, (_, at) => {
            const area =
              (condition === 'drug' ? 5 + donor : 0) + 7 * donor + ((3 * rep * donor) % 5) + at / 8;
            return { condition, donor, rep, area };
          }),
        ),
      ),
    );
    const options = {
      measure: 'Area',
      condition: 'condition',
      replicate: undefined,
      reference: undefined,
      paired: undefined,
      scale: 'difference',
      filters: [],
    } as const;
    let opened: ResultSession[] = [];

    afterEach(() => {
      for (const each of opened) each.dispose();
      opened = [];
    });

    async function withPattern(pattern: string, content: string): Promise<ProgramTable> {
      const file = join(folder, 'levels.csv');
      await writeFile(file, content);
      const { session: local } = openStudied(new FilesOnDisk({ file }), { images: new ImagesInMemory() });
      opened.push(local);
      await setImageColumns(local, { pattern }, {}, table.signal);
      return { session: local, kind: 'file', signal: table.signal };
    }

    const content = (name: (row: (typeof rows)[number]) => string) =>
      ['Image,Area', ...rows.map(row => `${name(row)},${row.area}`)].join('\n');

    it('a repeat beside a donor multiplies no n: its values are averaged to those of donors', async () => {
      const of = await withPattern(
        '{condition}/{donor}_{rep}.tif',
        content(({ condition, donor, rep }) => `${condition}/d${donor}_r${rep}.tif`),
      );
      const found = await compareAsProgram(plainEnglish, of, { ...options, paired: false });
      assert.deepEqual([found.replicate, found.technicalReplicate], [['donor'], ['rep']]);
      assert.deepEqual(
        found.groups.map(({ n }) => n),
        [3, 3],
      );
      // By scipy 1.17: ttest_ind(equal_var=False) of the means of means of repeats.
      assertClose(
        [found.groups[0]?.mean, found.groups[1]?.mean, found.statistic, found.df, found.p],
        GOLDEN_OF_REPEATS,
        'by means of repeats',
      );
      assert.equal(found.warnings, undefined);
    });

    it('donors of equal names in several conditions are not tested until a program says whether they are the same', async () => {
      const of = await withPattern(
        '{condition}/{donor}_*.tif',
        content(({ condition, donor, rep }) => `${condition}/d${donor}_r${rep}.tif`),
      );
      const open = await compareAsProgram(plainEnglish, of, options);
      const { test, p, ci95, statistic, df } = open;
      assert.deepEqual([test, p, ci95, statistic, df], [null, null, null, null, null]);
      assert.ok('difference' in open && open.difference === null && open.reason);
      assert.deepEqual(
        open.warnings?.map(({ kind }) => kind),
        ['names-open'],
      );
      for (const paired of [true, false]) {
        const said = await compareAsProgram(plainEnglish, of, { ...options, paired });
        assert.equal(said.test, paired ? 'paired-t' : 'welch-t');
        assert.ok(said.p !== null && said.warnings === undefined);
      }
    });

    it('donors and days that are crossed are not tested, nor have they an n, until it is said what counts', async () => {
      const of = await withPattern(
        '{condition}/{donor}_{day}.tif',
        content(({ condition, donor, rep }) => `${condition}/${condition}d${donor}_${rep}.tif`),
      );
      const open = await compareAsProgram(plainEnglish, of, { ...options, paired: false });
      assert.deepEqual(
        [open.test, open.p, ...open.groups.map(({ n, mean }) => [n, mean])],
        [null, null, [0, null], [0, null]],
      );
      const [warning] = open.warnings ?? [];
      assert.ok(warning?.kind === 'levels-open');
      assert.deepEqual(warning.columns, ['donor', 'day']);
      const saved = await saveGroupsAsProgram(plainEnglish, of, {
        by: ['condition'],
        measures: ['Area'],
        statistics: ['mean', 'sem', 'ciLow'],
        of: 'replicates',
        filters: [],
        destination: join(folder, 'open.csv'),
        overwrite: true,
      });
      assert.deepEqual(
        saved.warnings?.map(({ kind }) => kind),
        ['levels-open'],
      );
      const [, control] = (await readFile(join(folder, 'open.csv'), 'utf8')).split('\n');
      assert.match(control ?? '', /^ctrl,[\d.]+,,\s*$/);
      const donors = await compareAsProgram(plainEnglish, of, {
        ...options,
        paired: false,
        replicate: ['donor'],
        technicalReplicate: ['day'],
      });
      assertClose(donors.p, GOLDEN_OF_REPEATS[4], 'donors');
      const all = await compareAsProgram(plainEnglish, of, {
        ...options,
        paired: false,
        replicate: ['donor', 'day'],
      });
      assert.deepEqual(
        [all.groups.map(({ n }) => n), all.p !== null, all.technicalReplicate],
        [[12, 12], true, []],
      );
    });

    it('a condition that is written in several ways is one, and said', async () => {
      const written = { ctrl: ['10', '10.0', '10'], drug: ['caf\u00e9', 'cafe\u0301', 'caf\u00e9'] };
      const image = ({ condition, donor, rep }: (typeof rows)[number]) =>
        `${condition}/${condition}${donor}_${rep}.tif`;
      const of = await withPattern('*/{donor}_*.tif', content(image));
      const treatment = Object.fromEntries(
        rows.map(row => [
          image(row),
          written[row.condition === 'ctrl' ? 'ctrl' : 'drug'][row.donor - 1] ?? '',
        ]),
      );
      await setImageColumns(of.session as ResultSession, { columns: { treatment } }, {}, table.signal);
      const found = await compareAsProgram(plainEnglish, of, {
        ...options,
        condition: 'treatment',
        paired: false,
      });
      assert.deepEqual(
        found.groups.map(({ condition, n }) => [condition, n]),
        [
          ['10', 3],
          ['caf\u00e9', 3],
        ],
      );
      assert.deepEqual(
        found.warnings?.map(each => each.kind === 'spelled-alike' && [each.value, ...each.others]),
        [
          ['10', '10.0'],
          ['caf\u00e9', 'cafe\u0301'],
        ],
      );
    });
  });

  it('warns where images without objects are unknown, and of images that have no role', async () => {
    const images = new ImagesInMemory();
    const file = join(folder, 'file.csv');
    await writeFile(file, 'Image,Area\na.tif,1\nb.tif,2\nc.tif,3\nd.tif,3\n');
    images.stored = {
      columns: [
        { name: 'Dose', role: 'condition' },
        { name: 'Donor', role: 'replicate' },
      ],
      values: { 'a.tif': ['0', 'd1'], 'b.tif': ['1', 'd2'], 'c.tif': ['1', ''], 'd.tif': ['', 'd1'] },
      excluded: {},
    };
    const { session: local } = openStudied(new FilesOnDisk({ file }), { images });
    const options = {
      replicate: undefined,
      reference: undefined,
      paired: false,
      scale: 'difference',
      filters: [],
    } as const;
    const of = { session: local, kind: 'file', signal: table.signal } as const;
    const { warnings } = await compareAsProgram(plainEnglish, of, {
      measure: { objectsPerImage: true },
      condition: 'Dose',
      ...options,
    });
    const unknown = {
      kind: 'images-unknown',
      message: 'Images without objects are unknown, and not counted.',
    };
    assert.deepEqual(warnings, [
      unknown,
      {
        kind: 'without-role',
        withoutCondition: 1,
        withoutReplicate: 1,
        message: '1 without a condition and 1 without a replicate are left out.',
      },
    ]);
    const saved = await saveGroupsAsProgram(plainEnglish, of, {
      by: ['Dose'],
      measures: [{ objectsPerImage: true }],
      statistics: ['mean'],
      of: 'images',
      filters: [],
      destination: join(folder, 'local.csv'),
      overwrite: false,
    });
    assert.deepEqual(saved.warnings, [unknown]);
    local.dispose();
  });

  it('leaves infinite values out of means, counts them and says so', async () => {
    // One cell of 12 is infinite: the value of its donor is over the others.
    const cells = [2, 4, 1, 3, 5, 7, 3, 6, 4, 8, 9].map(String);
    const file = join(folder, 'infinite.csv');
    const lines = ['inf', ...cells].map((value, at) => {
      const condition = at < 6 ? 'control' : 'treated';
      return `${condition}/d${Math.floor(at / 2)}.tif,${condition},d${Math.floor(at / 2)},${value}`;
    });
    await writeFile(file, ['Image,Condition,Donor,Ratio', ...lines].join('\n'));
    const { session: local } = openStudied(new FilesOnDisk({ file }), { images: new ImagesInMemory() });
    const of = { session: local, kind: 'file', signal: table.signal } as const;
    const filters = [{ kind: 'missing', column: 'Ratio', missing: false } as const];
    const found = await compareAsProgram(plainEnglish, of, {
      ...{ measure: 'Ratio', condition: 'Condition', replicate: ['Donor'], reference: undefined },
      ...{ paired: false, scale: 'difference', filters },
    });
    const warning = {
      kind: 'infinite',
      column: 'Ratio',
      objects: 1,
      message: 'Ratio: 1 infinite value is left out of means, SDs and tests.',
    };
    assert.deepEqual([found.warnings, found.filters], [[warning], filters]);
    assertClose(
      found.groups.map(({ n, mean }) => [n, mean]),
      [
        [3, (2 + 2.5 + 4) / 3],
        [3, (5 + 5 + 8.5) / 3],
      ],
      'groups',
    );
    const destination = join(folder, 'infinite-groups.csv');
    for (const [unit, expected] of [
      ['objects', 'control,6,0,1,inf,3\ntreated,6,0,0,9,6.166666666666667\n'],
      ['replicates', `control,3,0,1,4,${8.5 / 3}\ntreated,3,0,0,8.5,${18.5 / 3}\n`],
    ] as const) {
      const saved = await saveGroupsAsProgram(plainEnglish, of, {
        ...{ by: ['Condition'], measures: ['Ratio'], of: unit, filters, destination, overwrite: true },
        statistics: ['count', 'missing', 'infinite', 'max', 'mean'],
      });
      assert.deepEqual([saved.warnings, saved.filters], [[warning], filters]);
      const text = await readFile(destination, 'utf8');
      assert.equal(text.slice(text.indexOf('\n') + 1), expected);
    }
    local.dispose();
  });

  it('answers odds of shares, simultaneous intervals and a test over paired conditions', async () => {
    const file = join(folder, 'three.csv');
    const lines = Array.from({ length: 90 }, (_, at) => {
      const [condition, donor, place] = [Math.floor(at / 30), at % 5, Math.floor((at % 30) / 5)];
      // From one to five of six objects are in the share.
      const area = place < 1 + ((3 * condition + donor ** 2) % 5) ? 100 : 0;
      return `c${condition}/d${donor}.tif,c${condition},d${donor},${area}`;
    });
    await writeFile(file, ['Image,Condition,Donor,Area', ...lines].join('\n'));
    const { session: local } = openStudied(new FilesOnDisk({ file }), { images: new ImagesInMemory() });
    const of = { session: local, kind: 'file', signal: table.signal } as const;
    const options = { condition: 'Condition', replicate: ['Donor'], reference: undefined, filters: [] };
    const share = { shareOf: { filter: { kind: 'range', column: 'Area', from: 50 } } } as const;
    const single = await compareAsProgram(plainEnglish, of, {
      ...{ ...options, measure: share, paired: true, scale: 'logit' },
    });
    const together = await compareAsProgram(plainEnglish, of, {
      ...{ ...options, measure: share, paired: true, scale: 'logit', intervals: 'simultaneous' },
    });
    assert.deepEqual(
      [single.test, single.intervals, together.intervals, single.complete, single.filters],
      ['rm-anova', 'unadjusted', 'simultaneous', 5, undefined],
    );
    assert.ok(typeof single.epsilon === 'number' && Array.isArray(single.df) && 'oddsRatio' in single);
    for (const [at, { ci95 }] of (single.pairs ?? []).entries()) {
      const wider = together.pairs?.[at]?.ci95;
      assert.ok(ci95 && wider && wider[0] < ci95[0] && wider[1] > ci95[1]);
    }
    assert.ok(
      single.groups.every(({ center, centerCi95 }) => (center ?? 2) < 1 && (centerCi95?.[1] ?? 2) < 1),
    );
    await assert.rejects(
      compareAsProgram(plainEnglish, of, { ...options, measure: 'Area', paired: true, scale: 'logit' }),
      { code: 'bad-request', details: { subject: 'scale' } },
    );
    local.dispose();
  });

  it('heads measures in words', () => {
    const names = [
      { objectsPerImage: true },
      { objectsPerImage: true, per: 'mm2' },
      { shareOf: { class: 'Mitotic' } },
      SHARE,
      {
        shareOf: {
          filter: [
            { kind: 'range', column: 'A', from: 1, to: 2 },
            { kind: 'values', column: 'B', values: ['x'] },
          ],
        },
      },
    ] as const;
    assert.deepEqual(
      names.map(named => measureName(plainEnglish, [], named as Parameters<typeof measureName>[2])),
      [
        'Objects per image',
        'Objects per mm²',
        'Share of Mitotic',
        'Share of Signal ≥ 120',
        'Share of 1 ≤ A ≤ 2, B = x',
      ],
    );
  });
});
