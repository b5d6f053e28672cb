import * as assert from 'node:assert/strict';

/** The relative error that is allowed against values of scipy. */
const TOLERANCE = 1e-9;

/**
 * Fails where a number differs by more than TOLERANCE of its size, or anything else at all. Both
 * ends of an interval may differ by as much as the larger: the golden ones are by scipy 1.10, whose
 * quantiles of t have nine digits (2.57058183661 for 5 degrees of freedom instead of
 * 2.57058183564), and near 0 an end keeps few of them.
 */
export function assertClose(actual: unknown, expected: unknown, at: string): void {
  if (typeof expected === 'number') {
    assert.ok(
      typeof actual === 'number' && Math.abs(actual - expected) <= TOLERANCE * Math.abs(expected),
      `${at}: ${String(actual)} instead of ${expected}`,
    );
    return;
  }
  if (typeof expected !== 'object' || expected === null) {
    assert.deepEqual(actual, expected, at);
    return;
  }
  if (/ci95$/.test(at)) {
    const size = Math.max(...(expected as number[]).map(Math.abs));
    assertClose(
      (actual as number[]).map(end => end / size + 2),
      (expected as number[]).map(end => end / size + 2),
      `${at}, of its larger end`,
    );
    return;
  }
  assert.ok(typeof actual === 'object' && actual !== null, `${at}: ${String(actual)}`);
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), at);
  for (const [key, value] of Object.entries(expected))
    assertClose((actual as Record<string, unknown>)[key], value, `${at}, ${key}`);
}
