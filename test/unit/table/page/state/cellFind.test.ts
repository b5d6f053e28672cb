import { deepEqual } from 'node:assert/strict';
import { makeRows } from '../../../../browser/preview/tableData';
import { OpenedTable, until, useNoScreen } from '../openedTable';

const ROWS = 10_000;

/** Cells that contain a text, whatever its case. */
function matchesOf(text: string): number {
  return makeRows(ROWS)
    .flat()
    .filter(cell => cell.toLowerCase().includes(text)).length;
}

describe('Find in a table', () => {
  useNoScreen();

  it('counts the matches of a search, at first some of them, and only of the search typed last', async () => {
    const page = await OpenedTable.open({ rowCount: ROWS });
    const { engine, store } = page;
    const { find } = store;
    const counted: unknown[] = [];
    find.matches.subscribe(found => counted.push(found));
    /** Waits until a count is delayed, releases it, and gives what has been counted since. */
    const next = async () => {
      await until(() => engine.delayedResponses === 1);
      const { length } = counted;
      engine.release();
      // Before the next count is requested.
      engine.delayResponses('tableFindMatches');
      await until(() => counted.length > length);
      return counted.slice(length);
    };
    engine.delayResponses('tableFindMatches');
    find.type('1');
    find.next();
    deepEqual(await next(), [{ matches: 1000, isCut: true, index: 0 }]);
    const matches = matchesOf('1');
    deepEqual(await next(), [{ matches, isCut: false, index: 0 }]);
    // The count is known now, and isn't less for a moment at the next match.
    find.next();
    deepEqual(await next(), [{ matches, isCut: false, index: 1 }]);
    find.type('2');
    find.next();
    await until(() => engine.delayedResponses === 1);
    const { length } = counted;
    find.type('2x');
    find.toggle('caseSensitive');
    engine.release();
    await until(() => find.matches.value !== undefined);
    await page.settled();
    deepEqual(counted.slice(length), [undefined, { matches: 0, isCut: false, index: null }]);
    await page.close();
  });
});
