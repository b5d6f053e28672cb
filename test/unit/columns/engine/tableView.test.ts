import { equal, notEqual, rejects } from 'node:assert/strict';
import { TableView } from '../../../../src/columns/engine/tableView';

describe('Sets of rows', () => {
  it('have numbers that sets of a table opened before did not have', async () => {
    const source = { rowCount: 9 } as never;
    const [before, now] = [new TableView(source), new TableView(source)];
    const { set } = before.addSet(Uint32Array.of(1, 2));
    const added = now.addSet(Uint32Array.of(3));
    equal(added.rows, 1);
    notEqual(added.set, set);
    equal(Number.isSafeInteger(added.set), true);
    await rejects(now.filteredRows([{ kind: 'rowSet', set }]), { code: 'bad-request' });
  });
});
