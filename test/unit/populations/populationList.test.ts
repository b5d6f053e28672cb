import { deepEqual, equal } from 'node:assert/strict';
import type { TableColumn } from '../../../src/columns/tableSummary';
import type { Gate } from '../../../src/populations/gate';
import { classColor, classColorOnLight, toHex } from '../../../src/base/colors';
import { type Population, populationColors } from '../../../src/populations/population';
import { withRenamedColumns } from '../../../src/populations/renamedPopulations';
import {
  freeName,
  gateOfFilters,
  inTreeOrder,
  moved,
  parentsFor,
  restyled,
  renamed,
  reordered,
  withDescendants,
  without,
} from '../../../src/populations/populationList';

const large: Gate = { kind: 'range', column: 'Area', from: 4 };
const all: Population[] = [
  { name: 'Inner', parent: 'Cells', gate: large },
  { name: 'Cells', color: '#112233', gate: large },
  {
    name: 'Rest',
    gate: { kind: 'not', gate: { kind: 'any', gates: [{ kind: 'population', name: 'cells' }] } },
  },
  { name: 'Lost', parent: 'Gone', gate: large },
];

describe('A list of populations', () => {
  it('is a tree in which those without their parent come too', () => {
    deepEqual(
      inTreeOrder(all).map(({ population, level }) => [population.name, level]),
      [
        ['Cells', 1],
        ['Inner', 2],
        ['Rest', 1],
        ['Lost', 1],
      ],
    );
  });

  it('has colors by place, but for those that a person gave', () => {
    const others = (colorAt: typeof classColor) => [0, 2, 3].map(place => toHex(colorAt(place)));
    const [first, given, ...last] = populationColors(all);
    deepEqual([first, ...last, given], [...others(classColor), '#112233']);
    deepEqual(populationColors(all, true)[0], others(classColorOnLight)[0]);
  });

  it('has parents and gates that follow a name', () => {
    const [inner, cells, rest] = renamed(all, 'Cells', 'Nuclei');
    deepEqual(
      [inner?.parent, cells?.name, cells?.color, rest?.gate],
      [
        'Nuclei',
        'Nuclei',
        '#112233',
        { kind: 'not', gate: { kind: 'any', gates: [{ kind: 'population', name: 'Nuclei' }] } },
      ],
    );
  });

  it('loses a population with its children, and those whose gates name it stay', () => {
    deepEqual(withDescendants(all, 'cells'), ['Cells', 'Inner']);
    deepEqual(
      without(all, 'Cells').map(({ name }) => name),
      ['Rest', 'Lost'],
    );
  });

  it('lets nothing become a part of what needs it', () => {
    deepEqual(parentsFor(all, 'Cells'), ['Lost']);
    deepEqual(parentsFor(all, 'Lost'), ['Inner', 'Cells', 'Rest']);
    deepEqual(moved(all, 'Inner', undefined)[0], { name: 'Inner', gate: large });
  });

  it('has others in another order, which keep their colors', () => {
    const names = (list: readonly Population[]) => inTreeOrder(list).map(({ population }) => population.name);
    const up = reordered(all, 'Rest', -1);
    deepEqual(names(up), ['Rest', 'Cells', 'Inner', 'Lost']);
    const colorOf = (list: readonly Population[], name: string) =>
      populationColors(list)[list.findIndex(each => each.name === name)];
    for (const { name } of all) equal(colorOf(up, name), colorOf(all, name), name);
    deepEqual(reordered(all, 'Inner', 1), all, 'it has no sibling');
    deepEqual(reordered(all, 'Lost', 1), all);
  });

  it('has those whose names are alike changed by themselves', () => {
    const alike: Population[] = [...all, { name: 'cells', parent: 'Rest', gate: large }];
    deepEqual(withDescendants(alike, 'cells'), ['cells']);
    const [inner, cells, , , other] = renamed(alike, 'cells', 'Others');
    deepEqual([inner?.parent, cells?.name, other?.name], ['Cells', 'Cells', 'Others']);
    const hidden = restyled(alike, 'cells', { hidden: true });
    deepEqual(
      hidden.map(each => each.hidden),
      [undefined, undefined, undefined, undefined, true],
    );
  });

  it('has free names', () => {
    deepEqual([freeName(all, 'New'), freeName(all, ' cells ')], ['New', 'cells 2']);
  });

  it('has gates that follow columns', () => {
    const [inner] = withRenamedColumns(all, new Map([['Area', 'Size']]));
    deepEqual(inner?.gate, { ...large, column: 'Size' });
  });
});

describe('The gate of filters', () => {
  const columns: TableColumn[] = ['Area', 'X', 'X'].map((name, index) => ({ index, name, kind: 'number' }));
  const lasso = { x: 0, y: 1, polygon: [1, 2, 3, 4, 5, 6], scales: ['log', 'linear'] as ['log', 'linear'] };

  it('names columns, where that is certain, and has what was drawn, on its axes', () => {
    const drawn: Gate = {
      kind: 'polygon',
      ...{ x: 'Area', y: 1, scales: ['log', 'linear'] },
      points: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    };
    deepEqual(gateOfFilters([{ filter: { kind: 'rowSet', set: 1 }, lasso }], columns), {
      gate: drawn,
      parent: undefined,
    });
    deepEqual(
      gateOfFilters(
        [
          { filter: { kind: 'population', name: 'Cells' } },
          { filter: { kind: 'rowSet', set: 1, exclude: true }, lasso },
          { filter: { kind: 'missing', column: 0, missing: false } },
        ],
        columns,
      ),
      {
        gate: {
          kind: 'all',
          gates: [
            { kind: 'not', gate: drawn },
            { kind: 'missing', column: 'Area', missing: false },
          ],
        },
        parent: 'Cells',
      },
    );
  });

  it('is none of objects selected on the masks, and of a population alone', () => {
    const selected = { filter: { kind: 'rowSet', set: 1 } } as const;
    const ofColumn = { filter: { kind: 'missing', column: 0, missing: false } } as const;
    equal(gateOfFilters([selected], columns), undefined);
    equal(gateOfFilters([ofColumn, selected], columns), undefined);
    equal(gateOfFilters([{ filter: { kind: 'population', name: 'Cells' } }], columns), undefined);
  });
});
