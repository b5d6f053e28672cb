import { deepEqual, equal, rejects } from 'node:assert/strict';
import { type ResolvedPopulation, PopulationTree } from '../../../../src/populations/engine/populationTree';
import { rowList } from '../../../../src/populations/engine/rowBits';
import type { Gate } from '../../../../src/populations/gate';
import type { Population } from '../../../../src/populations/population';
import type { TableSource } from '../../../../src/columns/engine/read/tableSource';
import { JoinedTable } from '../../../../src/columns/engine/read/joinedTable';
import { TableTexts } from '../../columns/engine/tableTexts';

const texts = new TableTexts();
const above = (from: number, column = 'a'): Gate => ({ kind: 'range', column, from });

/**
 * Rows 0 to 9 with numbers 0 to 9, but that of row 3, which is missing; 40 more make more than a
 * word of bits.
 */
async function treeOf(definitions: Population[], extra = 0) {
  const rows = Array.from({ length: 10 + extra }, (_, at) => `${at === 3 ? '' : at},${at % 2},t${at}`);
  const { table } = await texts.view(`a,b,c\n${rows.join('\n')}\n`);
  const tree = new PopulationTree(() => table);
  tree.set(definitions);
  return { tree, table };
}

const rowsOf = ({ name, result }: ResolvedPopulation) => [
  name,
  'problem' in result ? result.problem.kind : [...rowList(result.rows)],
];

describe('A tree of populations', () => {
  before(() => texts.start());
  after(() => texts.end());

  it('has parts of parents, and what is missing is in neither a gate nor its opposite', async () => {
    const { tree } = await treeOf([
      { name: 'Above 2', gate: above(2) },
      { name: 'Odd', parent: 'above 2', gate: { kind: 'values', column: 'b', values: ['1'] } },
      { name: 'Rest', gate: { kind: 'not', gate: above(2) } },
    ]);
    deepEqual((await tree.resolved()).map(rowsOf), [
      ['Above 2', [2, 4, 5, 6, 7, 8, 9]],
      ['Odd', [5, 7, 9]],
      ['Rest', [0, 1]],
    ]);
    const { parentCount, missing } = await tree.rowsOf('Rest');
    deepEqual([parentCount, missing, (await tree.rowsOf('ODD')).parentCount], [10, 1, 7]);
  });

  it('is of all jobs in a table that is joined of theirs, as of one', async () => {
    const joined = new JoinedTable(
      [
        { table: await texts.table('a,c\n1,x\n2,y\n3,x\n'), label: 'Job 1' },
        { table: await texts.table('c,a\nx,4\ny,\nx,10\n'), label: 'Job 2' },
      ],
      'Job',
    );
    const tree = new PopulationTree(() => joined);
    const mean = { kind: 'statistic', center: 'mean', spread: 'sd', factor: 0, side: 'above' } as const;
    tree.set([
      { name: 'X', gate: { kind: 'values', column: 'c', values: ['x'] } },
      // The mean of 1, 3, 4 and 10.
      { name: 'Above mean', parent: 'X', gate: { ...mean, column: 'a', of: 'parent' } },
      { name: 'Job 2', gate: { kind: 'values', column: 'Job', values: ['Job 2'] } },
    ]);
    deepEqual((await tree.resolved()).map(rowsOf), [
      ['X', [0, 2, 3, 5]],
      ['Above mean', [5]],
      ['Job 2', [3, 4, 5]],
    ]);
  });

  it('has thresholds of each image of each job, where several have images of one name', async () => {
    const median = { kind: 'statistic', center: 'median', spread: 'mad', factor: 0, side: 'above' } as const;
    const definitions: Population[] = [
      { name: 'Upper', gate: { ...median, column: 'a', of: 'image' } },
      {
        name: 'Upper half',
        gate: { kind: 'percentile', column: 'a', of: 'image', percent: 50, side: 'above' },
      },
    ];
    const [first, second] = ['image,a\ni,1\ni,2\nj,8\n,5\n', 'image,a\ni,10\ni,20\nj,8\n'];
    const parts = [
      { table: await texts.table(first), label: 'Job 1' },
      { table: await texts.table(second), label: 'Job 2' },
    ];
    const rowsIn = async (table: TableSource) => {
      const tree = new PopulationTree(() => table);
      tree.set(definitions);
      return (await tree.resolved()).map(rowsOf);
    };
    deepEqual(await rowsIn(new JoinedTable(parts, 'Job')), [
      ['Upper', [1, 2, 5, 6]],
      ['Upper half', [1, 2, 5, 6]],
    ]);
    // In a file of its own, a column of that name is one of many.
    const { table } = await texts.view(`Job,image,a\nA,i,1\nA,i,2\nB,i,10\nB,i,20\n`);
    deepEqual((await rowsIn(table))[0], ['Upper', [2, 3]]);
  });

  it('has the points in a polygon, however large its numbers are, and however far others are from it', async () => {
    const [x, step] = [2 ** 60, 256];
    const square: Gate = {
      kind: 'polygon',
      ...{ x: 'x', y: 'y' },
      points: [
        [x, 0],
        [x + step, 0],
        [x + step, 8],
        [x, 8],
      ],
    };
    const points = [
      [x, 5],
      [x + step, 8],
      [x - step, 5],
      [x + 2 * step, 5],
      [x, -0.5],
      [x, 8.5],
      [1e300, 5],
      [-1e300, 5],
      [x, 1e300],
      ['', 5],
      [0, 5],
    ];
    const text = points.map(([px, py]) => `${typeof px === 'number' ? px.toExponential(17) : px},${py}`);
    const { table } = await texts.view(`x,y\n${text.join('\n')}\n`);
    const tree = new PopulationTree(() => table);
    tree.set([{ name: 'In', gate: square }]);
    const { rows, judged } = await tree.rowsOf('In');
    deepEqual([...rowList(rows)], [0, 1]);
    deepEqual([...rowList(judged)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
  });

  it('computes what changed and what needs it, and nothing else', async () => {
    const definitions: Population[] = [
      { name: 'A', gate: above(1) },
      { name: 'B', parent: 'A', gate: above(2) },
      { name: 'C', parent: 'B', gate: above(3) },
      { name: 'D', parent: 'A', gate: above(4) },
      { name: 'E', gate: { kind: 'any', gates: [{ kind: 'population', name: 'B' }, above(9)] } },
    ];
    const { tree } = await treeOf(definitions, 90);
    await tree.resolved();
    const computed = async (changed: Population[]) => {
      const before = tree.computed;
      tree.set(changed);
      await tree.resolved();
      return tree.computed - before;
    };
    equal(await computed(definitions), 0);
    const moved = definitions.map(each => (each.name === 'B' ? { ...each, gate: above(5) } : each));
    equal(await computed(moved), 3);
    const renamed = moved.map(each => (each.name === 'D' ? { ...each, name: 'F', color: '#ff0000' } : each));
    equal(await computed(renamed), 0);
    equal(await computed(renamed.map(each => (each.name === 'C' ? { ...each, parent: 'A' } : each))), 1);
    tree.tableChanged();
    equal(await computed(renamed), 5);
  });

  it('takes one set of bits for each population without a missing value', async () => {
    const points: [number, number][] = [
      [0, -1],
      [99, -1],
      [99, 2],
    ];
    const axes: [[number, number], [number, number]] = [
      [40, 0],
      [0, 2],
    ];
    const on = { x: 'b', y: 'b' };
    const { tree } = await treeOf([
      { name: 'A', gate: { kind: 'range', column: 'b', from: 0 } },
      { name: 'B', parent: 'A', gate: { kind: 'polygon', ...on, points } },
      { name: 'C', parent: 'A', gate: { kind: 'ellipse', ...on, center: [0, 0], axes } },
      { name: 'D', parent: 'A', gate: { kind: 'rectangle', ...on, from: [0, 0], to: [1, 0] } },
      {
        name: 'E',
        parent: 'A',
        gate: { kind: 'percentile', column: 'b', of: 'parent', percent: 50, side: 'below' },
      },
      { name: 'F', parent: 'A', gate: above(1) },
    ]);
    const [a, ...children] = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map(name => tree.rowsOf(name)));
    deepEqual(
      children.map(({ judged }) => judged === a?.rows),
      [true, true, true, true, false],
    );
  });

  it('tells what can not be found, and finds the rest', async () => {
    const deep: Population[] = Array.from({ length: 200 }, (_, at) => ({
      name: `Level ${at}`,
      ...(at > 0 && { parent: `Level ${at - 1}` }),
      gate: above(1),
    }));
    const { tree } = await treeOf([
      { name: 'A', gate: above(8) },
      { name: 'a', gate: above(1) },
      { name: 'Orphan', parent: 'Gone', gate: above(1) },
      { name: 'Child', parent: 'Orphan', gate: above(1) },
      { name: 'X', parent: 'Y', gate: above(1) },
      { name: 'Y', gate: { kind: 'not', gate: { kind: 'population', name: 'X' } } },
      { name: 'Self', parent: 'Self', gate: above(1) },
      { name: 'Column', gate: above(1, 'none') },
      { name: 'Text', gate: above(1, 'c') },
      { name: 'Image', gate: { kind: 'percentile', column: 'a', of: 'image', percent: 50, side: 'above' } },
      { name: 'Reversed', gate: { kind: 'range', column: 'a', from: 2, to: 1 } },
      { name: 'Fine', parent: 'A', gate: above(9) },
      ...deep,
    ]);
    const all = await tree.resolved();
    deepEqual(all.slice(0, 12).map(rowsOf), [
      ['A', [8, 9]],
      ['a', 'name-taken'],
      ['Orphan', 'no-parent'],
      ['Child', 'needs'],
      ['X', 'circle'],
      ['Y', 'circle'],
      ['Self', 'circle'],
      ['Column', 'no-column'],
      ['Text', 'no-numbers'],
      ['Image', 'no-image-column'],
      ['Reversed', 'range-reversed'],
      ['Fine', [9]],
    ]);
    deepEqual(
      rowsOf(all.at(-1) ?? all[0] ?? { name: '', result: { problem: { kind: 'no-image-column' } } }),
      ['Level 199', [1, 2, 4, 5, 6, 7, 8, 9]],
    );
    await rejects(tree.rowsOf('Orphan'), /There is no population "Orphan"/);
    await rejects(tree.rowsOf('Nobody'), /There is no population "Nobody"/);
  });

  it('of an empty parent is empty, and has no threshold', async () => {
    const { tree } = await treeOf([
      { name: 'None', gate: above(100) },
      {
        name: 'Of none',
        parent: 'None',
        gate: {
          kind: 'statistic',
          ...{ column: 'a', of: 'parent', center: 'mean', spread: 'sd', factor: 1, side: 'above' },
        },
      },
    ]);
    deepEqual((await tree.resolved()).map(rowsOf), [
      ['None', []],
      ['Of none', []],
    ]);
    deepEqual((await tree.rowsOf('Of none')).thresholds, [{ least: NaN, greatest: NaN }]);
  });
});
