import { deepEqual, equal, ok } from 'node:assert/strict';
import { signal } from '@preact/signals';
import { CodedError } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import { codedReason } from '../../../../src/base/reasons';
import type { WellMeasure } from '../../../../src/plates/plateRequests';
import type { Filter } from '../../../../src/columns/viewSpec';
import { studyImagesOf } from '../../../../src/study/engine/studyImages';
import { platesOf } from '../../../../src/plates/engine/plateWells';
import { PlateModel, type ShownPlate } from '../../../../src/plates/page/plateModel';
import type { PlateRequests } from '../../../../src/plates/plateRequests';
import { platesInTable } from '../../../../src/plates/page/platesInTable';
import type { ChosenWellMeasure, PlatesState } from '../../../../src/plates/page/platesSaved';
import { plateScale, shownValues } from '../../../../src/plates/page/plateScale';
import { mapNotes, measureWords, pageWords } from '../../../../src/plates/page/plateWords';
import { plainEnglish } from '../../../../src/words/translate';
import { TableTexts, type Viewed } from '../../columns/engine/tableTexts';

type TablePlates = PlateRequests['tablePlates']['params'];

const [WELL, PLATE, DOSE] = [2, 3, 4];

/**
 * Two plates: in each DMSO in A1 to C1 (as A01 on the second), a drug in A2 to C2, and a compound
 * in D3.
 */
function screen(): string {
  const rows = ['Image,Area,Well,Plate,Treatment'];
  for (const plate of ['P1', 'P2'])
    for (const [well, treatment, area] of [
      ...['A', 'B', 'C'].map((row, at) => [`${row}1`, 'DMSO', 100 + at] as const),
      ...['A', 'B', 'C'].map((row, at) => [`${row}2`, 'drug', 20 + at] as const),
      ['D3', 'compound', 60] as const,
    ]) {
      const name = plate === 'P2' ? well.replace(/^(.)(\d)$/, '$10$2') : well;
      for (const more of [-1, 0, 1])
        rows.push(`${plate}/${name}.tif,${area + more},${name},${plate},${treatment}`);
    }
  return rows.join('\n');
}

describe('The map of plates', () => {
  const texts = new TableTexts();
  let view: Viewed;

  before(async () => {
    await texts.start();
    view = await texts.view(screen());
  });
  after(() => texts.end());

  async function open(state: Partial<PlatesState> = {}, failing?: Error, of = view) {
    const filters = signal<Filter[]>([]);
    const now = signal<PlatesState>({ open: true, ...state });
    const saved: PlatesState[] = [];
    let requests = 0;
    let latest: WellMeasure | undefined;
    let failure = failing;
    const requested = {
      studyColumns: () => ({ well: [WELL], plate: [PLATE], condition: [DOSE], hasAreas: false }),
      tablePlates: async ({ start, end, ...params }: TablePlates) => {
        requests++;
        latest = params.measure;
        const thrown = failure;
        failure = undefined;
        if (thrown) throw thrown;
        const measured = await platesOf(of, studyImagesOf(of.table), params);
        // One at a time, as of plates with many wells.
        return { ...measured, plates: measured.plates.slice(start, Math.min(end, start + 1)) };
      },
    };
    const changed = new Emitter<'filters' | 'table' | 'sort'>();
    const renamed = new Emitter<{ from: string; to: string } | undefined>();
    const page = {
      model: {
        table: of.table,
        get statisticsFilters() {
          return { filters: filters.value };
        },
        get latestFilters() {
          return filters.peek().map(filter => ({ filter }));
        },
        onDidChange: changed.event,
      },
      panel: {
        request: async (method: keyof typeof requested, params: TablePlates) => requested[method](params),
      },
      populations: {
        all: signal([
          { name: 'Large', columns: [] },
          { name: 'Big', columns: [] },
        ]),
        onDidChange: renamed.event,
      },
      textsOf: () => Promise.resolve([]),
      messages: { log: (error: unknown) => (error as Error).message },
      filters: {
        set: (list: readonly { filter: Filter }[]) => {
          filters.value = list.map(({ filter }) => filter);
          changed.fire('filters');
        },
      },
    };
    const model = new PlateModel(page as never, now, next => {
      now.value = next;
      saved.push(next);
    });
    void model.begin();
    await settled(model);
    return { model, filters, saved, changed, renamed, requests: () => requests, latest: () => latest };
  }

  async function settled({ isBusy }: PlateModel): Promise<void> {
    while (isBusy.peek()) await new Promise(resolve => setImmediate(resolve));
  }

  const plateOf = (model: PlateModel, name: string): ShownPlate => {
    const found = model.plates.value.find(plate => plate.name === name);
    ok(found);
    return found;
  };
  const at = (plate: ShownPlate, well: string) => plate.wells.indexOf(well);
  const selected = (model: PlateModel) =>
    model.plates.value.flatMap(plate =>
      plate.wells.filter((_, well) => model.isSelected(plate, well)).map(well => `${plate.name} ${well}`),
    );

  it('has all plates, each of the smallest size, on one scale', async () => {
    const { model, requests } = await open();
    deepEqual(
      model.plates.value.map(({ name, size, shown }) => [name, size.wells, shown]),
      ['P1', 'P2'].map(name => [name, 24, [100, 20, 101, 21, 102, 22, 60]]),
    );
    deepEqual(model.scale.value, { range: { low: 20, high: 102 }, below: 0, above: 0 });
    equal(requests(), 2);
  });

  it('measures a population in wells, by the name that it gets', async () => {
    const failure = new Error('no engine knows it');
    const measured = async (measure: ChosenWellMeasure) => {
      const { model, latest } = await open({ measure }, failure);
      return [measureWords(model.measure()), latest()] as const;
    };
    const of = [{ kind: 'population', name: 'Large' }];
    const median = { kind: 'column', column: 1, statistic: 'median' };
    deepEqual(await measured({ kind: 'objects', population: 'Large' }), [
      'Number of objects in Large',
      { kind: 'objects', of },
    ]);
    deepEqual((await measured({ kind: 'objectsPerImage', population: 'Large' }))[1], {
      kind: 'objectsPerImage',
      per: 'image',
      of,
    });
    const name = view.table.columns[1]?.name ?? '';
    deepEqual((await measured({ kind: 'column', name, population: 'Large' }))[1], { ...median, of });
    deepEqual((await measured({ kind: 'objects', population: 'gone' }))[1], median);
    const { model, requests, renamed } = await open(
      { measure: { kind: 'objects', population: 'Large' } },
      failure,
    );
    const before = requests();
    renamed.fire(undefined);
    await settled(model);
    equal(requests(), before + 1);
  });

  it('measures the same population by its new name, also while it is closed', () => {
    const renamed = new Emitter<{ from: string; to: string } | undefined>();
    const views: { plates?: PlatesState }[] = [];
    platesInTable.open({
      start: { kind: 'objects' },
      view: { plates: { open: false, measure: { kind: 'objects', population: 'Large' } } },
      port: { updateView: (view: { plates?: PlatesState }) => views.push(view) },
      populations: { onDidChange: renamed.event },
    } as never);
    renamed.fire({ from: 'Large', to: 'Big' });
    deepEqual(views.at(-1)?.plates?.measure, { kind: 'objects', population: 'Big' });
  });

  it('has one scale over all values, over their percentiles, or between typed ends, which are of one measure', async () => {
    const { model, saved } = await open();
    // Seven wells on each plate: 20 … 22, 60, 100 … 102.
    model.choose({ scale: 'percentiles' });
    deepEqual(model.scale.value, { range: { low: 20, high: 102 }, below: 0, above: 0 });
    const { value: plates } = model.plates;
    model.choose({ scale: { low: 20.5, high: 100.5 } });
    equal(model.plates.value, plates);
    deepEqual(model.scale.value, { range: { low: 20.5, high: 100.5 }, below: 2, above: 4 });
    ok(model.shown.value);
    deepEqual(mapNotes(model, model.shown.value), ['6 wells are beyond the color scale.']);
    model.choose({ statistic: 'max' });
    await settled(model);
    deepEqual([model.scale.value?.range, saved.at(-1)?.scale], [{ low: 21, high: 103 }, undefined]);
  });

  it('has the percentiles of numpy, and infinite values beyond any scale', () => {
    const shown = [...Array.from({ length: 99 }, (_, at) => at + 1), 1e6, Infinity, null];
    const sorted = shownValues([{ shown }]);
    const scale = plateScale(sorted, 'percentiles');
    // numpy.percentile(list(range(1, 100)) + [1e6], [2, 98])
    ok(Math.abs((scale?.range.low ?? NaN) - 2.98) < 1e-12);
    ok(Math.abs((scale?.range.high ?? NaN) - 98.02) < 1e-12);
    deepEqual([scale?.below, scale?.above], [2, 3]);
    deepEqual(plateScale(sorted, undefined), {
      range: { low: 1, high: 1e6 },
      below: 0,
      above: 1,
    });
    equal(plateScale(shownValues([{ shown: [null, Infinity] }]), undefined), undefined);
  });

  it('shows more than a hundred plates page by page, on one scale', async () => {
    const many = Array.from({ length: 203 }, (_, at) => `P${at}/A1.tif,${at},A1,P${at},x`);
    const { model } = await open(
      {},
      undefined,
      await texts.view(['Image,Area,Well,Plate,Treatment', ...many].join('\n')),
    );
    const shown = () => model.page.value.plates.map(({ name }) => name);
    deepEqual(
      [model.plates.value.length, shown().length, shown()[0], pageWords(model)],
      [203, 100, 'P0', '1–100 of 203'],
    );
    deepEqual(
      [model.turnPage(-1), model.turnPage(1), model.turnPage(1), model.turnPage(1)],
      [false, true, true, false],
    );
    deepEqual([shown(), pageWords(model)], [['P200', 'P201', 'P202'], '201–203 of 203']);
    deepEqual(model.scale.value?.range, { low: 0, high: 202 });
    ok(model.shown.value);
    deepEqual(mapNotes(model, model.shown.value), []);
  });

  it('filters to the well that is clicked in all ways in which it is written, to more with Shift, and back', async () => {
    const { model, filters, requests } = await open();
    const [first, second] = [plateOf(model, 'P1'), plateOf(model, 'P2')];
    model.filterTo(second, [at(second, 'A1')], false);
    deepEqual(filters.value, [
      { kind: 'values', column: WELL, values: ['A01'] },
      { kind: 'values', column: PLATE, values: ['P2'] },
    ]);
    deepEqual(selected(model), ['P2 A1']);
    model.filterTo(second, [at(second, 'D3')], true);
    deepEqual(selected(model), ['P2 A1', 'P2 D3']);
    model.filterTo(second, [at(second, 'A1')], true);
    deepEqual(selected(model), ['P2 D3']);
    // A filter has wells and plates: what is outlined is what it leaves.
    model.filterTo(first, [at(first, 'D3')], true);
    deepEqual(selected(model), ['P1 D3', 'P2 D3']);
    model.filterTo(first, [at(first, 'B1'), at(first, 'B2')], false);
    deepEqual(selected(model), ['P1 B1', 'P1 B2']);
    model.filterTo(first, [at(first, 'B1'), at(first, 'B2')], false);
    deepEqual([filters.value, selected(model)], [[], []]);
    // The other wells stay, and nothing is measured anew.
    equal(requests(), 2);
  });

  it('follows other filters', async () => {
    const { model, filters, changed, requests } = await open();
    filters.value = [{ kind: 'range', column: 1, from: null, to: 50 }];
    changed.fire('filters');
    await settled(model);
    equal(requests(), 4);
    deepEqual(plateOf(model, 'P1').shown, [null, 20, null, 21, null, 22, null]);
    deepEqual(plateOf(model, 'P1').objects, [0, 3, 0, 3, 0, 3, 0]);
  });

  it('tells controls apart by condition or by wells, on every plate, without new requests', async () => {
    const { model, saved, requests } = await open();
    const lines = () =>
      model.plates.value.map(({ lines: own }) =>
        own.map(({ positive, zPrime }) => [positive, zPrime !== null]),
      );
    model.mark('conditions', ['DMSO'], 'negative');
    model.mark('wells', ['A2', 'B2', 'C2'], 'positive');
    deepEqual(lines(), [[['drug', true]], [['drug', true]]]);
    deepEqual(saved.at(-1)?.marks, {
      negative: { wells: [], conditions: ['DMSO'] },
      positive: { wells: ['A2', 'B2', 'C2'], conditions: [] },
    });
    // A well that is marked beats its condition; a second click takes the mark away.
    model.mark('wells', ['A1', 'D3'], 'positive');
    deepEqual(lines()[0], [
      ['DMSO', false],
      ['drug', false],
      ['compound', false],
    ]);
    model.mark('wells', ['A1', 'D3'], 'positive');
    deepEqual(lines()[0], [['drug', true]]);
    model.choose({ as: 'percentOfControl' });
    const [percent = null] = plateOf(model, 'P1').shown;
    ok(percent !== null && Math.abs(percent - (100 * 100) / 101) < 1e-12);
    model.mark('conditions', ['DMSO'], 'positive');
    deepEqual(model.state.value.marks?.negative.conditions, []);
    equal(
      plateOf(model, 'P1').gap?.(plainEnglish),
      'Percent of control is missing: no negative control well has a value.',
    );
    equal(requests(), 2);
  });

  it('keeps a size that holds its wells, and names those that another one has not', async () => {
    const { model } = await open();
    model.choose({ size: 96 });
    deepEqual(
      model.plates.value.map(({ size }) => size.wells),
      [96, 96],
    );
    model.choose({ size: 6 });
    deepEqual(
      model.plates.value.map(({ size }) => size.wells),
      [24, 24],
    );
    ok(model.shown.value);
    deepEqual(mapNotes(model, model.shown.value), [
      'A plate of 6 wells has no C1, C2, D3: a larger one is shown.',
    ]);
  });

  it('asks whether wells in several folders are of one plate', async () => {
    const why = codedReason('several-plates', 'Well {0} is in several folders', 'A1');
    const failing = new CodedError('bad-request', 'Several plates', { reason: why });
    const { model } = await open({}, failing);
    deepEqual(model.failure.value, { words: 'Several plates', mayBeOne: true });
    equal(model.plates.value.length, 0);
    model.choose({ isOnePlate: true });
    await settled(model);
    deepEqual([model.failure.peek(), model.shown.peek()?.params.isOnePlate], [undefined, true]);
  });
});
