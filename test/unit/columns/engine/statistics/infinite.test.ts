import * as assert from 'node:assert/strict';
import {
  fromJsonNumber,
  type JsonNumber,
  jsonNumber,
  statisticsOf,
} from '../../../../../src/columns/columnStatistics';
import {
  columnStatisticsOf,
  countInfinite,
  selectionStatistics,
} from '../../../../../src/columns/engine/statistics/columnStatisticsOf';
import { groupRows, groupTable } from '../../../../../src/columns/engine/statistics/groups';
import { scatterPoints } from '../../../../../src/columns/engine/statistics/scatterPoints';
import { TableTexts } from '../tableTexts';

const IDS = ['count', 'missing', 'infinite', 'min', 'q1', 'median', 'q3', 'max', 'mean', 'sd'] as const;

/** Statistics by their definitions, of small integers: no sum is rounded. */
function bruteForce(values: readonly number[]): Record<(typeof IDS)[number], number | null> {
  const numbers = values.filter(value => !Number.isNaN(value)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const finite = numbers.filter(value => Math.abs(value) !== Infinity);
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length;
  const squares = finite.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const quantile = (share: number) => {
    const place = (numbers.length - 1) * share;
    const low = numbers[Math.floor(place)] ?? NaN;
    const high = numbers[Math.ceil(place)] ?? NaN;
    if (low === high) return low;
    if (Math.abs(low) === Infinity || Math.abs(high) === Infinity) return low + high;
    return low + (high - low) * (place - Math.floor(place));
  };
  const found = {
    count: numbers.length,
    missing: values.length - numbers.length,
    infinite: numbers.length - finite.length,
    ...{ min: quantile(0), q1: quantile(0.25), median: quantile(0.5), q3: quantile(0.75), max: quantile(1) },
    mean,
    sd: finite.length > 1 ? Math.sqrt(squares / (finite.length - 1)) : NaN,
  };
  const plain = Object.entries(found).map(([id, value]) => [id, Number.isNaN(value) ? null : value]);
  return Object.fromEntries(plain) as ReturnType<typeof bruteForce>;
}

function assertSame(
  actual: Partial<Record<(typeof IDS)[number], number | null>>,
  expected: ReturnType<typeof bruteForce>,
  at: string,
): void {
  for (const id of IDS) {
    const [found, wanted] = [actual[id] ?? null, expected[id]];
    const isNear = found !== null && wanted !== null && Math.abs(found - wanted) <= 1e-12 * Math.abs(wanted);
    assert.ok(found === wanted || isNear, `${at}, ${id}: ${found} instead of ${wanted}`);
  }
}

describe('Infinite numbers', () => {
  const texts = new TableTexts();
  before(() => texts.start());
  after(() => texts.end());

  it('are numbers for counts and quantiles, and in no mean, SD and sum, wherever statistics are shown', async () => {
    let state = 8;
    const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    for (let round = 0; round < 120; round++) {
      const often = [0, 0.1, 0.5, 1][round % 4] ?? 0;
      const rows = Array.from({ length: 1 + Math.floor(random() * 40) }, () => {
        const group = `g${Math.floor(random() * 3)}`;
        if (random() < 0.1) return { group, value: NaN };
        return {
          group,
          value: random() < often ? (random() < 0.5 ? -Infinity : Infinity) : Math.round(random() * 9),
        };
      });
      const cell = (value: number) =>
        Number.isNaN(value) ? '' : String(value).replace('Infinity', round % 2 ? 'inf' : 'Infinity');
      // The first row makes it a column of numbers.
      const all = [{ group: 'g0', value: 5 }, ...rows];
      const table = await texts.table(
        `g,n,m\n${all.map(({ group, value }) => `${group},${cell(value)},1`).join('\n')}\n`,
      );
      const subset = { rows: undefined, count: all.length };
      const values = all.map(({ value }) => value);
      const expected = bruteForce(values);
      assertSame(await columnStatisticsOf(table, 1, subset), expected, `round ${round}, column`);
      assert.equal(await countInfinite(table, 1, subset), expected.infinite);
      assert.equal(
        (await scatterPoints(table, { x: 1, y: 2, limit: 9 }, { subset })).infinite,
        expected.infinite,
      );
      const selection = { start: 0, end: all.length, columns: [1] };
      const [selected] = await selectionStatistics(table, { subset, order: undefined }, selection);
      assert.deepEqual(
        [selected?.numbers, selected?.infinite ?? 0, selected?.min, selected?.max],
        [expected.count, expected.infinite, expected.min, expected.max],
      );
      assert.equal((selected?.mean ?? NaN).toFixed(9), (expected.mean ?? NaN).toFixed(9));

      const groups = [...new Set(all.map(({ group }) => group))];
      const ofGroup = groups.map(name =>
        bruteForce(all.filter(({ group }) => group === name).map(({ value }) => value)),
      );
      const found = await groupTable(table, { by: [0], measures: [1], statistics: IDS }, subset);
      ofGroup.forEach((wanted, group) => {
        const actual = IDS.map((id, at) => [id, plain(found.values[at]?.[group])] as const);
        assertSame(Object.fromEntries(actual), wanted, `round ${round}, group ${groups[group]}`);
      });
      const ofAll = IDS.map((id, at) => [id, plain(found.all.values[at])] as const);
      assertSame(Object.fromEntries(ofAll), expected, `round ${round}, all groups`);
      assert.deepEqual(found.infinite, [expected.infinite]);
      const plotted = await groupRows(table, { by: [0], measures: [1], limit: 9 }, subset);
      plotted.groups.forEach(({ measures, rows: count }, group) => {
        const [measure] = measures;
        assertSame(measure ?? {}, ofGroup[group] ?? expected, `round ${round}, plot`);
        assert.equal((measure?.count ?? 0) + (measure?.missing ?? 0), count);
      });
    }
  });

  it('do not make finite quantiles infinite where numbers are far apart', () => {
    const sorted = Float64Array.of(-1.5e308, 1.5e308);
    const { median, q3, mean } = statisticsOf({ present: 2, missing: 0, sorted });
    assert.deepEqual([median, q3, mean], [0, 0.75e308, 0]);
  });

  it('travel as texts, which JSON can express', () => {
    for (const value of [Infinity, -Infinity, 0, -1.5, null])
      assert.equal(fromJsonNumber(JSON.parse(JSON.stringify(jsonNumber(value))) as JsonNumber), value);
  });
});

function plain(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
