import { deepEqual, equal } from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { TableFiltered } from '../../../../../src/masks/masksPage';
import { LinkedTable } from '../../../../../src/masks/page/state/linkedTable';

const FILTERED: TableFiltered = { rowCount: 2, total: 9 };

/**
 * A table, and what the parts of the page were told, or followed; the list once `paint` is called.
 */
function linkedTable({ filtered = null as TableFiltered | null, fails = false } = {}) {
  const told: string[] = [];
  let paint: () => void = () => undefined;
  const painted = new Promise<void>(resolve => (paint = resolve));
  const scene = {
    image: { index: 3 },
    applyFilter: (known?: Uint8Array) => {
      told.push(`image ${known?.join() ?? 'asks'}`);
      return fails ? Promise.reject(new Error('no response')) : Promise.resolve();
    },
  };
  const table = new LinkedTable({
    filtered,
    image: { scene: signal(scene as never) },
    selection: { clearMessage: () => told.push('message cleared') },
    messages: { failed: error => void told.push(String(error)) },
    painted: () => painted,
  });
  table.filtered.subscribe(each => told.push(`table ${each?.rowCount}`));
  table.listFilter.subscribe(({ isFiltered }) => told.push(`list ${isFiltered}`));
  return { table, told, paint };
}

describe('the filters of the table', () => {
  it('are shown as they were when the page started', () => {
    const { told } = linkedTable({ filtered: FILTERED });
    deepEqual(told, ['table 2', 'list true']);
  });

  it('are followed by the image shown, and once that is painted by the list', async () => {
    const { table, told, paint } = linkedTable();
    told.length = 0;
    const applied = table.filter({ ...FILTERED, shown: { image: 3, objects: Uint8Array.of(1, 0).buffer } });
    await new Promise(resolve => setImmediate(resolve));
    deepEqual(told, ['table 2', 'image 1,0']);
    paint();
    await applied;
    equal(told.at(-1), 'list true');
  });

  it('leave nothing behind when they are cleared, and overtake those before', async () => {
    const { table, told, paint } = linkedTable();
    told.length = 0;
    const ofOther = { ...FILTERED, shown: { image: 4, objects: new ArrayBuffer(2) } };
    const both = [table.filter(ofOther), table.filter(null)];
    paint();
    await Promise.all(both);
    deepEqual(told, [
      'table 2',
      'image asks',
      'table undefined',
      'message cleared',
      'image asks',
      'list false',
    ]);
  });

  it('apply again to other rows once these are linked, and report a failure', async () => {
    const { table, told, paint } = linkedTable({ filtered: FILTERED, fails: true });
    told.length = 0;
    paint();
    await table.linked({} as never);
    deepEqual(told, ['image asks', 'Error: no response', 'list true']);
  });
});
