import { deepEqual } from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { TableContribution } from '../../../../../src/table/page/contribution';
import { fittingView } from '../../../../../src/table/page/tableViewState';
import { NOTHING_ADDED } from '../tableStart';
import { allDue, store, table } from '../twoColumns';

/** Subjects that stand in place of the rows, and whether each does. */
function overRows(...names: string[]) {
  const open = names.map(() => signal(false));
  const contributions = names.map((label, at): TableContribution => ({
    open: () => ({
      overRows: [
        {
          label,
          isOpen: open[at] ?? signal(false),
          close: () => {
            const own = open[at];
            if (own) own.value = false;
          },
          content: () => null,
        },
      ],
    }),
  }));
  return { open, contributions };
}

describe('What subjects add to the page of a table', () => {
  it('stands in place of the rows one at a time: what was opened last', () => {
    const { open, contributions } = overRows('plates', 'comparison', 'images');
    store({}, {}, {}, { ...NOTHING_ADDED, contributions });
    const now = () => open.map(({ value }) => value);
    const [plates, comparison] = open;
    if (plates) plates.value = true;
    deepEqual(now(), [true, false, false]);
    if (comparison) comparison.value = true;
    deepEqual(now(), [false, true, false]);
    if (comparison) comparison.value = false;
    deepEqual(now(), [false, false, false]);
  });

  it('keeps what groups are of, and their measures, where the subject is missing', async () => {
    const groups = { open: true, by: [0], measures: [1, { kind: 'odd', of: 'cells' }], of: 'wells' };
    const saved = { ...fittingView({}, table), groups } as never;
    const requested: unknown[] = [];
    const { page, port } = store(
      {},
      {
        tableGroupColumns: () => ({ columns: [0] }),
        tableGroups: ({ measures }: { measures: unknown }) => {
          requested.push(measures);
          return { groups: [], total: 1, all: { rows: 0, values: [] } };
        },
      },
      saved,
    );
    page.groups.begin();
    await allDue();
    // Rows alone are what it knows.
    deepEqual(requested, [[1]]);
    page.groups.choose({ statistics: ['mean'] });
    deepEqual(port.view.groups?.measures, groups.measures);
    deepEqual(port.view.groups?.of, 'wells');
  });
});
