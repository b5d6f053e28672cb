import { deepEqual, equal, fail, match, ok } from 'node:assert/strict';
import { populationsInTable, populationsOfTable } from '../../../../src/populations/page/populationsInTable';
import { PopulationsModel } from '../../../../src/populations/page/populationsModel';
import {
  type ConditionKind,
  conditionOf,
  conditionsOf,
  gateOf,
  isEditableInForm,
  thresholdOfRows,
} from '../../../../src/populations/page/gateConditions';
import { gateWords, namedPopulations, percent } from '../../../../src/populations/page/gateWords';
import { withFilterSets } from '../../../../src/populations/populationList';
import type { CountedPopulations } from '../../../../src/populations/populationRequests';
import type { Gate } from '../../../../src/populations/gate';
import { filtersOf, type NamedFilter } from '../../../../src/columns/namedFilter';
import type { Filter } from '../../../../src/columns/viewSpec';
import { conditionsInTable, conditionsOfTable } from '../../../../src/study/page/conditionsInTable';
import { CLOSED_COMPARISON } from '../../../../src/study/page/comparisonChoices';
import type { Population } from '../../../../src/populations/population';
import { OpenedTable, until, useNoScreen } from '../../table/page/openedTable';
import type { AddedToTable } from '../../table/page/tableStart';

const added: AddedToTable = {
  contributions: [populationsInTable],
  loadLater: () => Promise.resolve({ populations: { PopulationsModel, namedPopulations } } as never),
};
const AREA = 3;
const area = (from: number, to: number | null = null): Filter => ({ kind: 'range', column: AREA, from, to });
const lasso = { x: 3, y: 4, polygon: [100.5, -1, 900.5, -1, 900.5, 500, 100.5, 500] };

describe('Populations beside the rows of a table', () => {
  useNoScreen();
  let opened: OpenedTable | undefined;
  afterEach(() => opened?.close());

  const open = async () => {
    const page = (opened = await OpenedTable.open({ added }));
    const part = page.store.added.get(populationsOfTable);
    const model = await part.model();
    const { table: rows, filters } = page.store;
    part.toggle();
    const isCounted = () => model.list.value.every(({ counted }) => counted !== undefined);
    const settled = async () => {
      await until(isCounted);
      await page.settled();
    };
    const shown = () =>
      model.list.value.map(({ population: { name }, level, counted, isFilter }) => [
        `${' '.repeat(level - 1)}${name}`,
        counted?.count,
        isFilter,
      ]);
    const filterTo = async (filter: Filter) => {
      await rows.setFilters([...rows.latestFilters, { filter }]);
      await page.settled();
    };
    const add = async (name: string) => {
      const problem = model.add(name);
      if (problem === undefined)
        await until(() => model.list.value.some(each => each.isFilter && each.population.name === name));
      await page.settled();
      return problem;
    };
    return { page, model, rows, filters, settled, shown, filterTo, add };
  };

  it('are made of filters and of lassos, which become their gates, inside the one that is filtered to', async () => {
    const { page, model, rows, shown, filterTo, add } = await open();
    equal(model.canAdd.value, false);
    await filterTo(area(100));
    const matching = rows.rowCount;
    equal(await add('Cells'), undefined);
    deepEqual([shown(), rows.rowCount], [[['Cells', matching, true]], matching]);
    const { set } = (await page.ask('tableLasso', { sort: [], ...lasso })) as { set: number };
    await rows.setFilters([...rows.latestFilters, { filter: { kind: 'rowSet', set }, lasso }]);
    await page.settled();
    const inside = rows.rowCount;
    await add('Drawn');
    const drawn = model.populations.at(-1);
    deepEqual([drawn?.parent, drawn?.gate.kind, rows.rowCount], ['Cells', 'polygon', inside]);
    deepEqual(shown(), [
      ['Cells', matching, false],
      [' Drawn', inside, true],
    ]);
    equal(await add('cells'), 'Another population has this name.');
    model.toggleFilter('Drawn');
    await page.settled();
    equal(rows.rowCount, rows.table.rowCount);
  });

  it('are renamed, moved, duplicated and deleted, each of which is undone', async () => {
    const { page, model, rows, shown, filterTo, add, settled } = await open();
    await filterTo(area(100));
    await add('Cells');
    await filterTo(area(400));
    await add('Large');
    const names = () => shown().map(([name]) => name);
    equal(model.rename('Large', 'Big'), undefined);
    // It isn't filtered to while its name changes.
    await until(() => names().includes(' Big'));
    equal(model.rename('Big', 'Large'), undefined);
    equal(model.rename('Cells', 'Nuclei'), undefined);
    await until(() => names().join() === 'Nuclei, Large');
    await settled();
    deepEqual(names(), ['Nuclei', ' Large']);
    deepEqual(model.parentsFor('Nuclei'), []);
    model.move('Nuclei', 'Large');
    deepEqual(names(), ['Nuclei', ' Large'], 'no population is a part of itself');
    model.move('Large', undefined);
    await settled();
    deepEqual(names(), ['Nuclei', 'Large']);
    equal(await page.move('undo'), 'Undid: Change Population');
    deepEqual(names(), ['Nuclei', ' Large']);
    model.duplicate('Large');
    await settled();
    deepEqual(names(), ['Nuclei', ' Large', ' Large Copy']);
    model.remove('Nuclei');
    await settled();
    await until(() => names().length === 0);
    equal(rows.rowCount, rows.table.rowCount);
    equal(await page.move('undo'), 'Undid: Delete Population');
    deepEqual(names(), ['Nuclei', ' Large', ' Large Copy']);
    equal(await page.move('redo'), 'Redid: Delete Population');
    deepEqual(names(), []);
  });

  it('are stored with the next change where one could not be stored, and that is said', async () => {
    const sent: { before?: { name: string }[]; populations?: { name: string }[] }[] = [];
    let isFull = false;
    opened = await OpenedTable.open({
      added,
      answers: (page: OpenedTable) => ({
        countPopulations: async (params: (typeof sent)[number]) => {
          sent.push(params);
          if (params.populations && isFull) throw new Error('the disk is full');
          return page.ask('countPopulations', params);
        },
      }),
    });
    const model = await opened.store.added.get(populationsOfTable).model();
    const gate: Gate = { kind: 'range', column: AREA, from: 100 };
    const changed = async (name: string) => {
      equal(model.saveDraft(undefined, { name, gate }), undefined);
      await opened?.settled();
    };
    const last = () => {
      const { before = [], populations = [] } = sent.at(-1) ?? {};
      return [before, populations].map(list => list.map(({ name }) => name));
    };
    await changed('A');
    isFull = true;
    await changed('B');
    match(opened.said.at(-1) ?? '', /^Couldn't save the populations: .*the disk is full/);
    deepEqual(last(), [['A'], ['A', 'B']]);
    isFull = false;
    await changed('C');
    deepEqual(last(), [['A'], ['A', 'B', 'C']], 'nothing is taken for stored that is not');
    await changed('D');
    deepEqual(last(), [
      ['A', 'B', 'C'],
      ['A', 'B', 'C', 'D'],
    ]);
  });

  it('keep an edit of one that another window deletes meanwhile, and leave the filter to it', async () => {
    const { page, model, rows, filterTo, add, settled } = await open();
    await filterTo(area(100));
    await add('Cells');
    const [cells] = model.populations;
    model.changedElsewhere([]);
    await page.settled();
    deepEqual([rows.latestFilters, rows.rowCount], [[], rows.table.rowCount]);
    equal(model.saveDraft('Cells', { ...(cells ?? fail()), name: 'Bodies' }), undefined);
    await settled();
    deepEqual(
      model.populations.map(({ name }) => name),
      ['Bodies'],
    );
  });

  it('are renamed as another window leaves them meanwhile', async () => {
    const { model, filterTo, add, settled } = await open();
    await filterTo(area(100));
    await add('Cells');
    equal(model.rename('Cells', 'Nuclei'), undefined);
    const gate: Gate = { kind: 'range', column: 'Area', from: 400 };
    model.changedElsewhere([{ name: 'Cells', gate }]);
    await until(() => model.populations[0]?.name === 'Nuclei');
    deepEqual(model.populations, [{ name: 'Nuclei', gate }]);
    await settled();
    model.toggleFilter('Nuclei');
    await settled();
    equal(model.rename('Nuclei', 'Cells'), undefined);
    model.changedElsewhere([]);
    await settled();
    deepEqual(model.populations, []);
  });

  it('have colors and are hidden, which is undone, and their rows are not counted anew', async () => {
    const { page, model, filterTo, add, settled } = await open();
    await filterTo(area(100));
    await add('Cells');
    await filterTo(area(400));
    await add('Large');
    const looks = () => model.populations.map(({ color, hidden }) => [color, hidden]);
    const keys = () => model.list.value.map(({ counted }) => counted?.as);
    const before = keys();
    model.recolor('Cells', '#123456');
    await settled();
    model.toggleHidden('Large');
    await settled();
    deepEqual(looks(), [
      ['#123456', undefined],
      [undefined, true],
    ]);
    model.toggleOthers('Large');
    await settled();
    deepEqual(looks(), [
      ['#123456', true],
      [undefined, undefined],
    ]);
    model.toggleOthers('Large');
    await settled();
    deepEqual(looks(), [
      ['#123456', undefined],
      [undefined, undefined],
    ]);
    deepEqual(keys(), before);
    for (let steps = 0; steps < 4; steps++) equal(await page.move('undo'), 'Undid: Change Population');
    deepEqual(looks(), [
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('are made of conditions, or get others, in one step', async () => {
    const { page, model, settled } = await open();
    const gate: Gate = { kind: 'range', column: 'Area', from: 100 };
    const inside: Gate = { kind: 'population', name: 'Cells' };
    equal(model.saveDraft(undefined, { name: ' Cells ', gate }), undefined);
    equal(model.saveDraft(undefined, { name: 'cells', gate }), 'Another population has this name.');
    equal(model.saveDraft(undefined, { name: 'Others', gate: { kind: 'not', gate: inside } }), undefined);
    model.recolor('Cells', '#123456');
    await settled();
    const [cells, others] = model.list.value.map(({ counted }) => counted?.count ?? 0);
    equal((cells ?? 0) + (others ?? 0), page.store.table.table.rowCount);
    deepEqual(model.parentsFor('Cells'), [], 'what its gate needs is no parent of it');
    // What isn't stored yet is counted.
    const draft = model.withDraft('Cells', { name: 'Nuclei', gate: { ...gate, from: 400 } });
    model.countDraft(draft);
    await until(() => model.latest?.populations[0]?.name === 'Nuclei');
    const drawn = model.latest?.populations[0];
    ok(drawn?.name === 'Nuclei' && drawn.count < (cells ?? 0));
    deepEqual(
      model.populations.map(({ name }) => name),
      ['Cells', 'Others'],
    );
    equal(model.saveDraft('Cells', { name: 'Nuclei', gate: { ...gate, from: 400 } }), undefined);
    await settled();
    deepEqual(model.populations, [
      { name: 'Nuclei', color: '#123456', gate: { ...gate, from: 400 } },
      { name: 'Others', gate: { kind: 'not', gate: { kind: 'population', name: 'Nuclei' } } },
    ]);
    equal(await page.move('undo'), 'Undid: Change Population');
    deepEqual(model.populations[0]?.gate, gate);
  });

  it('have gates as conditions of a form, and back', () => {
    const range: Gate = { kind: 'range', column: 'Area', from: 5 };
    const polygon: Gate = {
      kind: 'polygon',
      x: 0,
      y: 1,
      points: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    };
    const gates: Gate[] = [
      range,
      { kind: 'not', gate: range },
      { kind: 'any', gates: [range, { kind: 'not', gate: polygon }] },
      {
        kind: 'all',
        gates: [
          { kind: 'any', gates: [range, polygon] },
          { kind: 'population', name: 'X' },
        ],
      },
    ];
    for (const gate of gates) deepEqual(gateOf(conditionsOf(gate)), gate);
    equal(gateOf({ join: 'all', conditions: [] }), undefined);
    const text = { kind: 'text', column: 'Class', match: 'contains', text: 'a' } as const;
    // What the form has no field for is in words.
    deepEqual([range, text, { ...text, exclude: true }, polygon].map(isEditableInForm), [
      true,
      true,
      false,
      false,
    ]);
    const columns = ['Class', 'Area', 'Ki67', 'Ki67'].map((name, index) => ({
      index,
      name,
      kind: index === 0 ? ('text' as const) : ('number' as const),
    }));
    const columnFor = (kind: ConditionKind, column?: string | number) => {
      const made = conditionOf(kind, columns, { column });
      return 'column' in made ? made.column : undefined;
    };
    deepEqual(
      [columnFor('range'), columnFor('values'), columnFor('range', 'Class'), columnFor('statistic', 3)],
      ['Area', 'Class', 'Area', 3],
    );
    const statistic = conditionOf('statistic', columns, {}) as Extract<Gate, { kind: 'statistic' }>;
    deepEqual(thresholdOfRows({ ...statistic, frozen: 3 }, 'reference', columns), {
      ...statistic,
      frozen: undefined,
      of: 'reference',
      reference: { column: 'Class', value: '' },
    });
  });

  it('say what they lack, and are not filtered to while they do', async () => {
    const { page, model, rows, settled } = await open();
    model.changedElsewhere([
      { name: 'Lost', parent: 'Gone', gate: { kind: 'range', column: 'Area', from: 5 } },
      { name: 'Old', gate: { kind: 'range', column: 'Gone', from: 5 } },
      { name: 'old', gate: { kind: 'range', column: 'Area', from: 5 } },
    ]);
    await page.ask('setPopulations', { table: 'objects', populations: model.populations });
    await model.count();
    await settled();
    deepEqual(
      model.list.value.map(({ counted }) => counted?.problem?.kind),
      ['no-parent', 'no-column', 'name-taken'],
    );
    model.toggleFilter('Lost');
    await page.settled();
    deepEqual(rows.latestFilters, []);
    // Each can be mended where it is.
    model.move('Lost', undefined);
    equal(model.rename('old', 'Area'), undefined);
    await until(() =>
      model.list.value.every(({ counted }) => counted && counted.problem?.kind !== 'no-parent'),
    );
    deepEqual(
      model.list.value.map(({ counted }) => counted?.problem?.kind),
      [undefined, 'no-column', undefined],
    );
  });

  it('have means of a column, and are as they were when the page is shown again', async () => {
    const { page, model, settled, filterTo, add } = await open();
    await filterTo(area(100, 200));
    await add('Small');
    model.measure('Area');
    await until(() => typeof model.list.value[0]?.counted?.mean === 'number');
    const mean = model.list.value[0]?.counted?.mean ?? 0;
    ok(mean >= 100 && mean <= 200);
    await settled();
    const again = await page.again();
    const same = await again.store.added.get(populationsOfTable).model();
    await until(() => same.list.value[0]?.counted?.mean === mean);
    deepEqual([same.state.value.open, same.list.value[0]?.isFilter], [true, true]);
    await again.close();
  });

  it('select the same rows as the filters of an earlier version, also where cells are missing', async () => {
    const { page, rows } = await open();
    const filters: NamedFilter[] = [
      { kind: 'range', column: 'Area', from: 100, to: 300 },
      { kind: 'values', column: 'Class', values: ['Mitotic'], exclude: true },
      { kind: 'values', column: 'Class', values: [], missing: true },
      { kind: 'text', column: 'Class', match: 'contains', text: 'o', exclude: true },
      { kind: 'missing', column: 'Area', missing: false },
    ];
    const sets = [
      ...filters.map((filter, at) => ({ name: `Set ${at}`, filters: [filter] })),
      { name: 'All', filters: filters.slice(0, 2) },
    ];
    const { populations } = (await page.ask('countPopulations', {
      populations: withFilterSets([], sets),
    })) as CountedPopulations;
    for (const { name, filters: named } of sets) {
      const { rowCount } = (await page.ask('tableView', {
        sort: [],
        filters: filtersOf(rows.table.columns, named),
      })) as { rowCount: number };
      equal(populations.find(each => each.name === name)?.count, rowCount, name);
    }
    ok(new Set(populations.map(({ count }) => count)).size > 3);
  });

  it('are what measures are of that an earlier version saved, whatever their names are now', async () => {
    const gate = { kind: 'range', column: 'Area', from: 100 } as const;
    const populations: Population[] = [
      { name: 'Large', gate },
      { name: 'Large 2', gate, formerName: 'Large' },
      { name: 'Large 2 2', gate, formerName: 'Large 2' },
    ];
    const both = { ...added, contributions: [conditionsInTable, populationsInTable] };
    const compare = { ...CLOSED_COMPARISON, measure: { kind: 'filter', name: 'Large' } as const };
    const page = (opened = await OpenedTable.open({
      added: both,
      start: { populations },
      saved: { compare },
    }));
    const measured = (of: OpenedTable) => of.store.added.get(conditionsOfTable).compare.state.value.measure;
    deepEqual(measured(page), { kind: 'filter', name: 'Large 2' });
    page.store.added.get(conditionsOfTable).compare.choose({ measure: { kind: 'filter', name: 'Large' } });
    await page.settled();
    deepEqual(measured(await page.again()), { kind: 'filter', name: 'Large' }, 'what this version saved');
  });

  it('are what such measures are of also where they could not be read at first', async () => {
    const gate = { kind: 'range', column: 'Area', from: 100 } as const;
    const populations: Population[] = [
      { name: 'Large', gate },
      { name: 'Large 2', gate, formerName: 'Large' },
    ];
    const both = { ...added, contributions: [conditionsInTable, populationsInTable] };
    const compare = { ...CLOSED_COMPARISON, measure: { kind: 'filter', name: 'Large' } as const };
    const first = (opened = await OpenedTable.open({ added: both, saved: { compare } }));
    const measured = (of: OpenedTable) => of.store.added.get(conditionsOfTable).compare.state.value.measure;
    deepEqual(measured(first), { kind: 'filter', name: 'Large' });
    const page = (opened = await first.again());
    page.tell('populations', populations);
    deepEqual(measured(page), { kind: 'filter', name: 'Large 2' });
    page.store.added.get(conditionsOfTable).compare.choose({ measure: { kind: 'filter', name: 'Large' } });
    page.tell('populations', populations);
    deepEqual(measured(page), { kind: 'filter', name: 'Large' }, 'what this version has chosen');
  });

  it('are measures, by the names that they get, and say what they are', async () => {
    const { page, model, filterTo, add } = await open();
    const { populations } = page.store;
    const heard: unknown[] = [];
    await filterTo(area(100));
    await add('Cells');
    deepEqual(
      populations.all.value.map(({ name, columns }) => [name, columns]),
      [['Cells', ['Area']]],
    );
    equal(populations.wordsOf('Cells'), 'Area: from 100');
    populations.onDidChange(renamed => heard.push(renamed));
    model.toggleFilter('Cells');
    await page.settled();
    model.rename('Cells', 'Nuclei');
    await page.settled();
    deepEqual(heard, [{ from: 'Cells', to: 'Nuclei' }, undefined], 'the second time its rows are there');
    await page.move('undo');
    deepEqual(heard[2], { from: 'Nuclei', to: 'Cells' });
    deepEqual(
      populations.all.value.map(({ name }) => name),
      ['Cells'],
    );
  });

  it('have shares with as many digits as mean something, and none is 100% or 0% that is not', () => {
    const shares = [
      [0, 10],
      [1, 3],
      [1, 30],
      [1, 3000],
      [1, 9_000_000],
      [9999, 10_000],
      [8_999_999, 9_000_000],
      [5, 5],
      [0, 0],
    ] as const;
    deepEqual(
      shares.map(([part, of]) => percent(part, of)),
      ['0%', '33%', '3.3%', '0.03%', '<0.01%', '99.99%', '>99.99%', '100%', '–'],
    );
  });

  it('have gates in words', () => {
    const columns = ['Area', 'Ki67'].map((name, index) => ({ index, name, kind: 'number' as const }));
    const range = { kind: 'range', column: 'Area', from: 5 } as const;
    const any: Gate = { kind: 'any', gates: [range, { kind: 'population', name: 'Cells' }] };
    const statistic: Extract<Gate, { kind: 'statistic' }> = {
      kind: 'statistic',
      column: 'Ki67',
      of: 'image',
      center: 'median',
      spread: 'mad',
      factor: 3,
      side: 'above',
    };
    const gates: Gate[] = [
      { kind: 'all', gates: [any, { kind: 'missing', column: 'Gone', missing: false }] },
      { kind: 'not', gate: any },
      statistic,
      { ...statistic, factor: -3, side: 'below', frozen: 2.5 },
      { kind: 'percentile', column: 'Area', of: 'parent', percent: 90, side: 'above' },
      { kind: 'rectangle', x: 'Area', y: 1, from: [0, 0], to: [1, 1] },
    ];
    deepEqual(
      gates.map(gate => gateWords(gate, columns)),
      [
        '(Area: from 5 or in Cells) · Gone has a value',
        'not: (Area: from 5 or in Cells)',
        'Ki67 ≥ median + 3 · 1.4826 · MAD of each image',
        'Ki67 < 2.5 (frozen)',
        'Area ≥ percentile 90 of the parent',
        'Rectangle over Area and Ki67',
      ],
    );
  });
});
