import { reason } from '../../../../src/base/reasons';
import * as assert from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import type { Filter } from '../../../../src/columns/viewSpec';
import { compareReplicates } from '../../../../src/study/conditionComparison';
import { imageParts } from '../../../../src/study/engine/imageParts';
import type { StudyImages } from '../../../../src/study/engine/studyImages';
import { unitGroups } from '../../../../src/study/engine/unitGroups';
import type { Measure } from '../../../../src/study/conditionRequests';
import { partValue, type Replicate, replicatesOf } from '../../../../src/study/replicates';
import golden from '../../../golden/statistics.json';
import { TableTexts, type Viewed } from '../../columns/engine/tableTexts';
import { assertClose } from '../assertClose';

const IMAGE = 0;
const AREA = 2;
const SIGNAL = 3;
const CONDITION = 4;
const DONOR = 5;

/**
 * Image columns Condition (4) and Donor (5) beside the four columns of a table whose first names
 * images.
 */
function studyImages(
  images: readonly { image: string; condition: string; donor: string }[],
  more: Partial<StudyImages> = {},
): StudyImages {
  return {
    images: images.map(({ image }) => image),
    columns: [
      { name: 'Condition', role: 'condition', values: images.map(({ condition }) => condition) },
      { name: 'Donor', role: 'replicate', values: images.map(({ donor }) => donor) },
    ],
    excluded: [],
    pathColumn: IMAGE,
    pathsInTable: images.map(({ image }) => image),
    positionOf: text => {
      const at = images.findIndex(({ image }) => image === text);
      return at < 0 ? undefined : at;
    },
    areAllKnown: true,
    imageColumnAt: column => (column === CONDITION ? 0 : column === DONOR ? 1 : undefined),
    ...more,
  };
}

const { study } = golden;
const TABLE_FILTER: Filter = { kind: 'range', column: AREA, from: 40, to: null };
const MEAN_AREA: Measure = { kind: 'column', column: AREA };
const PER_IMAGE: Measure = { kind: 'objectsPerImage', per: 'image' };
// No signal of the study is 120 itself.
const SHARE: Measure = { kind: 'share', of: [{ kind: 'range', column: SIGNAL, from: 120, to: null }] };

function byKey<T extends { condition: string }>(name: (one: T) => string, all: readonly T[]): Map<string, T> {
  return new Map(all.map(one => [`${one.condition} ${name(one)}`, one]));
}

describe('Objects counted by image', () => {
  const texts = new TableTexts();
  let view: Viewed;

  before(async () => {
    await texts.start();
    const rows = study.objects.map(o => `${o.image},${o.id},${o.Area},${o.Signal ?? ''},,`);
    // The last two columns are where image columns stand; the file's own are never read.
    view = await texts.view(['Image,ID,Area,Signal,Condition,Donor', ...rows].join('\n'));
  });

  after(() => texts.end());

  const count = (measure: Measure, filters: Filter[] = [TABLE_FILTER], images = studyImages(study.images)) =>
    imageParts(view, images, { filters, condition: CONDITION, replicate: [DONOR], measure });

  it('are those of the golden study, per image', async () => {
    const expected = study.perImage as Record<
      string,
      { objects: number; meanArea: number | null; share: number | null }
    >;
    const found = await Promise.all([MEAN_AREA, SHARE].map(measure => count(measure)));
    const [means, shares] = found.map(
      ({ parts }) => new Map(parts.map(part => [part.image?.path ?? '', part])),
    );
    assert.deepEqual([...(means?.keys() ?? [])].sort(), Object.keys(expected).sort());
    for (const [image, { objects, meanArea, share }] of Object.entries(expected)) {
      const mean = means?.get(image);
      const shared = shares?.get(image);
      assert.ok(mean && shared);
      assert.equal(mean.objects, objects, image);
      assertClose([partValue(mean), partValue(shared)], [meanArea, share], image);
    }
  });

  it('are no share of a range whose low end is above its high one: it has no object, which 0 would not say', async () => {
    const ends = [
      [10, 5],
      ['9007199254740995', '9007199254740993'],
      [null, 5],
      [5, 5],
      ['9007199254740993', '9007199254740993'],
    ] as const;
    const refused = ends.map(async ([from, to]) => {
      try {
        await count({ kind: 'share', of: [{ kind: 'range', column: AREA, from, to }] });
        return [];
      } catch (error) {
        assert.ok(isCoded(error, 'bad-request'));
        return error.details.reason;
      }
    });
    assert.deepEqual(await Promise.all(refused), [
      reason('The range of {0} begins above its end ({1} to {2})', 'Area', 10, 5),
      reason(
        'The range of {0} begins above its end ({1} to {2})',
        'Area',
        '9007199254740995',
        '9007199254740993',
      ),
      [],
      [],
      [],
    ]);
  });

  it('are those of the golden study, per replicate, and so are the tests', async () => {
    const measures = [
      ['objectsPerImage', PER_IMAGE, 'objects'],
      ['meanAreaOverObjects', MEAN_AREA, 'objects'],
      ['meanAreaOverImages', MEAN_AREA, 'images'],
      ['shareOverObjects', SHARE, 'objects'],
      ['shareOverImages', SHARE, 'images'],
    ] as const;
    for (const [key, measure, mean] of measures) {
      const { parts } = await count(measure);
      const { replicates } = replicatesOf(parts, { mean });
      const found = byKey<Replicate>(({ name }) => name.join(), replicates);
      assert.equal(found.size, study.replicates.length);
      for (const expected of study.replicates) {
        const one = found.get(`${expected.condition} ${expected.donor}`);
        assert.equal(one?.images, expected.images);
        assert.equal(one.objects, expected.objects);
        assertClose(one.value, expected[key], `${key} of ${expected.condition} ${expected.donor}`);
      }
      const spec = { conditions: ['control', 'treated'], hasReplicates: true, scale: 'difference' } as const;
      for (const paired of [false, true]) {
        const { test, pairs } = compareReplicates(replicates, { ...spec, paired });
        const { difference, t, df, p, ci95 } = study.compare[key][paired ? 'paired' : 'welch'];
        assert.equal(test, paired ? 'paired-t' : 'welch-t');
        const [pair] = pairs;
        assertClose(
          { effect: pair?.effect, t: pair?.t, df: pair?.df, p: pair?.p, ci95: pair?.ci95 },
          { effect: difference, t, df, p, ci95 },
          `${key}, ${test}`,
        );
      }
    }
  });

  it('count objects without a value of the filter apart from a share', async () => {
    const passing = study.objects.filter(({ Area }) => Area >= 40);
    const { unjudged: unjudged, parts } = await count(SHARE);
    assert.equal(unjudged, passing.filter(({ Signal }) => Signal === null).length);
    assert.equal(
      parts.reduce((sum, { denominator }) => sum + denominator, 0),
      passing.length - unjudged,
    );
    const missing = await count({ kind: 'share', of: [{ kind: 'missing', column: SIGNAL, missing: true }] });
    assert.equal(missing.unjudged, 0);
    assert.equal(
      missing.parts.reduce((sum, { numerator }) => sum + numerator, 0),
      unjudged,
    );
  });

  it('leave an image in with no object where a filter is about objects, and out where it is about images', async () => {
    const none: Filter = { kind: 'range', column: AREA, from: 1e6, to: null };
    const { parts } = await count(PER_IMAGE, [none]);
    assert.equal(parts.length, study.images.length);
    assert.ok(parts.every(part => part.objects === 0 && partValue(part) === 0));
    for (const [column, value, left] of [
      [CONDITION, 'treated', 12],
      [IMAGE, 'treated/d2_s3.tif', 1],
    ] as const) {
      // The table filters its rows by the same: here the column's own cells are empty, so only
      // images without rows stay.
      const filters: Filter[] = [{ kind: 'values', column, values: [value] }];
      const found = await count(PER_IMAGE, filters);
      const conditions = new Set(found.parts.map(part => part.condition));
      assert.deepEqual([...conditions], ['treated']);
      assert.ok(found.parts.length <= left);
      assert.ok(found.parts.some(({ image }) => image?.path === 'treated/d2_s3.tif'));
    }
  });

  it('are in a share of several filters where they match all, without images that can have none', async () => {
    // Cells of image columns are in no file: here they stand in the table, as an extended table has
    // them.
    const donorOf = new Map(study.images.map(({ image, condition, donor }) => [image, [condition, donor]]));
    const rows = study.objects.map(
      o => `${o.image},${o.id},${o.Area},${o.Signal ?? ''},${(donorOf.get(o.image) ?? []).join()}`,
    );
    const own = await texts.view(['Image,ID,Area,Signal,Condition,Donor', ...rows].join('\n'));
    const of: Filter[] = [
      { kind: 'range', column: SIGNAL, from: 120, to: null },
      { kind: 'range', column: AREA, from: null, to: 80 },
      { kind: 'values', column: CONDITION, values: ['treated'] },
    ];
    const spec = { filters: [TABLE_FILTER], condition: CONDITION, replicate: [DONOR] };
    const images = studyImages(study.images);
    const { parts, unjudged: unjudged } = await imageParts(own, images, {
      ...spec,
      measure: { kind: 'share', of },
    });
    const passing = study.objects.filter(o => o.Area >= 40 && donorOf.get(o.image)?.[0] === 'treated');
    const judged = passing.filter(({ Signal }) => Signal !== null);
    const sum = (what: 'objects' | 'numerator' | 'denominator') =>
      parts.reduce((total, part) => total + part[what], 0);
    assert.deepEqual(
      [sum('objects'), sum('denominator'), unjudged],
      [passing.length, judged.length, passing.length - judged.length],
    );
    assert.equal(sum('numerator'), judged.filter(o => (o.Signal ?? 0) >= 120 && o.Area <= 80).length);
    // Control has no share of 0: its images are left out, and an image of the treated without
    // objects is there.
    assert.deepEqual([...new Set(parts.map(part => part.condition))], ['treated']);
    assert.equal(parts.length, study.images.filter(({ condition }) => condition === 'treated').length);
    // The numbers of rows of groups don't depend on what is measured first.
    const groupsOf = async (measures: Measure[]) => {
      const { groups, ...found } = await unitGroups(own, images, {
        ...{ filters: [TABLE_FILTER], by: [CONDITION], measures, statistics: ['count'] },
        ...{ of: 'images', replicate: [], mean: 'objects' },
      });
      return { ...found, rows: groups.map(({ keys, rows: count }) => [...keys, count]), groups };
    };
    const first = await groupsOf([{ kind: 'share', of }, MEAN_AREA]);
    const second = await groupsOf([MEAN_AREA, { kind: 'share', of }]);
    assert.deepEqual(first.rows, second.rows);
    assert.deepEqual(
      [first.unjudged, second.unjudged],
      [
        [unjudged, 0],
        [0, unjudged],
      ],
    );
    assert.equal(first.groups.find(({ keys }) => keys[0] === 'control')?.values[0], 0);
  });

  it('are those of whole images in the row of all groups, which of a class have a part of each', async () => {
    const own = await texts.view(
      'Image,Class,ID,V,Condition,Donor\na,x,1,1,c,1\na,x,2,5,c,1\na,y,3,3,c,1\nb,x,4,9,t,1\nb,y,5,1,t,1\n',
    );
    const images = studyImages([
      { image: 'a', condition: 'c', donor: '1' },
      { image: 'b', condition: 't', donor: '1' },
    ]);
    const all = async (by: number[], of: 'images' | 'replicates') => {
      const found = await unitGroups(own, images, {
        ...{ filters: [], by, measures: [PER_IMAGE, { kind: 'column', column: 3 }] },
        ...{ statistics: ['count', 'mean'], of, replicate: [DONOR], mean: 'objects' },
      });
      return found.all.values;
    };
    assert.deepEqual(await all([1], 'images'), [2, 2.5, 2, 4]);
    assert.deepEqual(await all([1, CONDITION], 'images'), [2, 2.5, 2, 4]);
    assert.deepEqual(await all([CONDITION], 'images'), [2, 2.5, 2, 4]);
    // Donor 1 under one condition is none under the other.
    assert.deepEqual(await all([CONDITION], 'replicates'), [2, 2.5, 2, 4]);
    assert.deepEqual(await all([1, CONDITION], 'replicates'), [2, 2.5, 2, 4]);
    assert.deepEqual(await all([1], 'replicates'), [1, 2.5, 1, 3.8]);
  });

  it('leave excluded images out, and name those that filters would let through', async () => {
    const excluded = [
      { image: 0, reason: 'out of focus' },
      { image: 13, reason: 'torn' },
    ];
    const images = studyImages(study.images, { excluded });
    const all = await count(MEAN_AREA, [], images);
    assert.deepEqual(
      all.excluded.map(({ reason: why }) => why),
      ['out of focus', 'torn'],
    );
    assert.ok(!all.parts.some(({ image }) => image?.path === study.images[0]?.image));
    const own = study.objects.filter(
      ({ image }) => image === study.images[0]?.image || image === study.images[13]?.image,
    );
    assert.equal(
      all.parts.reduce((sum, { objects }) => sum + objects, 0),
      study.objects.length - own.length,
    );
    const treated = await count(
      MEAN_AREA,
      [{ kind: 'values', column: CONDITION, values: ['treated'] }],
      images,
    );
    assert.deepEqual(treated.excluded, [{ image: study.images[13]?.image, reason: 'torn' }]);
  });

  it('are by image and by what rows say themselves, where that is no column of images', async () => {
    const own = await texts.view('Image,Drug,Donor,V\na,x,1,2\na,x,1.0,4\nb,y,2,\nb,y,2,8\nc,,1,5\nc,x,,6\n');
    const images = studyImages([], { imageColumnAt: () => undefined, columns: [] });
    const { parts } = await imageParts(own, images, {
      filters: [],
      condition: 1,
      replicate: [2],
      measure: { kind: 'column', column: 3 },
    });
    assert.deepEqual(
      parts.map(({ image, condition, replicate, objects, numerator, denominator }) => [
        image?.path,
        condition,
        ...replicate,
        objects,
        numerator,
        denominator,
      ]),
      [
        ['a', 'x', '1', 2, 6, 2],
        ['b', 'y', '2', 2, 8, 1],
        ['c', null, '1', 1, 5, 1],
        ['c', 'x', null, 1, 6, 1],
      ],
    );
    const { replicates, withoutCondition, withoutReplicate } = replicatesOf(parts, { mean: 'objects' });
    assert.deepEqual(
      replicates.map(({ condition, name, value }) => [condition, ...name, value]),
      [
        ['x', '1', 3],
        ['y', '2', 8],
      ],
    );
    assert.deepEqual([withoutCondition.length, withoutReplicate.length], [1, 1]);
  });

  it('count no object of a class for images that have none of it', async () => {
    const own = await texts.view('Image,Class,Donor\na,x,1\na,y,1\nb,x,1\nc,x,2\nc,y,2\nc,y,2\n');
    const images = studyImages([], { imageColumnAt: () => undefined, columns: [] });
    const { parts } = await imageParts(own, images, {
      filters: [],
      condition: 1,
      replicate: [2],
      measure: PER_IMAGE,
    });
    const { replicates } = replicatesOf(parts, { mean: 'objects' });
    const values = replicates.map(({ condition, name, value }) => [condition, ...name, value]);
    assert.deepEqual(values.sort(), [
      ['x', '1', 1],
      ['x', '2', 1],
      ['y', '1', 0.5],
      ['y', '2', 2],
    ]);
  });

  it('count no object of each class for images that have none at all, in any order of columns', async () => {
    const own = await texts.view('Image,Class,ID,V,Condition,Donor\na,x,1,1,,\nb,x,2,1,,\nb,x,3,1,,\n');
    const images = studyImages(
      ['a', 'b', 'none'].map(image => ({ image, condition: 'c', donor: image === 'b' ? '2' : '1' })),
    );
    const { parts } = await imageParts(own, images, {
      filters: [],
      condition: 1,
      replicate: [DONOR],
      measure: PER_IMAGE,
    });
    assert.deepEqual(
      replicatesOf(parts, { mean: 'objects' }).replicates.map(({ name, value }) => [...name, value]),
      [
        ['1', 0.5],
        ['2', 2],
      ],
    );
    for (const by of [
      [1, DONOR],
      [DONOR, 1],
    ]) {
      const { groups } = await unitGroups(own, images, {
        filters: [],
        by,
        measures: [PER_IMAGE],
        statistics: ['count', 'mean'],
        of: 'images',
        replicate: [],
        mean: 'objects',
      });
      assert.deepEqual(
        groups.map(({ keys, values }) => [keys[by.indexOf(1)], keys[by.indexOf(DONOR)], ...values]),
        [
          ['x', '1', 2, 0.5],
          ['x', '2', 1, 2],
        ],
      );
    }
  });

  it('are refused where each image would have a part for each of thousands of values', async () => {
    const rows = Array.from({ length: 4000 }, (_, at) => `image${at % 2000},${at}`);
    const own = await texts.view(['Image,Area', ...rows].join('\n'));
    const images = studyImages([], { imageColumnAt: () => undefined, columns: [] });
    const spec = { filters: [], condition: 1, replicate: [], measure: PER_IMAGE };
    const refusedFor = (kind: string) => (error: unknown) =>
      isCoded(error) && error.details.reason?.message === kind;
    await assert.rejects(imageParts(own, images, spec), refusedFor('There are more than {0} groups'));
    const few = { ...spec, maxConditions: 3999 };
    await assert.rejects(
      imageParts(own, images, few),
      refusedFor('There are {0} conditions, and at most {1} can be compared'),
    );
  });

  it('are per mm² only where every image has a pixel size', async () => {
    const perArea: Measure = { kind: 'objectsPerImage', per: 'area' };
    await assert.rejects(count(perArea), { code: 'bad-request' });
    const areas = study.images.map((_, at) => 0.5 + at);
    const { parts } = await count(perArea, [], studyImages(study.images, { areas }));
    const first = parts.find(({ image }) => image?.path === study.images[0]?.image);
    assert.ok(first);
    assert.equal(partValue(first), first.objects / 0.5);
    // Of some objects their number alone is other; images without any have none.
    const of: Filter[] = [{ kind: 'range', column: 3, from: 30, to: null }];
    const whole = await count(perArea, [], studyImages(study.images, { areas }));
    const some = await count({ ...perArea, of }, [], studyImages(study.images, { areas }));
    const filtered = await count(perArea, of, studyImages(study.images, { areas }));
    assert.deepEqual(some.parts.map(partValue), filtered.parts.map(partValue));
    assert.deepEqual(
      some.parts.map(({ objects }) => objects),
      whole.parts.map(({ objects }) => objects),
    );
    assert.notDeepEqual(some.parts.map(partValue), whole.parts.map(partValue));
  });
});
