import { deepEqual, equal } from 'node:assert/strict';
import type { Filter } from '../../../../src/columns/viewSpec';
import type { Measure } from '../../../../src/study/conditionRequests';
import { compareTable } from '../../../../src/study/engine/compareTable';
import { savedValues } from '../../../../src/study/engine/savedValues';
import { type StudyImages, studyImagesOf } from '../../../../src/study/engine/studyImages';
import { unitGroups } from '../../../../src/study/engine/unitGroups';
import { TableTexts, type Viewed } from '../../columns/engine/tableTexts';
import { AREA, CLASS, DONOR, IMAGE, JOB, TREATMENT, twoJobs } from './twoJobs';

const MEAN: Measure = { kind: 'column', column: AREA };
const PER_IMAGE: Measure = { kind: 'objectsPerImage', per: 'image' };
const HOW = { paired: false, scale: 'difference' } as const;
const BY_DONOR = {
  ...HOW,
  condition: TREATMENT,
  replicate: [DONOR],
  measure: MEAN,
  mean: 'images' as const,
};

describe('Images of several jobs in one table', () => {
  const texts = new TableTexts();

  before(() => texts.start());
  after(() => texts.end());

  const study = (...given: Parameters<typeof twoJobs> extends [unknown, ...infer Rest] ? Rest : never) =>
    twoJobs(texts, ...given);

  const groupsOf = async (
    by: number[],
    { view, images }: { view: Viewed; images: StudyImages },
    filters: Filter[] = [],
  ) => {
    const found = await unitGroups(view, images, {
      ...{ filters, by, measures: [MEAN, PER_IMAGE], statistics: ['count', 'mean'] },
      ...{ of: 'images', replicate: [], mean: 'objects' },
    });
    const groups = found.groups.map(({ keys, values }) => [...keys, ...values]);
    return { groups, all: found.all.values, inSeveralJobs: found.inSeveralJobs };
  };

  it('are images of their own in groups', async () => {
    // x: means 2 (a) and 10 (b) of the first job, 5 (a) of the second; 2, 1 and 1 objects.
    deepEqual(await groupsOf([TREATMENT], await study()), {
      groups: [
        ['x', 3, 17 / 3, 3, 4 / 3],
        ['y', 1, 9, 1, 3],
      ],
      all: [4, 6.5, 4, 7 / 4],
      inSeveralJobs: 1,
    });
    const { groups } = await groupsOf([JOB], await study());
    deepEqual(groups, [
      ['Job 1', 2, 6, 2, 1.5],
      ['Job 2', 2, 7, 2, 2],
    ]);
    const byPath = await groupsOf([IMAGE], await study());
    deepEqual(byPath.groups[0], ['a', 2, 3.5, 2, 1.5]);
    const byClass = await groupsOf([CLASS], await study());
    // Of p: 2 of a, 0 of b, 0 of the other a, 2 of c.
    deepEqual(byClass.groups, [
      ['p', 2, 5, 4, 1],
      ['q', 3, 26 / 3, 4, 3 / 4],
    ]);
  });

  it('are so too where nothing is known of them, and their labels are equal numbers', async () => {
    const { view } = await study([], ['10', '10.0']);
    const { groups, inSeveralJobs } = await groupsOf([JOB], { view, images: studyImagesOf(view.table) });
    deepEqual(groups, [
      ['10', 2, 6, 2, 1.5],
      ['10.0', 2, 7, 2, 2],
    ]);
    equal(inSeveralJobs, 1);
    const known = await groupsOf([JOB], await study([], ['10', '10.0']));
    deepEqual(known.groups, groups);
  });

  const compared = async (more: Partial<Parameters<typeof compareTable>[2]>, of = study()) => {
    const { view, images } = await of;
    const found = await compareTable(view, images, { ...BY_DONOR, ...more });
    return {
      values: found.replicates.map(({ condition, name, images: count, value }) => [
        condition,
        ...name,
        count,
        value,
      ]),
      counts: [found.images, found.withoutObjects],
      inSeveralJobs: found.inSeveralJobs,
      excluded: found.excluded,
    };
  };

  it('are images of their own in comparisons, which say of how many paths they count together', async () => {
    deepEqual(await compared({}), {
      values: [
        ['x', '1', 3, 17 / 3],
        ['y', '2', 1, 9],
      ],
      counts: [4, 0],
      inSeveralJobs: 1,
      excluded: [],
    });
    const { values } = await compared({ measure: PER_IMAGE, mean: 'objects' });
    deepEqual(values, [
      ['x', '1', 3, 4 / 3],
      ['y', '2', 1, 3],
    ]);
  });

  it('do not count together where jobs are compared, or are replicates', async () => {
    const jobs = await compared({ condition: JOB, replicate: [IMAGE] });
    deepEqual(jobs.values, [
      ['Job 1', 'a', 1, 2],
      ['Job 1', 'b', 1, 10],
      ['Job 2', 'a', 1, 5],
      ['Job 2', 'c', 1, 9],
    ]);
    equal(jobs.inSeveralJobs, undefined);
    equal((await compared({ replicate: [JOB] })).inSeveralJobs, undefined);
    equal((await compared({ technical: [JOB] })).inSeveralJobs, undefined);
  });

  it('are left out with the rows of their job, and stay without objects where rows of theirs are left out', async () => {
    const ofFirst: Filter = { kind: 'values', column: JOB, values: ['Job 1'] };
    const first = await compared({ filters: [ofFirst], measure: PER_IMAGE });
    deepEqual([first.values, first.counts], [[['x', '1', 2, 1.5]], [2, 0]]);
    equal(first.inSeveralJobs, undefined);
    const large = await compared({
      filters: [{ kind: 'range', column: AREA, from: 4, to: null }],
      measure: PER_IMAGE,
    });
    // The first job has no large object in a.
    deepEqual(large.values[0], ['x', '1', 3, 2 / 3]);
    deepEqual(large.counts, [4, 1]);
    const share: Measure = { kind: 'share', of: [ofFirst, { kind: 'values', column: CLASS, values: ['p'] }] };
    const ofShare = await compared({ measure: share });
    deepEqual(ofShare.values, [['x', '1', 2, 0.5]], 'a share in a job is of its images');
  });

  it('are excluded in all jobs by their path, and named with the job', async () => {
    const { values, counts, excluded } = await compared({}, study([{ image: 0, reason: 'torn' }]));
    deepEqual(values[0], ['x', '1', 1, 10]);
    deepEqual(counts, [2, 0]);
    deepEqual(excluded, [
      { image: 'Job 1: a', reason: 'torn' },
      { image: 'Job 2: a', reason: 'torn' },
    ]);
    const filters: Filter[] = [{ kind: 'values', column: JOB, values: ['Job 2'] }];
    const second = await compared({ filters }, study([{ image: 0, reason: 'torn' }]));
    deepEqual(second.excluded, [{ image: 'Job 2: a', reason: 'torn' }]);
  });

  it('are saved with their job, which is in no column twice', async () => {
    const { view, images } = await study();
    const names = {
      ...{ condition: 'Treatment', replicates: ['Donor'], technical: [] },
      ...{ image: 'Image', objects: 'Objects', value: 'Value' },
    };
    const saved = await savedValues(view, images, BY_DONOR, { layout: 'long', names });
    deepEqual(saved, {
      header: ['Treatment', 'Donor', 'Job', 'Image', 'Objects', 'Value'],
      rows: [
        ['x', '1', 'Job 1', 'a', 2, 2],
        ['x', '1', 'Job 1', 'b', 1, 10],
        ['x', '1', 'Job 2', 'a', 1, 5],
        ['y', '2', 'Job 2', 'c', 3, 9],
      ],
    });
    const byJob = { ...BY_DONOR, condition: JOB };
    const ofJobs = await savedValues(view, images, byJob, {
      layout: 'long',
      names: { ...names, condition: 'Job' },
    });
    deepEqual(ofJobs.header, ['Job', 'Donor', 'Image', 'Objects', 'Value']);
  });
});
