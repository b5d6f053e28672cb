import { deepEqual, equal } from 'node:assert/strict';
import type { TableFiltered } from '../../../../src/masks/masksPage';
import { TableFilter } from '../../../../src/masks/page/stage/currentImage';
import { SelectionModel, LinkedTable } from '../../../../src/masks/page/state/masksStore';

const FILTERED: TableFiltered = { rowCount: 2, total: 9 };

/** A filter, and what the parts of the page were told, or followed; thumbnails once `paint` is called. */
function tableFilter({ filtered = null as TableFiltered | null, fails = false } = {}) {
  const told: string[] = [];
  let paint: () => void = () => undefined;
  const painted = new Promise<void>(resolve => (paint = resolve));
  const table = new LinkedTable(filtered);
  const selection = new SelectionModel();
  selection.selected('2 objects selected');
  table.filtered.subscribe(each => told.push(`table ${each?.rowCount}`));
  selection.outcome.subscribe(words => told.push(`selected "${words}"`));
  told.length = 0;
  const filter = new TableFilter(
    {
      table,
      selection,
      current: {
        applyFilter: sent => {
          told.push(`image ${filter.isSet} ${sent?.image}`);
          return fails ? Promise.reject(new Error('no response')) : Promise.resolve();
        },
      },
      thumbnails: { setFiltered: each => told.push(`thumbnails ${each}`) },
      onFailure: error => told.push(String(error)),
    },
    () => painted,
  );
  return { filter, told, paint };
}

describe('the filters of the table', () => {
  it('are shown as they were when the page started', () => {
    const { filter, told } = tableFilter({ filtered: FILTERED });
    filter.show();
    equal(filter.isSet, true);
    deepEqual(told, ['thumbnails true']);
  });

  it('are followed by the image shown, and once that is painted by the list', async () => {
    const { filter, told, paint } = tableFilter();
    const applied = filter.set({ ...FILTERED, shown: { image: 3, objects: new ArrayBuffer(0) } });
    await new Promise(resolve => setImmediate(resolve));
    deepEqual(told, ['table 2', 'image true 3']);
    paint();
    await applied;
    equal(told.at(-1), 'thumbnails true');
  });

  it('leave nothing behind when they are cleared, and overtake those before', async () => {
    const { filter, told, paint } = tableFilter();
    const both = [filter.set(FILTERED), filter.set(null)];
    paint();
    await Promise.all(both);
    deepEqual(told, [
      'table 2',
      'image true undefined',
      'table undefined',
      'selected ""',
      'image false undefined',
      'thumbnails false',
    ]);
  });

  it('apply again to other rows once these are linked, and report a failure', async () => {
    const { filter, told, paint } = tableFilter({ filtered: FILTERED, fails: true });
    paint();
    await filter.linksChanged();
    deepEqual(told, ['image true undefined', 'Error: no response', 'thumbnails true']);
  });
});
