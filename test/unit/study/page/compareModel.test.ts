import * as assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { CodedError } from '../../../../src/base/errors';
import type { TableColumn } from '../../../../src/columns/tableSummary';
import type { Filter } from '../../../../src/columns/viewSpec';
import type { ComparisonParams } from '../../../../src/study/conditionRequests';
import type { NamedPopulation } from '../../../../src/table/page/state/namedPopulations';
import { CompareModel } from '../../../../src/study/page/compareModel';
import { type CompareState } from '../../../../src/study/page/comparisonChoices';
import { comparedTable } from './comparedTable';

const columns: TableColumn[] = [
  ['Image', 'text'],
  ['Object ID', 'number'],
  ['Class', 'text'],
  ['Area', 'number'],
  ['Treatment', 'text'],
  ['Donor', 'text'],
  ['Area (µm²)', 'number'],
].map(([name = '', kind], index) => ({ index, name, kind: kind as 'text' }));

const compared = comparedTable(['control', 'treated', 'other']);

class FakePanel {
  readonly requests: ComparisonParams[] = [];
  response = compared;
  failure: Error | undefined;
  condition = [4];
  replicate = [5];
  technical: number[] = [];
  /** Set where responses are to wait. */
  waiting: (() => void)[] | undefined;

  studyColumns() {
    const { condition, replicate, technical } = this;
    return Promise.resolve({ condition, replicate, technical, well: [], plate: [], hasAreas: true });
  }

  async tableCompare(params: ComparisonParams) {
    this.requests.push(params);
    await new Promise<void>(resolve => (this.waiting ? this.waiting.push(resolve) : resolve()));
    if (this.failure) throw this.failure;
    return this.response;
  }

  differ = false;

  pixelSizesDiffer() {
    return Promise.resolve(this.differ);
  }

  textsOf() {
    return Promise.resolve(['Nucleus', 'Mitotic']);
  }
}

describe('The comparison of the table page', () => {
  let panel: FakePanel;
  let filters: Filter[];
  let saved: CompareState[];
  let entered: number;
  const sets = signal<NamedPopulation[]>([]);

  const make = (state?: CompareState) =>
    new CompareModel({
      source: {
        table: { columns },
        get statisticsFilters() {
          return { filters };
        },
      },
      populations: sets,
      panel,
      state,
      save: kept => saved.push(kept),
      log: error => String(error),
      enterRows: () => entered++,
    });

  beforeEach(() => {
    panel = new FakePanel();
    filters = [];
    saved = [];
    entered = 0;
    sets.value = [];
  });

  const settled = async (model: CompareModel) => {
    for (let turn = 0; turn < 20 && model.isBusy.peek(); turn++) await Promise.resolve();
  };

  it('begins with the roles of columns and the likeliest measure, and has no answer about names', async () => {
    const model = make();
    model.open();
    await settled(model);
    const [{ measure, condition, replicate, paired, mean } = {} as ComparisonParams] = panel.requests;
    assert.deepEqual(measure, { kind: 'column', column: 3 });
    assert.deepEqual([condition, replicate, paired, mean], [4, [5], false, 'objects']);
    assert.equal(model.asksAboutNames, true);
    model.choose({ paired: true });
    await settled(model);
    assert.equal(model.asksAboutNames, false);
    assert.equal(panel.requests.at(-1)?.paired, true);
  });

  it('warns of a measure in pixels where pixels differ, and takes its column in µm instead', async () => {
    panel.differ = true;
    const model = make();
    model.open();
    await settled(model);
    assert.deepEqual(model.columnInPixels, { name: 'Area', micron: 'Area (µm²)', isCertain: false });
    model.chooseColumn('Area (µm²)');
    await settled(model);
    assert.deepEqual(panel.requests.at(-1)?.measure, { kind: 'column', column: 6 });
    assert.equal(model.columnInPixels, undefined);
    model.choose({ measure: { kind: 'objectsPerImage' } });
    await settled(model);
    assert.equal(model.columnInPixels, undefined);
  });

  it('asks what a replicate is before it asks about names, and keeps technical replicates below', async () => {
    panel.replicate = [5, 0];
    panel.technical = [4, 2];
    panel.response = { ...compared, areMultiplied: true };
    const model = make();
    model.open();
    await settled(model);
    // The column of conditions is none.
    assert.deepEqual(panel.requests.at(-1)?.technical, [2]);
    assert.deepEqual([model.asksAboutLevels, model.asksAboutNames], [true, false]);
    model.choose({ replicate: ['Donor', 'Image'], combined: true });
    await settled(model);
    assert.equal(panel.requests.at(-1)?.combined, true);
    assert.deepEqual([model.asksAboutLevels, model.asksAboutNames], [false, true]);
    model.choose({ replicate: ['Image'], technical: ['Donor'] });
    await settled(model);
    const { replicate, technical, combined } = panel.requests.at(-1) ?? {};
    assert.deepEqual([replicate, technical, combined], [[0], [5], undefined]);
  });

  it('asks about names again where conditions or replicates are others', async () => {
    const model = make();
    model.open();
    await settled(model);
    model.choose({ paired: false, reference: 'control' });
    model.choose({ replicate: ['Image'] });
    await settled(model);
    assert.equal(model.paired, undefined);
    assert.equal(model.state.peek().reference, undefined);
    assert.deepEqual(panel.requests.at(-1)?.replicate, [0]);
  });

  it('asks about names again where roles are those of other columns', async () => {
    const model = make();
    model.open();
    await settled(model);
    model.choose({ paired: true });
    await settled(model);
    panel.replicate = [0];
    model.dataChanged('table');
    await settled(model);
    assert.deepEqual([panel.requests.at(-1)?.replicate, panel.requests.at(-1)?.paired], [[0], false]);
    assert.equal(model.asksAboutNames, true);
    // Also where that happened while it was closed.
    const later = make(saved.at(-1));
    later.open();
    await settled(later);
    assert.equal(later.asksAboutNames, true);
    panel.replicate = [5];
    later.dataChanged('table');
    await settled(later);
    assert.equal(panel.requests.at(-1)?.paired, true);
  });

  it('finds out which columns have roles also where the filters or a choice change meanwhile', async () => {
    for (const change of [
      (model: CompareModel) => model.dataChanged('filters'),
      (model: CompareModel) => model.choose({ scale: 'ratio' }),
    ]) {
      const model = make();
      model.open();
      change(model);
      await settled(model);
      assert.deepEqual(model.studyColumns.peek()?.condition, [4]);
      assert.equal(model.shown.peek()?.compared, compared);
    }
  });

  it('saves each choice at once, by the names of columns', () => {
    const model = make();
    model.choose({ measure: { kind: 'class', value: 'Mitotic' }, condition: 'Class' });
    assert.deepEqual(saved.at(-1)?.measure, { kind: 'class', value: 'Mitotic' });
    assert.deepEqual(saved.at(-1)?.condition, 'Class');
    assert.deepEqual(make(saved.at(-1)).condition, 2);
  });

  it('gives the keyboard to the rows where it is left, not where something else takes its place', async () => {
    const model = make();
    model.open();
    model.close();
    assert.deepEqual([saved.at(-1)?.open, entered], [false, 0]);
    model.open();
    await settled(model);
    model.leave();
    assert.deepEqual([saved.at(-1)?.open, entered], [false, 1]);
  });

  it('compares by choices as they were, all of them, and opens for that', async () => {
    const model = make();
    model.open();
    await settled(model);
    model.choose({ scale: 'ratio', reference: 'control' });
    await settled(model);
    model.close();
    model.restore({ scale: 'difference', mean: 'images', measure: { kind: 'objectsPerImage' } });
    await settled(model);
    const { reference, scale, mean, measure } = panel.requests.at(-1) ?? ({} as ComparisonParams);
    assert.deepEqual([reference, scale, mean], [undefined, 'difference', 'images']);
    assert.deepEqual(measure, { kind: 'objectsPerImage', per: 'image' });
    assert.deepEqual(saved.at(-1), model.state.peek());
    assert.equal(saved.at(-1)?.open, true);
  });

  it('keeps what is chosen of columns that are renamed', () => {
    const model = make();
    model.choose({ condition: 'Treatment', replicate: ['Donor'] });
    model.choose({ paired: true });
    model.columnsRenamed(new Map([['Donor', 'Patient']]));
    assert.deepEqual(saved.at(-1)?.replicate, ['Patient']);
    assert.deepEqual(saved.at(-1)?.pairedOf, ['Treatment', 'Patient']);
    const { length } = saved;
    model.columnsRenamed(new Map([['Class', 'Type']]));
    assert.equal(saved.length, length);
  });

  it('makes a share of a class, and of a range', async () => {
    const model = make();
    model.open();
    await settled(model);
    model.choose({ measure: { kind: 'class', value: 'Mitotic' } });
    await settled(model);
    const ofClass = panel.requests.at(-1)?.measure;
    assert.deepEqual(ofClass, { kind: 'share', of: [{ kind: 'values', column: 2, values: ['Mitotic'] }] });
    model.choose({ measure: { kind: 'range', name: 'Area', from: 120, to: null } });
    await settled(model);
    const ofRange = panel.requests.at(-1)?.measure;
    assert.deepEqual(ofRange, { kind: 'share', of: [{ kind: 'range', column: 3, from: 120, to: null }] });
  });

  it('makes a share of a population, which follows its name', async () => {
    sets.value = [{ name: 'Large and mitotic', columns: ['Area'] }];
    const model = make();
    model.open();
    await settled(model);
    model.choose({ measure: { kind: 'filter', name: 'Large and mitotic' } });
    await settled(model);
    const share = (name: string) => ({ kind: 'share', of: [{ kind: 'population', name }] });
    assert.deepEqual(panel.requests.at(-1)?.measure, share('Large and mitotic'));
    sets.value = [{ name: 'Big', columns: ['Area'] }];
    model.populationsChanged({ from: 'Large and mitotic', to: 'Big' });
    await settled(model);
    assert.deepEqual(saved.at(-1)?.measure, { kind: 'filter', name: 'Big' });
    assert.deepEqual(panel.requests.at(-1)?.measure, share('Big'));
    // Of what is no more there is no share: the measure to begin with is shown.
    sets.value = [];
    model.populationsChanged();
    await settled(model);
    assert.deepEqual(panel.requests.at(-1)?.measure, { kind: 'column', column: 3 });
  });

  it('measures means and numbers of a population, of which a range can be filtered to', async () => {
    sets.value = [{ name: 'Large', columns: ['Area'] }];
    const model = make();
    model.open();
    await settled(model);
    const of = (name: string) => [{ kind: 'population', name }];
    model.choose({ measure: { kind: 'column', name: 'Area', population: 'Large' } });
    await settled(model);
    assert.deepEqual(panel.requests.at(-1)?.measure, { kind: 'column', column: 3, of: of('Large') });
    const range = { kind: 'range', from: 1, to: 2 } as const;
    model.select(range);
    assert.deepEqual(model.selected.value, range);
    assert.deepEqual(model.filtersOf(range), [{ population: 'Large' }, { column: 3, from: 1, to: 2 }]);
    sets.value = [{ name: 'Big', columns: ['Area'] }];
    model.populationsChanged({ from: 'Large', to: 'Big' });
    await settled(model);
    assert.deepEqual(saved.at(-1)?.measure, { kind: 'column', name: 'Area', population: 'Big' });
    model.choose({ measure: { kind: 'objectsPerImage', per: 'area', population: 'Big' } });
    await settled(model);
    const perArea = { kind: 'objectsPerImage', per: 'area', of: of('Big') };
    assert.deepEqual(panel.requests.at(-1)?.measure, perArea);
    assert.equal(model.isShare, false);
  });

  it('follows the filters, but those to one condition or replicate, which leave the others for comparison', async () => {
    const model = make();
    model.open();
    await settled(model);
    const area: Filter = { kind: 'range', column: 3, from: 1, to: 5 };
    const two: Filter = { kind: 'values', column: 4, values: ['control', 'treated'] };
    const without: Filter = { kind: 'values', column: 5, values: ['d1'], exclude: true };
    filters = [area, two, without, { kind: 'values', column: 4, values: ['control'] }];
    model.dataChanged('filters');
    await settled(model);
    assert.deepEqual(panel.requests.at(-1)?.filters, [area, two, without]);
    const before = panel.requests.length;
    model.dataChanged('sort');
    model.close();
    model.dataChanged('filters');
    assert.equal(panel.requests.length, before);
  });

  it('ignores a filter to one condition in all ways in which it is written, and says which it ignores', async () => {
    const model = make();
    model.open();
    await settled(model);
    const treated: Filter = { kind: 'values', column: 4, values: ['treated', 'treated '] };
    const ten: Filter = { kind: 'values', column: 5, values: ['10', '10.0'] };
    const two: Filter = { kind: 'values', column: 4, values: ['control', 'treated'] };
    const open: Filter = { kind: 'range', column: 4, from: null, to: null };
    filters = [treated, ten, two, open];
    model.dataChanged('filters');
    await settled(model);
    assert.deepEqual(panel.requests.at(-1)?.filters, [two, open]);
    assert.deepEqual(model.shown.peek()?.ignored, [treated, ten]);
  });

  it('selects a part of the plot, which filters nothing, and knows the filters to it', async () => {
    const alike = [{ column: 4, value: 'treated', others: ['treated ', ' treated'] }];
    const one = { images: 1, objects: 1, value: 1 };
    panel.response = { ...compared, alike, replicates: [{ condition: 'treated', name: ['d1'], ...one }] };
    const model = make();
    model.open();
    await settled(model);
    const before = panel.requests.length;
    const part = { kind: 'condition', condition: 'treated' } as const;
    model.select(part);
    assert.deepEqual(model.selected.value, part);
    const ofCondition = { column: 4, values: ['treated', 'treated ', ' treated'] };
    assert.deepEqual(model.filtersOf(part), [ofCondition]);
    const replicate = { kind: 'replicate', condition: 'treated', name: ['d1'] } as const;
    model.select(replicate);
    assert.deepEqual(model.filtersOf(replicate), [ofCondition, { column: 5, values: ['d1'] }]);
    model.select(replicate);
    assert.equal(model.selected.value, undefined);
    const range = { kind: 'range', from: 2, to: 5 } as const;
    model.select(range);
    assert.deepEqual(model.filtersOf(range), [{ column: 3, from: 2, to: 5 }]);
    assert.equal(panel.requests.length, before);
    // Of another measure it isn't, and what is gone isn't selected.
    model.choose({ measure: { kind: 'objectsPerImage' } });
    await settled(model);
    assert.equal(model.selected.value, undefined);
    model.select(replicate);
    panel.response = compared;
    model.dataChanged('filters');
    await settled(model);
    assert.equal(model.selected.value, undefined);
  });

  it('asks again what was answered only where a person wants to, and no more once it is', async () => {
    const model = make();
    model.open();
    await settled(model);
    model.choose({ paired: true });
    // What is shown until then was tested without pairs.
    assert.equal(model.asksAboutNames, true);
    await settled(model);
    assert.equal(model.asksAboutNames, false);
    model.reopenQuestion();
    assert.deepEqual([model.isQuestionReopened.peek(), model.paired], [true, true]);
    model.choose({ paired: false });
    assert.deepEqual([model.isQuestionReopened.peek(), model.paired], [false, false]);
  });

  it('keeps changes of the figure, of what they are about, without comparing anew', async () => {
    const model = make();
    model.open();
    await settled(model);
    const before = panel.requests.length;
    model.rename('title', 'Area by Treatment', '  Nuclei grow ');
    model.recolor('["d1"]', '#123456');
    model.move('treated', -1);
    model.editFigure({ size: 'slide' });
    assert.deepEqual(saved.at(-1)?.figure, {
      words: { 'title Area by Treatment': 'Nuclei grow' },
      colors: { '["d1"]': '#123456' },
      order: ['treated', 'control', 'other'],
      size: 'slide',
    });
    assert.equal(model.shown.value?.figure, saved.at(-1)?.figure);
    // What it was is no change, and nothing is kept of none.
    const { figure } = saved.at(-1) ?? {};
    model.rename('title', 'Area by Treatment', 'Area by Treatment');
    model.recolor('["d1"]', undefined);
    model.editFigure({ order: undefined, size: undefined });
    assert.equal(saved.at(-1)?.figure, undefined);
    // As undo brings it back.
    model.restore({ scale: 'difference', mean: 'objects', figure });
    await settled(model);
    assert.deepEqual([saved.at(-1)?.figure, panel.requests.length], [figure, before]);
  });

  it('shows why there is nothing, and compares again', async () => {
    const model = make();
    panel.failure = new CodedError('bad-request', 'No');
    model.open();
    await settled(model);
    assert.match(model.failure.peek() ?? '', /No/);
    assert.equal(model.shown.peek(), undefined);
    panel.failure = undefined;
    await model.start();
    assert.equal(model.failure.peek(), undefined);
    assert.equal(model.shown.peek()?.compared, compared);
  });

  it('compares nothing without a column of conditions', async () => {
    panel.condition = [];
    const model = make();
    model.open();
    await settled(model);
    assert.deepEqual([panel.requests.length, model.condition, model.shown.peek()], [0, undefined, undefined]);
    assert.ok(model.studyColumns.peek());
  });

  it('asks once more after rows that came while it was comparing', async () => {
    const model = make();
    panel.waiting = [];
    model.open();
    while (panel.waiting.length === 0) await Promise.resolve();
    for (let rows = 0; rows < 5; rows++) model.dataChanged('table');
    const { waiting } = panel;
    panel.waiting = undefined;
    for (const go of waiting) go();
    while (panel.requests.length < 2) await Promise.resolve();
    await settled(model);
    assert.equal(panel.requests.length, 2);
  });
});
