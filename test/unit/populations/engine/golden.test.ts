import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { safeParse } from 'valibot';
import { PopulationTree } from '../../../../src/populations/engine/populationTree';
import type { Population } from '../../../../src/populations/population';
import { populations } from '../../../../src/populations/populationSchemas';
import { TableTexts } from '../../columns/engine/tableTexts';
import { goldenCsv, goldenRows } from '../goldenRows';

interface Golden {
  rows: number;
  check: number;
  trees: (Population & { count: number; missing: number })[][];
}

describe('Populations', () => {
  const texts = new TableTexts();
  before(() => texts.start());
  after(() => texts.end());

  it('have the rows that plain arithmetic finds', async () => {
    const golden = JSON.parse(await readFile('test/golden/populations.json', 'utf8')) as Golden;
    const rows = goldenRows(golden.rows);
    const sum = rows.reduce(
      (all, { X, Y, Intensity, Area }) =>
        all + Number(X) + Number(Y) + Number(Intensity) + Math.round(Number(Area) * 100),
      0,
    );
    equal(sum, golden.check);
    const { table } = await texts.view(goldenCsv(rows));
    const tree = new PopulationTree(() => table);
    for (const [at, expected] of golden.trees.entries()) {
      const definitions = expected.map(({ name, parent, gate }) => ({
        name,
        ...(parent !== undefined && { parent }),
        gate,
      }));
      ok(safeParse(populations, definitions).success, `tree ${at} is valid`);
      tree.set(definitions);
      const found = await tree.resolved();
      deepEqual(
        found.map(each =>
          'problem' in each.result ? each : [each.name, each.result.count, each.result.missing],
        ),
        expected.map(({ name, count, missing }) => [name, count, missing]),
        `tree ${at}: ${JSON.stringify(expected)}`,
      );
    }
  });
});
