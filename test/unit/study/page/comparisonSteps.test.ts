import { deepEqual, equal } from 'node:assert/strict';
import {
  choicesOf,
  CLOSED_COMPARISON,
  type CompareChoices,
} from '../../../../src/study/page/comparisonChoices';
import {
  NO_HISTORY,
  stepBetween,
  type UndoableView,
  ViewHistory,
} from '../../../../src/table/page/viewHistory';
import { stepWords } from '../../../../src/table/page/tableUndo';
import { fittingView } from '../../../../src/table/page/tableViewState';
import { conditionsInTable, conditionsOfTable } from '../../../../src/study/page/conditionsInTable';
import { savedConditions, undoneComparison } from '../../../../src/study/page/conditionsSaved';
import { OpenedTable, until, useNoScreen } from '../../table/page/openedTable';
import { NOTHING_ADDED } from '../../table/page/tableStart';
import { table } from '../../table/page/twoColumns';

const added = { ...NOTHING_ADDED, contributions: [conditionsInTable] };
const openStudy = () => OpenedTable.open({ study: {}, added });
const conditionsIn = (page: OpenedTable) => page.store.added.get(conditionsOfTable);

const view = fittingView({}, table);

/** What a change of what is compared does, in words. */
function words(before: Partial<UndoableView>, after: Partial<UndoableView>): string | undefined {
  const step = stepBetween({ ...view, ...before }, { ...view, ...before, ...after }, [undoneComparison]);
  return step && stepWords(step, table.columns, [undoneComparison]);
}

describe('Steps of a comparison that are undone', () => {
  useNoScreen();
  let opened: OpenedTable | undefined;
  afterEach(() => opened?.close());

  it('are one for each choice of a comparison, which they open, also when the page is shown again', async () => {
    const page = (opened = await openStudy());
    const chosen = (of = page) => {
      const { open, measure, scale, mean, paired } = conditionsIn(of).compare.state.value;
      return { open, measure, scale, mean, paired };
    };
    const choose = async (choice: Partial<CompareChoices>) => {
      conditionsIn(page).compare.choose(choice);
      await page.settled();
      return chosen();
    };
    conditionsIn(page).toggleComparison();
    await until(() => conditionsIn(page).compare.shown.value !== undefined);
    const begun = chosen();
    const others = await choose({ paired: false });
    const ofKi67 = await choose({ measure: { kind: 'column', name: 'Ki67' } });
    const ratio = await choose({ scale: 'ratio' });
    await choose({ mean: 'images' });
    equal(await page.move('undo'), 'Undid: Change Value of a Replicate');
    deepEqual(chosen(), ratio);
    equal(await page.move('undo'), 'Undid: Change Difference or Ratio');
    deepEqual(chosen(), ofKi67);
    equal(await page.move('redo'), 'Redid: Change Difference or Ratio');
    deepEqual(chosen(), ratio);
    equal(await page.move('undo'), 'Undid: Change Difference or Ratio');
    conditionsIn(page).toggleComparison();
    equal(chosen().open, false);
    const again = await page.again();
    equal(await again.move('undo'), 'Undid: Change Measure');
    deepEqual(chosen(again), others);
    await until(() => conditionsIn(again).compare.shown.value?.measure.kind === 'column');
    const { measure } = conditionsIn(again).compare.shown.value ?? {};
    equal(measure?.kind === 'column' && measure.name, 'Area');
    equal(await again.move('undo'), 'Undid: Don’t Pair Replicates');
    deepEqual(chosen(again), begun);
    equal(await again.move('undo'), 'Nothing to undo');
  });

  it('has one step for the end of a share that is moved key by key, and another for another column', () => {
    const history = new ViewHistory(NO_HISTORY, [undoneComparison]);
    const share = (name: string, from: number): CompareChoices => ({
      scale: 'difference',
      mean: 'objects',
      measure: { kind: 'range', name, from, to: null },
    });
    const step = (before: CompareChoices, after: CompareChoices) =>
      history.add({ before: { compare: before }, after: { compare: after } });
    for (let from = 1; from < 9; from++) step(share('Area', from), share('Area', from + 1));
    deepEqual(history.saved.past, [
      { before: { compare: share('Area', 1) }, after: { compare: share('Area', 9) } },
    ]);
    step(share('Area', 9), share('Ki67', 9));
    step(share('Ki67', 9), { ...share('Ki67', 9), mean: 'images' });
    equal(history.saved.past.length, 3);
  });

  it('is worded by what is chosen of a comparison of conditions, and none where it is opened', () => {
    const choices = choicesOf(CLOSED_COMPARISON);
    const of = (after: Partial<CompareChoices>, before: Partial<CompareChoices> = {}) =>
      words(
        { compare: { open: true, ...choices, ...before } },
        { compare: { open: true, ...choices, ...before, ...after } },
      );
    equal(words({}, { compare: { open: true, ...choices } }), undefined);
    equal(of({ measure: { kind: 'column', name: 'Area' } }), 'Change Measure');
    equal(of({ condition: 'Dose' }, { reference: '0' }), 'Change Condition');
    equal(of({ replicate: ['Donor'] }), 'Change Replicates');
    equal(of({ reference: 'control' }), 'Change Reference');
    equal(of({ scale: 'ratio' }), 'Change Difference or Ratio');
    equal(of({ mean: 'images' }), 'Change Value of a Replicate');
    equal(of({ paired: true, pairedOf: ['Donor'] }), 'Pair Replicates');
    equal(of({ paired: false }, { paired: true }), 'Don’t Pair Replicates');
    equal(of({ figure: { size: 'slide' } }), 'Change Figure');
  });

  it('follow columns that get another name, with what is saved of it', () => {
    const choices = (condition: string): CompareChoices => ({ scale: 'ratio', mean: 'objects', condition });
    const withColumn = (name: string, id?: string) => {
      const known = { ofImage: true as const, ...(id !== undefined && { id }) };
      return { ...table, columns: [...table.columns, { index: 2, name, kind: 'text' as const, ...known }] };
    };
    const saved = (column: string) => ({
      ...fittingView({}, withColumn(column), undefined, [savedConditions]),
      compare: { open: true, ...choices(column) },
      history: {
        past: [{ before: { compare: choices('Well') }, after: { compare: choices(column) } }],
        future: [],
      },
    });
    const now = fittingView(saved('Dose'), withColumn('Dose (nM)', 'Dose'), undefined, [savedConditions]);
    deepEqual(now, { ...saved('Dose (nM)'), imageColumns: [{ name: 'Dose (nM)', id: 'Dose' }] });
    // Another column in its place is no other name of it.
    const other = fittingView(saved('Dose'), withColumn('Dose (nM)'), undefined, [savedConditions]);
    equal(other.compare?.condition, 'Dose');
    const history = new ViewHistory(saved('Dose').history, [undoneComparison]);
    history.columnsRenamed(new Map([['Dose', 'Dose (nM)']]));
    deepEqual(history.saved, saved('Dose (nM)').history);
  });
});
