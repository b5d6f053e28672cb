import { strict as assert } from 'node:assert';
import { applyEdits, type ImageEdit } from '../../../../src/study/imageEdits';
import type { JoinAgain, ShownImageColumns, ShownSheet } from '../../../../src/study/imageRequests';
import { cellsOfText, ImageColumnsModel } from '../../../../src/study/page/imageColumnsModel';

const images = ['control/d1_s1.tif', 'control/d2_s1.tif', 'treated/d1_s1.tif', 'treated/d2_s1.tif'];

describe('The sheet of images', () => {
  let stored: ShownImageColumns;
  let patterns: string[];
  let sent: ImageEdit[];
  let failures: unknown[];
  let copied: string[];
  let entered: number;
  let compared: number;
  let refusal: Error | undefined;
  let sheet: ShownSheet | null;
  let asked: JoinAgain[];
  let model: ImageColumnsModel;

  beforeEach(async () => {
    stored = { images, columns: [], excluded: [], taken: ['Area'] };
    [patterns, sent, failures, copied, entered, refusal, sheet] = [[], [], [], [], 0, undefined, null];
    compared = 0;
    asked = [];
    model = new ImageColumnsModel({
      panel: {
        imageColumns: () => Promise.resolve(stored),
        editImages: params => {
          if (refusal) return Promise.reject(refusal);
          const { columns } = applyEdits(stored, params.edits, stored.taken);
          stored = { ...columns, taken: stored.taken };
          patterns.push(...params.patterns);
          sent.push(...params.edits);
          return Promise.resolve({});
        },
        joinSampleSheet: ({ again }) => {
          if (again) asked.push(again);
          return Promise.resolve(sheet);
        },
        saveSampleSheet: () => Promise.resolve({ saved: null }),
      },
      isOpen: false,
      save: () => undefined,
      copy: text => copied.push(text),
      onSaved: () => undefined,
      onFailure: error => failures.push(error),
      enterRows: () => entered++,
      enterComparison: () => compared++,
    });
    await model.open();
  });

  afterEach(async () => {
    await model.stored();
    const { images: paths, columns, excluded } = stored;
    assert.deepEqual(model.metadata.peek(), { images: paths, columns, excluded });
  });

  const values = (column = 0) => model.metadata.peek()?.columns[column]?.values.join();
  const names = () => model.metadata.peek()?.columns.map(({ name }) => name);

  it('proposes a comparison by the conditions that folders tell, and one click adds its columns', () => {
    const proposed = model.comparison.value;
    assert.deepEqual(
      [proposed?.conditions, proposed?.replicate, proposed?.replicates],
      [['control', 'treated'], ['Donor'], ['d1', 'd2']],
    );
    model.acceptComparison();
    assert.deepEqual(
      model.metadata.peek()?.columns.map(({ name, role }) => [name, role]),
      [
        ['Condition', 'condition'],
        ['Donor', 'replicate'],
      ],
    );
    assert.equal(model.comparison.value, undefined);
  });

  it('goes back to the rows, and to a comparison where it was opened from one', async () => {
    model.leave();
    assert.deepEqual([entered, compared], [1, 0]);
    await model.open(true);
    assert.equal(model.isFromComparison.peek(), true);
    model.leave();
    assert.deepEqual([entered, compared, model.isFromComparison.peek()], [1, 1, false]);
    await model.open();
    model.leave();
    assert.deepEqual([entered, compared], [2, 1]);
  });

  it('proposes columns, which one click adds and another takes back', () => {
    assert.equal(model.proposed.value?.pattern, '{Condition}/{Donor}_s1.tif');
    model.acceptProposal();
    assert.deepEqual(names(), ['Condition', 'Donor']);
    assert.equal(model.proposed.value, undefined);
    model.undo();
    assert.deepEqual(names(), []);
    model.redo();
    assert.equal(values(1), 'd1,d2,d1,d2');
  });

  it('remembers patterns for images that come later', async () => {
    model.acceptProposal();
    await model.stored();
    assert.deepEqual(patterns, ['{Condition}/{Donor}_s1.tif']);
    // Nothing is stored without columns, patterns neither.
    model.undo();
    model.redo();
    await model.stored();
    assert.deepEqual(patterns, ['{Condition}/{Donor}_s1.tif', '{Condition}/{Donor}_s1.tif']);
  });

  it('remembers a pattern by the names that its columns have', async () => {
    model.openPattern();
    model.type('{area}/{Donor}_s1.tif');
    const typed = model.typed.value;
    assert.ok(typed && 'columns' in typed);
    assert.equal(typed.columns[0]?.name, 'area (image)');
    model.applyPattern();
    await model.stored();
    assert.deepEqual(names(), ['area (image)', 'Donor']);
    assert.deepEqual(patterns, ['{area (image)}/{Donor}_s1.tif']);
  });

  it('is typed in cell by cell', () => {
    model.addColumn('Drug');
    model.edit('x');
    model.commit();
    model.goTo({ row: 1, column: 0 });
    model.edit('y');
    model.cancel();
    model.edit('z ');
    model.commit();
    assert.equal(values(), 'x,z,,');
    model.undo();
    assert.equal(values(), 'x,,,');
    assert.deepEqual(failures, []);
  });

  it('takes what a spreadsheet copied, as far as it has cells', () => {
    model.addColumn('Drug');
    model.addColumn('Dose');
    model.goTo({ row: 2, column: 0 });
    model.paste('a\t007\r\n"b ""c"""\t\nlost\tlost\n');
    assert.deepEqual([values(0), values(1)], [',,a,b "c"', ',,007,']);
    model.undo();
    assert.equal(values(0), ',,,');
  });

  it('fills all selected cells with one, or down', () => {
    model.addColumn('Drug');
    model.goTo({ row: 3, column: 0 }, true);
    model.paste('-Dox');
    assert.equal(values(), '-Dox,-Dox,-Dox,-Dox');
    model.goTo({ row: 0, column: 0 });
    model.edit('+IL2');
    model.commit();
    model.goTo({ row: 2, column: 0 }, true);
    model.fillDown();
    assert.equal(values(), '+IL2,+IL2,+IL2,-Dox');
    model.copy();
    assert.deepEqual(copied, ['+IL2\n+IL2\n+IL2']);
    model.goTo({ row: 3, column: 0 });
    model.fillDown();
    model.clear();
    assert.equal(values(), '+IL2,+IL2,+IL2,');
  });

  it('shows what a pattern gives while it is typed, and what is wrong with it', () => {
    model.openPattern();
    assert.equal(model.pattern.value, '{Condition}/{Donor}_s1.tif');
    const typed = (text: string) => {
      model.type(text);
      const found = model.typed.value;
      return found && 'problem' in found ? found.problem.message : found?.unmatched.length;
    };
    assert.equal(typed('{a'), 'A brace is unmatched. Write a field as {0}');
    assert.equal(typed('{a}.png'), 'The pattern matches no image');
    model.applyPattern();
    assert.deepEqual(names(), []);
    assert.equal(typed('control/{Area}_*'), 2);
    model.applyPattern();
    assert.deepEqual([names(), values()], [['Area (image)'], 'd1,d2,,']);
    assert.equal(model.pattern.value, undefined);
  });

  it('changes nothing before a sheet that was read is joined', async () => {
    sheet = {
      name: 'samples.csv',
      header: ['Image', 'Dose'],
      key: { column: 0, names: 'images' },
      rivals: [],
      columns: [{ name: 'Dose', values: ['0', '0', '10', ''] }],
      excluded: [{ image: 3, reason: 'Blurred' }],
      renamed: [],
      rows: [],
      spelled: [],
      images: [],
    };
    await model.joinSheet();
    assert.deepEqual(names(), []);
    await model.joinSheet({ isHeaderFirst: true });
    assert.deepEqual([names(), asked], [[], [{ isHeaderFirst: true }]]);
    model.applySheet();
    assert.deepEqual(values(), '0,0,10,');
    assert.deepEqual(model.metadata.peek()?.excluded, sheet.excluded);
    model.undo();
    assert.deepEqual([names(), model.hasReasons.value], [[], false]);
  });

  it('excludes the images selected, and takes them in again', () => {
    model.goTo({ row: 1, column: 0 });
    model.exclude('Out of focus');
    assert.equal(model.textAt({ row: 1, column: 0 }), 'Out of focus');
    model.edit('Empty');
    model.commit();
    assert.deepEqual(model.metadata.peek()?.excluded, [{ image: 1, reason: 'Empty' }]);
    model.exclude('');
    assert.equal(model.hasReasons.value, false);
  });

  it('removes a column again with the values that it then has, each time by another number', async () => {
    model.acceptProposal();
    model.removeColumn(1);
    model.undo();
    await model.stored();
    // More images are read: the undone column has values of them.
    const [folder, donor] = stored.columns;
    assert.ok(folder && donor);
    const more = { ...folder, values: [...folder.values, 'later'] };
    stored = { ...stored, images: [...images, 'later/d7_s1.tif'] };
    stored = { ...stored, columns: [more, { ...donor, values: [...donor.values, 'd7'] }] };
    model.changed(stored);
    model.redo();
    model.undo();
    assert.equal(values(1), 'd1,d2,d1,d2,d7');
    await model.stored();
    const removals = sent.flatMap(edit =>
      edit.kind === 'remove' || edit.kind === 'insert' ? edit.removal : [],
    );
    assert.deepEqual(removals, [undefined, undefined, 1, 1, 2, 2]);
  });

  it('refuses a role and a name with the reason', () => {
    model.acceptProposal();
    assert.equal(model.whyNotNamed(0, 'area')?.message, 'Another column is already called "{0}"');
    assert.equal(model.whyNotNamed(0, 'folder'), undefined);
    model.setRole(1, 'well');
    model.setNumeric(0, true);
    model.setReference(0, undefined);
    const { role, isNumeric, reference } = model.metadata.peek()?.columns[0] ?? { values: [], name: '' };
    assert.deepEqual([role, isNumeric, reference], ['condition', true, undefined]);
    for (let step = 0; step < 4; step++) model.undo();
    assert.deepEqual(names(), []);
  });

  it('is as it was stored where storing fails, and says so', async () => {
    model.acceptProposal();
    await model.stored();
    refusal = new Error('The disk is full');
    model.removeColumn(0);
    assert.deepEqual(names(), ['Donor']);
    await model.stored();
    assert.deepEqual(names(), ['Condition', 'Donor']);
    assert.deepEqual(failures, [refusal]);
    assert.equal(model.canUndo.value, false);
  });

  it('follows changes made elsewhere, but not while its own are under way', async () => {
    const elsewhere = { ...stored, columns: [{ name: 'Drug', values: ['a', 'b', 'c', 'd'] }] };
    model.addColumn('Note');
    model.changed(elsewhere);
    assert.deepEqual(names(), ['Note']);
    await model.stored();
    model.undo();
    await model.stored();
    stored = elsewhere;
    model.changed(elsewhere);
    assert.deepEqual(names(), ['Drug']);
    assert.equal(model.canRedo.value, false);
  });

  it('forgets its steps where columns got the names of each other elsewhere', async () => {
    model.acceptProposal();
    model.edit('x');
    model.commit();
    await model.stored();
    const [condition, donor] = stored.columns;
    assert.ok(condition && donor);
    const swapped = [
      { ...donor, name: condition.name, id: donor.name },
      { ...condition, name: donor.name, id: condition.name },
    ];
    stored = { ...stored, columns: swapped };
    model.changed(stored);
    model.undo();
    await model.stored();
    assert.deepEqual([values(0), values(1)], ['d1,d2,d1,d2', 'x,control,treated,treated']);
    assert.equal(model.canUndo.value, false);
  });

  it('gives the keyboard to the rows where it is left, not where something else takes its place', async () => {
    model.addColumn('Drug');
    await model.stored();
    model.edit('trea');
    model.close();
    assert.deepEqual([model.isOpen.value, model.typing.value, entered], [false, undefined, 0]);
    await model.open();
    model.leave();
    assert.deepEqual([model.isOpen.value, entered], [false, 1]);
  });

  it('keeps what is typed and selected while more images and columns come, and drops it where its column goes', async () => {
    model.addColumn('Drug');
    await model.stored();
    model.goTo({ row: 1, column: 0 });
    model.edit('trea');
    const more = [...images, 'treated/d3_s1.tif'];
    stored = { ...stored, images: more, columns: [{ name: 'Drug', values: more.map(() => '') }] };
    model.changed(stored);
    assert.equal(model.typing.value, 'trea');
    model.commit();
    assert.equal(values(), ',trea,,,');
    model.goTo({ row: 0, column: 0 });
    model.goTo({ row: 2, column: 0 }, true);
    await model.stored();
    model.changed(stored);
    assert.deepEqual(model.selected.value, { top: 0, bottom: 2, left: 0, right: 0 });
    model.edit('control');
    stored = { ...stored, columns: [{ name: 'Day', values: more.map(() => '') }, ...stored.columns] };
    model.changed(stored);
    assert.deepEqual([model.typing.value, model.active.value.column], ['control', 1]);
    const renamed = { name: 'Treatment', values: more.map(() => '') };
    stored = { ...stored, columns: [...stored.columns.slice(0, 1), renamed] };
    model.changed(stored);
    assert.deepEqual([model.typing.value, model.active.value.column], ['control', 1]);
    stored = { ...stored, columns: stored.columns.slice(0, 1) };
    model.changed(stored);
    assert.deepEqual([model.typing.value, model.active.value.column], [undefined, 0]);
  });

  it('keeps what is typed as a reason while columns come, until no image is excluded', async () => {
    model.exclude('Blurred');
    await model.stored();
    model.goTo({ row: 0, column: 0 });
    model.edit('Out of focus');
    stored = { ...stored, columns: [{ name: 'Day', values: images.map(() => '') }] };
    model.changed(stored);
    assert.deepEqual([model.typing.value, model.active.value.column], ['Out of focus', 1]);
    stored = { ...stored, excluded: [] };
    model.changed(stored);
    assert.deepEqual([model.typing.value, model.active.value.column], [undefined, 0]);
  });

  it('forgets its steps where other columns came while it stored its own', async () => {
    model.addColumn('Note');
    const withOthers = (shown: ShownImageColumns) => {
      return { ...shown, columns: [{ name: 'Drug', values: images.map(() => 'x') }, ...shown.columns] };
    };
    model.changed(withOthers(stored));
    const storing = model.stored();
    stored = withOthers(stored);
    await storing;
    assert.deepEqual(
      names(),
      stored.columns.map(({ name }) => name),
    );
    assert.equal(model.canUndo.value, false);
  });
});

describe('Text from a spreadsheet', () => {
  it('is cells in lines, with line breaks in quotes', () => {
    assert.deepEqual(cellsOfText('a\tb\nc'), [['a', 'b'], ['c']]);
    assert.deepEqual(cellsOfText('"a\nb"\t"say ""x"""\n'), [['a\nb', 'say "x"']]);
    assert.deepEqual(cellsOfText('5" disk\t\n\t'), [
      ['5" disk', ''],
      ['', ''],
    ]);
    assert.deepEqual(cellsOfText(''), [['']]);
  });
});
