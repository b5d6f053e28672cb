import { deepEqual, equal } from 'node:assert/strict';
import { ThumbnailFacts } from '../../../../src/webview/masks/thumbnailFacts';

/** A panel whose table lets through the objects of these numbers, and gives image × 10 + object as their values. */
class Table {
  shown: number[] | null = null;
  readonly asked: string[] = [];

  readonly request = (method: string, { image, column }: { image: number; column?: number }) => {
    this.asked.push(`${method} of ${image}${column === undefined ? '' : ` by ${column}`}`);
    const { shown } = this;
    return Promise.resolve(
      method === 'objectValues'
        ? { values: Float64Array.of(0, 1, 2).map(object => image * 10 + object).buffer, total: 3 }
        : { shown: shown && Uint8Array.of(0, 1, 2).map(object => Number(shown.includes(object))).buffer },
    );
  };
}

describe('what the table says of the images in the list', () => {
  function listed() {
    const table = new Table();
    let heard = (_image: number) => undefined as void;
    const facts = new ThumbnailFacts(table as never, image => heard(image));
    /** Asks for images and waits until something is known anew of each. */
    const know = (...images: number[]) =>
      new Promise<void>(done => {
        const waiting = new Set(images);
        heard = image => {
          waiting.delete(image);
          if (waiting.size === 0) done();
        };
        facts.want(images);
      });
    return { table, facts, know };
  }

  it('is not asked for while nothing is filtered and no column chosen', () => {
    const { table, facts } = listed();
    facts.want([0, 1, 2]);
    deepEqual(table.asked, []);
    deepEqual(facts.of(0), {});
  });

  it('is which objects pass the filter, and how many', async () => {
    const { table, facts, know } = listed();
    table.shown = [0, 2];
    facts.setFiltered(true);
    await know(4, 5);
    deepEqual(table.asked, ['shownObjects of 4', 'shownObjects of 5']);
    deepEqual(facts.of(4), { shown: Uint8Array.of(1, 0, 1) });
    equal(facts.shownCount(4), 2);
    equal(facts.shownCount(6), undefined);
    facts.want([4, 5]);
    equal(table.asked.length, 2);
  });

  it('stands until the next filter is known, and goes with the filter', async () => {
    const { table, facts, know } = listed();
    table.shown = [0, 2];
    facts.setFiltered(true);
    await know(4);
    table.shown = [1];
    facts.setFiltered(true);
    equal(facts.shownCount(4), 2);
    await know(4);
    equal(facts.shownCount(4), 1);
    facts.setFiltered(false);
    deepEqual([facts.of(4), facts.shownCount(4)], [{}, undefined]);
  });

  it('is the values of the column that colours', async () => {
    const { table, facts, know } = listed();
    facts.setColumn(7);
    await know(3);
    deepEqual(table.asked, ['objectValues of 3 by 7']);
    deepEqual(facts.of(3), { values: Float64Array.of(30, 31, 32) });
    facts.setColumn(undefined);
    deepEqual(facts.of(3), {});
  });
});
