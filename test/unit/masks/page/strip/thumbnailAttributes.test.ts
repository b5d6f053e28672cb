import { deepEqual, equal } from 'node:assert/strict';
import { loadValues } from '../../../../../src/masks/page/state/loadedObjects';
import { ThumbnailAttributes } from '../../../../../src/masks/page/thumbnails';

/**
 * A panel whose table lets through the objects of these numbers, and gives image × 10 + object as
 * their values.
 */
class Table {
  shown: number[] | null = null;
  readonly requests: string[] = [];

  readonly request = (method: string, { image, column }: { image: number; column?: number }) => {
    this.requests.push(`${method} of ${image}${column === undefined ? '' : ` by ${column}`}`);
    const { shown } = this;
    return Promise.resolve(
      method === 'objectValues'
        ? { values: Float64Array.of(0, 1, 2).map(object => image * 10 + object).buffer, total: 3 }
        : { shown: shown && Uint8Array.of(0, 1, 2).map(object => Number(shown.includes(object))).buffer },
    );
  };
}

describe('table data of the images in the list', () => {
  function listed() {
    const table = new Table();
    let onArrival = (_image: number) => undefined as void;
    const needed: { filtered: boolean; column?: number | undefined } = { filtered: false };
    const attributes = new ThumbnailAttributes(table as never, {
      isFiltered: () => needed.filtered,
      isColored: () => needed.column !== undefined,
      valuesOf: async (image, signal) => ({
        values: await loadValues(table as never, image, needed.column ?? 0, signal),
      }),
      changed: image => onArrival(image),
    });
    const need = (change: Partial<typeof needed>) => {
      Object.assign(needed, change);
      attributes.outdated();
    };
    /** Requests images and waits until something new is known of each. */
    const know = (...images: number[]) =>
      new Promise<void>(done => {
        const waiting = new Set(images);
        onArrival = image => {
          waiting.delete(image);
          if (waiting.size === 0) done();
        };
        attributes.want(images);
      });
    return { table, attributes, know, need };
  }

  it('is not requested while nothing is filtered and no column colors', () => {
    const { table, attributes } = listed();
    attributes.want([0, 1, 2]);
    deepEqual(table.requests, []);
    deepEqual(attributes.attributesOf(0), {});
  });

  it('is which objects pass the filter, and how many', async () => {
    const { table, attributes, know, need } = listed();
    table.shown = [0, 2];
    need({ filtered: true });
    await know(4, 5);
    deepEqual(table.requests, ['shownObjects of 4', 'shownObjects of 5']);
    deepEqual(attributes.attributesOf(4), { shown: Uint8Array.of(1, 0, 1) });
    equal(attributes.shownCount(4), 2);
    equal(attributes.shownCount(6), undefined);
    attributes.want([4, 5]);
    equal(table.requests.length, 2);
  });

  it('stays until the next filter is known, and is dropped with the filter', async () => {
    const { table, attributes, know, need } = listed();
    table.shown = [0, 2];
    need({ filtered: true });
    await know(4);
    table.shown = [1];
    need({ filtered: true });
    equal(attributes.shownCount(4), 2);
    await know(4);
    equal(attributes.shownCount(4), 1);
    need({ filtered: false });
    deepEqual([attributes.attributesOf(4), attributes.shownCount(4)], [{}, undefined]);
  });

  it('is the values of the column that colors', async () => {
    const { table, attributes, know, need } = listed();
    need({ column: 7 });
    await know(3);
    deepEqual(table.requests, ['objectValues of 3 by 7']);
    deepEqual(attributes.attributesOf(3), { values: Float64Array.of(30, 31, 32) });
    need({ column: undefined });
    deepEqual(attributes.attributesOf(3), {});
  });
});
