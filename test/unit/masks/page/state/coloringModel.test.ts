import { deepEqual, equal } from 'node:assert/strict';
import { ColoringModel } from '../../../../../src/masks/page/state/coloringModel';
import {
  CurrentLook,
  type MasksViewState,
  restoreLook,
} from '../../../../../src/masks/page/state/masksViewState';
import { fakePanel, shownImages } from './fakePanel';
import { settled } from './pageStore';

const classes = [
  { name: 'Nucleus', count: 3 },
  { name: 'Debris', count: 1 },
];
const byArea = { kind: 'measure', measure: 'area' } as const;
const byColumn = { kind: 'column', column: 2, name: 'Score' } as const;

/**
 * The coloring of two images of four objects; areas are 1, 2, 3 and 4 times ten, and `columns` are
 * those of the table.
 */
function coloring(view: Partial<MasksViewState> = {}, columns = [{ column: 2, name: 'Score' }]) {
  const state = { fails: false, color: '#ff0000' };
  const fake = fakePanel(
    {
      objectColumns: () => ({ columns, hasPopulations: true }),
      objectPopulations: ({ from = 0 }: { from?: number }) => ({
        populations: [
          { path: ['Cells'], color: state.color, count: 3 },
          { path: ['Cells', 'Large'], color: '#00ff00', hidden: true, count: 1 },
        ],
        places: Uint16Array.of(1, 0, 1, 0).slice(from, from + 3).buffer,
        total: 4,
      }),
      objectAreas: () => ({ areas: Uint8Array.of(10, 20, 30, 40).buffer, kind: 'uint8', from: 0, count: 4 }),
      objectValues: () => {
        if (state.fails) throw new Error('No table');
        return { values: Float64Array.of(1, 2, NaN, 4).buffer, total: 4 };
      },
      valueScale: () => ({ min: 0, max: 8, counts: Uint32Array.of(1, 1).buffer }),
    },
    view,
  );
  const { image, images, scene, show } = shownImages(4, 4);
  const look = new CurrentLook({
    ...fake,
    look: restoreLook(view, classes, {}, 0.5),
    isHidden: false,
    classes,
  });
  const model = new ColoringModel({
    ...{ ...fake, image, look, classCount: classes.length },
    withoutUndo: change => change(),
  });
  return { ...fake, state, image, images, scene, show, look, model };
}

describe('what objects are colored by', () => {
  it('is loaded for the image shown, and saved at once without the range that was set for what it was before', async () => {
    const { model, look, done, image } = coloring({ range: { low: 1, high: 2 } });
    model.colorBy(byArea);
    deepEqual(done[0], { colorBy: byArea, range: null });
    equal(look.current.value.colorBy, byArea);
    deepEqual([model.scale.value], [undefined]);
    await settled();
    const scale = model.scale.value;
    deepEqual([scale?.colorBy, scale?.min, scale?.max], [byArea, 10, 40]);
    equal(model.values.value.scene, image.scene.value);
  });

  it('keeps the scale of what it was before until the values are there', async () => {
    const { model } = coloring();
    model.colorBy(byArea);
    await settled();
    await model.linked();
    model.colorBy(byColumn);
    equal(model.scale.value?.colorBy, byArea);
    await settled();
    deepEqual([model.scale.value?.colorBy, model.scale.value?.max], [byColumn, 8]);
  });

  it('has the range that the user set, and the usual one again', async () => {
    const { model, done } = coloring();
    model.colorBy(byArea);
    await settled();
    const usual = model.scale.value?.range;
    model.setRange({ low: 15, high: 20 });
    deepEqual(done.at(-1), { colorBy: byArea, range: { low: 15, high: 20 } });
    deepEqual(
      [model.scale.value?.range, model.values.value.range],
      [
        { low: 15, high: 20 },
        { low: 15, high: 20 },
      ],
    );
    model.setRange(undefined);
    deepEqual(model.scale.value?.range, usual);
  });

  it('has another scale only where its values or its color map are others', async () => {
    const { model, look } = coloring();
    model.colorBy(byArea);
    await settled();
    const scales: unknown[] = [];
    model.scale.subscribe(scale => scales.push(scale?.colorMap));
    look.change({ opacity: 0.1 });
    model.setColorMap('turbo');
    deepEqual(scales, ['viridis', 'turbo']);
  });

  it('is the column of the saved name, wherever it stands now, and classes where there is none', async () => {
    const view = { colorBy: { kind: 'column', column: 7, name: 'Score' } } as const;
    const { model, look } = coloring(view);
    await model.linked();
    deepEqual(look.current.value.colorBy, byColumn);
    const other = coloring(view, []);
    await other.model.linked();
    deepEqual(other.look.current.value.colorBy, { kind: 'class' });
    equal(model.values.value.values?.length, 4);
  });

  it('says why values could not be loaded, until they are', async () => {
    const { model, state, done } = coloring({ colorBy: byColumn });
    state.fails = true;
    await model.linked();
    deepEqual([model.values.value.failure, model.scale.value], ['No table', undefined]);
    deepEqual(done.at(-1), ['failure', { message: 'No table' }]);
    state.fails = false;
    await model.load();
    deepEqual([model.values.value.failure, model.scale.value?.max], [undefined, 8]);
  });

  it('is the populations of the table once rows are linked, and anew when these change', async () => {
    const { model, state, done } = coloring({ colorBy: { kind: 'population' } });
    await model.load();
    deepEqual([model.values.value.values, model.hasPopulations.value], [undefined, false]);
    await model.linked();
    const { values, populations } = model.values.value;
    deepEqual([...(values ?? [])], [1, 0, 1, 0]);
    deepEqual(
      populations?.map(({ path, color, isHidden, count }) => [path.join('/'), color, isHidden, count]),
      [
        ['Cells', [255, 0, 0], false, 3],
        ['Cells/Large', [0, 255, 0], true, 1],
      ],
    );
    deepEqual([model.hasPopulations.value, model.scale.value], [true, undefined]);
    state.color = '#0000ff';
    const revision = model.populationsRevision.value;
    await model.populationsChanged();
    deepEqual(model.values.value.populations?.[0]?.color, [0, 0, 255]);
    equal(model.populationsRevision.value, revision + 1);
    // While it is being loaded anew, of several changes only the last one counts.
    const asked = () => done.filter(each => Array.isArray(each) && each[0] === 'objectPopulations').length;
    const before = asked();
    const following = model.populationsChanged();
    for (let change = 0; change < 9; change++) void model.populationsChanged();
    await following;
    equal(asked() - before, 4, 'two parts, twice');
  });

  it('has nothing of an image that is no longer shown', async () => {
    const { model, show } = coloring();
    model.colorBy(byArea);
    const second = show(1);
    await settled();
    equal(model.values.value.scene, undefined);
    await model.objectsLoaded();
    equal(model.values.value.scene, second);
  });
});

describe('the totals of classes', () => {
  it('are those of the archive until objects are known, then of those that match the filter, with their areas', async () => {
    const { model, scene, images } = coloring();
    deepEqual([model.classCounts.value, model.classShares.value], [images[0]?.classCounts, undefined]);
    await model.objectsLoaded();
    const objects = Uint16Array.of(0, 0, 0, 1);
    if (scene) scene.objects.value = { classes: objects };
    deepEqual(
      [model.classCounts.value, model.classShares.value],
      [
        [3, 1],
        [0.6, 0.4],
      ],
    );
    if (scene) scene.matching.value = Uint8Array.of(1, 0, 0, 1);
    deepEqual(
      [model.classCounts.value, model.classShares.value],
      [
        [1, 1],
        [0.1, 0.4],
      ],
    );
  });

  it('are not known of an image that is being read', () => {
    const { model, image, images } = coloring();
    const [first] = images;
    if (first) first.isPartial = true;
    image.changed();
    deepEqual([model.classCounts.value, model.classShares.value], [undefined, undefined]);
  });
});

describe('the classes of the masks', () => {
  it('are hidden, shown alone and shown again, and the panel is told', () => {
    const { look, done } = coloring();
    const hidden = () => [...look.current.value.hidden];
    look.toggleClass(1);
    deepEqual([hidden(), done[0]], [[1], ['visibility', { hiddenClasses: [1] }]]);
    look.toggleOthers(0);
    deepEqual(hidden(), []);
    look.toggleOthers(0);
    deepEqual(hidden(), [1]);
    look.showOnly(1);
    deepEqual(hidden(), [0]);
    look.toggleClasses();
    deepEqual(hidden(), []);
    look.toggleClasses();
    deepEqual(hidden(), [0, 1]);
  });

  it('get other colors, which other results get too', () => {
    const { look, done } = coloring();
    look.setClassColor(1, [9, 9, 9]);
    deepEqual(
      [look.classColor('Debris'), done[0]],
      [
        [9, 9, 9],
        ['classColors', { Debris: '#090909' }],
      ],
    );
  });
});
