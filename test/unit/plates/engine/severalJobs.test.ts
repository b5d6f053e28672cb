import { deepEqual, equal, rejects } from 'node:assert/strict';
import { isCoded } from '../../../../src/base/errors';
import { JoinedTable } from '../../../../src/columns/engine/read/joinedTable';
import { platesOf } from '../../../../src/plates/engine/plateWells';
import { plateNotes } from '../../../../src/plates/plateWords';
import { studyImagesOf } from '../../../../src/study/engine/studyImages';
import { plainEnglish } from '../../../../src/words/translate';
import { TableTexts, Viewed } from '../../columns/engine/tableTexts';
import { JOB, twoJobs, WELL } from '../../study/engine/twoJobs';

const PER_IMAGE = { kind: 'objectsPerImage', per: 'image' } as const;

describe('Images of several jobs in wells', () => {
  const texts = new TableTexts();

  before(() => texts.start());
  after(() => texts.end());

  it('are images of their own', async () => {
    const { view, images } = await twoJobs(texts);
    const found = await platesOf(view, images, { measure: PER_IMAGE, well: WELL, isOnePlate: true });
    const [plate] = found.plates;
    deepEqual(
      [plate?.wells, plate?.images, plate?.values],
      [
        ['A1', 'A2'],
        [3, 1],
        [4 / 3, 3],
      ],
    );
    deepEqual(
      plateNotes(plainEnglish, found, [], 'objectsPerImage').map(({ kind }) => kind),
      ['images-unknown', 'several-jobs'],
    );
    const byJob = await platesOf(view, images, { measure: PER_IMAGE, well: WELL, plate: JOB });
    deepEqual(
      byJob.plates.map(({ name, images: counts, values }) => [name, counts, values]),
      [
        ['Job 1', [2], [1.5]],
        ['Job 2', [1, 1], [1, 3]],
      ],
    );
    equal(byJob.inSeveralJobs, 0);
    await rejects(platesOf(view, images, { measure: PER_IMAGE, well: WELL }), (error: unknown) => {
      const { code, args = [] } = (isCoded(error, 'bad-request') && error.details.reason) || {};
      deepEqual([code, args], ['several-plates', ['A1', 'Job 1', 'Job 2']]);
      return true;
    });
  });

  it('are left out only in the job where their rows name several', async () => {
    const first = 'Image,Area,Well\na,1,A1\na,3,B1\nb,10,A1\n';
    const second = 'Image,Area,Well\na,5,A1\n';
    const joined = new JoinedTable(
      [
        { table: await texts.table(first), label: 'Job 1' },
        { table: await texts.table(second), label: 'Job 2' },
      ],
      'Job',
    );
    const view = new Viewed(joined);
    const spec = { measure: PER_IMAGE, well: 3, isOnePlate: true };
    const found = await platesOf(view, studyImagesOf(joined), spec);
    deepEqual(found.leftOut.severalWells, [{ image: 'Job 1: a', wells: ['A1', 'B1'] }]);
    deepEqual([found.plates[0]?.images, found.plates[0]?.values], [[2], [1]]);
  });
});
