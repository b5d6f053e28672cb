import { signal } from '@preact/signals';
import { deepEqual, equal } from 'node:assert/strict';
import type { ObjectDetails } from '../../../../../src/archives/masksSummary';
import type {
  BackgroundImageModel,
  PaintedBackground,
} from '../../../../../src/masks/page/state/backgroundImageModel';
import type { MasksViewState } from '../../../../../src/masks/page/state/masksViewState';
import type { FocusedObject } from '../../../../../src/masks/page/state/objectFocus';
import { InspectedObject } from '../../../../../src/masks/page/state/inspectedObject';
import type { LinkReport } from '../../../../../src/linking/rowLinks';
import { fakePanel, shownImages } from './fakePanel';
import { settled } from './pageStore';

/** An object of 4 square pixels. */
function details(object: number, row?: number): ObjectDetails {
  const facts = {
    id: object,
    className: 'Nucleus',
    area: 4,
    perimeter: 8,
    centroid: [1, 1] as [number, number],
  };
  return { image: 0, object, bbox: [0, 0, 2, 2], ...facts, ...(row !== undefined && { row }) };
}

/**
 * No object in focus; a row has the area of its object and a note. `plane` is that of a background
 * image.
 */
function focus(view: Partial<MasksViewState> = {}) {
  const area = { words: '4' };
  const fake = fakePanel(
    {
      objectRow: ({ row }: { row: number }) => ({
        cells: [
          { name: 'Area', text: area.words },
          { name: 'Note', text: `note ${row}` },
        ],
      }),
    },
    view,
  );
  const { image } = shownImages(3);
  const painted = signal<PaintedBackground | undefined>(undefined);
  const background = {
    painted,
    pixelSize: signal(undefined),
    meansOf: ({ object }: ObjectDetails) => {
      fake.done.push(['means', object]);
      return Promise.resolve([object, painted.value?.look?.z ?? NaN]);
    },
  } as unknown as BackgroundImageModel;
  const open = (z: number) => {
    const look = { page: 0, z, t: 0, channels: [] };
    painted.value = {
      scene: image.scene.value,
      info: { backgroundImage: 1 },
      look,
    } as unknown as PaintedBackground;
  };
  const link = signal<LinkReport | undefined>(undefined);
  const now = signal<FocusedObject | undefined>(undefined);
  const object = new InspectedObject({ ...fake, image, background, link, shownObject: now });
  const show = (of: ObjectDetails | undefined) => (now.value = of && { details: of, selected: false });
  return { ...fake, object, link, area, open, show };
}

describe('the inspected object', () => {
  it('is measured in the background image, and anew in another plane of it', async () => {
    const { object, open, show, done } = focus();
    show(details(1));
    await settled();
    deepEqual([object.means.value, done], [undefined, []]);
    open(0);
    await settled();
    deepEqual(object.means.value, [1, 0]);
    open(4);
    await settled();
    deepEqual(object.means.value, [1, 4]);
    open(4);
    deepEqual(done.length, 2);
  });

  it('has no means of another object', async () => {
    const { object, open, show } = focus();
    open(0);
    show(details(1));
    show(details(2));
    equal(object.means.value, undefined);
    await settled();
    deepEqual(object.means.value, [2, 0]);
    show(undefined);
    equal(object.means.value, undefined);
  });

  it('has a score from then on that any object had one', () => {
    const { object, show } = focus();
    show(details(1));
    equal(object.hasScores.value, false);
    show({ ...details(2), score: 0.5 });
    show(undefined);
    equal(object.hasScores.value, true);
  });
});

describe('the row of the inspected object', () => {
  it('is loaded, and compared with its mask', async () => {
    const { object, show, area } = focus();
    const { row } = object;
    equal(row.hasLoadedOnce.value, false);
    show(details(1, 7));
    await settled();
    deepEqual(
      [row.hasLoadedOnce.value, row.shownRow.value.names, row.shownRow.value.cells, row.agreement.value],
      [true, ['Area', 'Note'], ['4', 'note 7'], ['same', 'other']],
    );
    area.words = '5';
    show(details(2, 8));
    deepEqual(row.shownRow.value.cells, ['4', 'note 7']);
    await settled();
    deepEqual(
      [row.shownRow.value.cells, row.agreement.value],
      [
        ['5', 'note 8'],
        ['differs', 'other'],
      ],
    );
  });

  it('leaves its names where they are without an object, as nothing below may jump', async () => {
    const { object, show } = focus();
    show(details(1, 7));
    await settled();
    show(undefined);
    const { names, cells } = object.row.shownRow.value;
    deepEqual([names, cells, object.row.agreement.value], [['Area', 'Note'], [], ['same', 'other']]);
  });

  it('is not loaded again for the same row, but after rows were linked', async () => {
    const { object, show, done } = focus();
    show(details(1, 7));
    await settled();
    show(details(1, 7));
    await settled();
    equal(done.length, 1);
    object.row.linked();
    show(details(1, 7));
    await settled();
    equal(done.length, 2);
  });

  it('is loaded once it is opened, which is saved at once', async () => {
    const { object, show, done } = focus({ rowOpen: false });
    show(details(1, 7));
    await settled();
    deepEqual([object.row.hasLoadedOnce.value, object.row.shownRow.value.cells, done], [true, [], []]);
    object.row.setOpen(true);
    object.row.setOpen(true);
    deepEqual(done, [{ rowOpen: true }]);
    await settled();
    deepEqual(object.row.shownRow.value.cells, ['4', 'note 7']);
  });

  it('agrees where all rows have the same ratio of areas', async () => {
    const { object, show, link, area } = focus();
    area.words = '8';
    show(details(1, 7));
    await settled();
    deepEqual(object.row.agreement.value, ['differs', 'other']);
    link.value = { areaRatio: 2, areaRatioConstant: true } as LinkReport;
    deepEqual(object.row.agreement.value, ['other', 'other']);
  });
});
