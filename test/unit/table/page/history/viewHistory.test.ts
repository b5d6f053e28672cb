import { deepEqual, equal, ok } from 'node:assert/strict';
import type { PageFilter } from '../../../../../src/table/page/filterList';
import {
  NO_HISTORY,
  validHistory,
  ViewHistory,
  type ViewStep,
} from '../../../../../src/table/page/viewHistory';

const range = (column: number, from: number): PageFilter => ({
  filter: { kind: 'range', column, from, to: null },
});
const values = (column: number, ...named: string[]): PageFilter => ({
  filter: { kind: 'values', column, values: named },
});
const onMasks: PageFilter = { filter: { kind: 'rowSet', set: 3 } };
const filters = (before: PageFilter[], after: PageFilter[]): ViewStep => ({
  before: { filters: before },
  after: { filters: after },
});
const hidden = (before: number[], after: number[]): ViewStep => ({
  before: { hidden: before },
  after: { hidden: after },
});

describe('The history of a view', () => {
  it('undoes the latest step first, does it again, and forgets what was undone with the next step', () => {
    const history = new ViewHistory(NO_HISTORY);
    const [first, second, third] = [hidden([], [1]), hidden([1], [1, 2]), hidden([1], [1, 3])];
    equal(history.next('undo'), undefined);
    history.add(first);
    history.add(second);
    equal(history.next('undo'), second);
    history.moved('undo');
    deepEqual([history.next('undo'), history.next('redo')], [first, second]);
    history.moved('redo');
    equal(history.next('undo'), second);
    history.moved('undo');
    history.add(third);
    deepEqual([history.next('undo'), history.next('redo')], [third, undefined]);
  });

  it('has one step for a range moved key by key, and others for the next gesture and for another column', () => {
    const history = new ViewHistory(NO_HISTORY);
    history.add(filters([], [range(1, 1)]));
    for (let from = 1; from < 300; from++) history.add(filters([range(1, from)], [range(1, from + 1)]));
    deepEqual(history.saved.past, [filters([], [range(1, 300)])]);
    history.endGesture();
    history.add(filters([range(1, 300)], [range(1, 5)]));
    history.add(filters([range(1, 5)], [range(1, 5), range(2, 0)]));
    equal(history.saved.past.length, 3);
  });

  it('has no steps of filters with a name, which earlier versions had', () => {
    const old = { before: { filterSets: [] }, after: { filterSets: [{ name: 'High', filters: [] }] } };
    const other = filters([], [range(1, 1)]);
    deepEqual(validHistory({ past: [old as ViewStep, other], future: [] }).past, [other]);
  });

  it('has a step for each value that is selected, and for turning a filter off', () => {
    const history = new ViewHistory(NO_HISTORY);
    history.add(filters([], [values(1, 'a')]));
    history.add(filters([values(1, 'a')], [values(1, 'a', 'b')]));
    history.add(filters([], [range(2, 1)]));
    history.add(filters([range(2, 1)], [{ ...range(2, 1), off: true }]));
    equal(history.saved.past.length, 4);
  });

  it('has no step for a text that was typed and deleted', () => {
    const history = new ViewHistory(NO_HISTORY);
    const typed: PageFilter = { filter: { kind: 'text', column: 1, match: 'contains', text: 'x' } };
    history.add(filters([], [typed]));
    history.add(filters([typed], []));
    deepEqual(history.saved, { past: [], future: [] });
  });

  it('does not go on with a step that was undone meanwhile', () => {
    const history = new ViewHistory(NO_HISTORY);
    history.add(filters([], [range(1, 1)]));
    history.endGesture();
    history.add(filters([range(1, 1)], [range(1, 2)]));
    history.moved('undo');
    history.add(filters([range(1, 1)], [range(1, 7)]));
    deepEqual(history.saved.past, [filters([], [range(1, 1)]), filters([range(1, 1)], [range(1, 7)])]);
  });

  it('is bounded in steps and in size, and always has the latest step', () => {
    const many = new ViewHistory(NO_HISTORY);
    for (let column = 0; column < 1000; column++) many.add(hidden([], [column]));
    equal(many.saved.past.length, 100);
    deepEqual(many.next('undo'), hidden([], [999]));
    const order = Array.from({ length: 30_000 }, (_, at) => at);
    const large = new ViewHistory(NO_HISTORY);
    for (let turn = 0; turn < 3; turn++) {
      large.add(hidden([], [turn]));
      large.add({ before: { order }, after: { order: [...order].reverse() } });
    }
    equal(large.saved.past.length, 1);
    for (let turn = 0; turn < 300; turn++) {
      large.add(filters([], [values(0, 'x'.repeat(1000), String(turn))]));
      ok(JSON.stringify(large.saved).length < 70_000);
    }
    ok(large.saved.past.length > 50);
  });

  it('forgets rows selected on the masks when their sets are gone, and steps that were about them alone', () => {
    const steps = [
      filters([], [onMasks]),
      filters([onMasks], [onMasks, range(1, 1)]),
      filters([onMasks, range(1, 1)], [range(1, 1)]),
    ];
    const left = { past: [filters([], [range(1, 1)])], future: [] };
    const history = new ViewHistory({ past: steps, future: [filters([onMasks], [])] });
    history.forgetRowSets();
    deepEqual(history.saved, left);
    deepEqual(validHistory({ past: steps }), left);
    deepEqual(validHistory(undefined), NO_HISTORY);
  });
});
