import { deepEqual, equal, ok } from 'node:assert/strict';
import { pathsIn, type Population, populationsInTable } from '../../../../src/populations/population';
import { GatesModel } from '../../../../src/populations/page/gatesModel';
import { namedPopulations } from '../../../../src/populations/page/gateWords';
import { populationsInTable as populationsPart } from '../../../../src/populations/page/populationsInTable';
import { populationsOfTable } from '../../../../src/populations/page/populationsInTable';
import { PopulationsModel } from '../../../../src/populations/page/populationsModel';
import { OpenedTable, until, useNoScreen } from '../../table/page/openedTable';
import type { AddedToTable } from '../../table/page/tableStart';

const added: AddedToTable = {
  contributions: [populationsPart],
  loadLater: () => Promise.resolve({ populations: { PopulationsModel, namedPopulations } } as never),
};
const COUNT = 200;

/** Each is a part of the one before, the deepest tree that there can be. */
const chain: Population[] = Array.from({ length: COUNT }, (_, at) => ({
  name: `Population ${at}`,
  gate: { kind: 'range', column: 'Area', from: at, to: 1000 - at },
  ...(at > 0 && { parent: `Population ${at - 1}` }),
}));

/** How often work compares names. */
function comparisonsIn(work: () => unknown): number {
  const { normalize } = String.prototype;
  let count = 0;
  String.prototype.normalize = function (this: string, ...form) {
    count++;
    return normalize.apply(this, form);
  };
  try {
    work();
  } finally {
    String.prototype.normalize = normalize;
  }
  return count;
}

describe('Hundreds of populations', () => {
  useNoScreen();
  let opened: OpenedTable | undefined;
  afterEach(() => opened?.close());

  it('are counted by one request when they are opened or changed, and by none when one filters', async () => {
    const page = (opened = await OpenedTable.open({ added, start: { populations: chain } }));
    const requests = () => page.engine.requests.filter(({ method }) => method === 'countPopulations').length;
    const part = page.store.added.get(populationsOfTable);
    const model = await part.model();
    await page.ask('setPopulations', { populations: chain });
    const before = requests();
    part.toggle();
    const isCounted = () => model.list.value.every(({ counted }) => counted !== undefined);
    await until(isCounted);
    await page.settled();
    deepEqual([model.list.value.length, requests() - before], [COUNT, 1]);
    model.toggleFilter('Population 199');
    await page.settled();
    deepEqual([model.filtered, requests() - before], ['Population 199', 1]);
    model.recolor('Population 7', '#112233');
    await page.settled();
    equal(requests() - before, 2);
  });

  it('are compared by name a few times each, however deep they are', async () => {
    const page = (opened = await OpenedTable.open({ added, start: { populations: chain } }));
    const part = page.store.added.get(populationsOfTable);
    const model = await part.model();
    const gates = new GatesModel(model, part.parts);
    const { columns } = page.store.table.table;
    const axis = { column: 3, scale: 'linear', toPixel: (place: number) => place } as const;
    const box = { left: 0, top: 0, width: 100, height: 100 };
    const axes = { x: { ...axis, toPlace: (pixel: number) => pixel }, box };
    const few = 10 * COUNT;
    const isCheap = (work: () => unknown, name: string) => {
      const count = comparisonsIn(work);
      ok(count <= few, `${name}: ${count}`);
    };
    isCheap(() => populationsInTable(chain, columns), 'their columns');
    isCheap(() => namedPopulations(chain, () => columns), 'measures');
    isCheap(() => equal(gates.shapesOn(axes).length, COUNT), 'gates in a plot');
    isCheap(() => equal(model.list.value.length, COUNT), 'the tree');
    isCheap(() => equal(namedPopulations(chain, () => columns).at(-1)?.columns.length, COUNT), 'columns');
    const pathOf = pathsIn(chain);
    // A path of 200 names compares 200, once.
    isCheap(() => equal(pathOf('Population 199').length, COUNT), 'a path');
  });
});
