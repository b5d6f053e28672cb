import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { otherSource } from '../../../scripts/bundleTests.mjs';
import { compareBuilds, type RunResult } from '../../bench/measured/builds';

const spread = (median: number | null) => ({ min: 0, median, max: 1e9 });
const side = (wall: number, cpu: number | null) => ({ wallMs: spread(wall), cpuMs: spread(cpu) });

describe('Two builds in a benchmark', () => {
  /** A run in which sorting took so long; what its peer took says nothing of the builds. */
  const run = (wall: number, cpu: number | null, more: RunResult = {}): RunResult => ({
    sortRatio: wall / 100,
    jumps: { down: cpu },
    measured: { sort: { rounds: 5, ours: side(wall, cpu), peer: side(1, 1) } },
    machine: { cores: 2 },
    ...more,
  });

  it('are compared run by run by the medians of what each took', () => {
    const { measured } = compareBuilds([
      { ours: run(10, 8), other: run(20, 10) },
      { ours: run(100, 9), other: run(100, 10) },
      { ours: run(30, 5), other: run(20, 10) },
    ]);
    assert.deepEqual(measured['sort']?.wallRatio, { min: 0.5, median: 1, max: 1.5 });
    assert.deepEqual(measured['sort']?.cpuRatio, { min: 0.5, median: 0.8, max: 0.9 });
  });

  it('are compared by their other numbers too, wherever these are, and not by their machine', () => {
    const { fields } = compareBuilds([{ ours: run(50, 8), other: run(100, 16) }]);
    assert.deepEqual(Object.keys(fields), ['sortRatio', 'jumps.down']);
    assert.deepEqual(fields['sortRatio']?.ratio.median, 0.5);
    assert.deepEqual(fields['jumps.down']?.other.median, 16);
  });

  it('are compared by what both measure', () => {
    const other = run(10, 8, { measured: {}, extra: 3 });
    const { measured, fields } = compareBuilds([{ ours: run(10, 8), other }]);
    assert.deepEqual(measured, {});
    assert.deepEqual(Object.keys(fields), ['sortRatio', 'jumps.down']);
  });

  it('have no ratio of processor times where these are unknown', () => {
    const { measured } = compareBuilds([{ ours: run(10, null), other: run(10, 8) }]);
    assert.equal(measured['sort']?.wallRatio.median, 1);
    assert.equal(measured['sort']?.cpuRatio.median, NaN);
  });

  it('are each bundled with files of their own', async () => {
    const root = await mkdtemp(join(tmpdir(), 'other-source-'));
    try {
      // Another build has a file of its own that this one hasn't, beside the one that is imported.
      const files = {
        'src/base/interval.ts': `export { length } from './theirs';`,
        'src/base/theirs.ts': `export const length = () => 'of the other build';`,
      };
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), text);
      }
      const bundled = async (other?: string) => {
        const { outputFiles } = await build({
          stdin: {
            contents: `import { length } from '../../src/base/interval'; console.log(length);`,
            resolveDir: resolve('test/bench'),
          },
          bundle: true,
          write: false,
          logLevel: 'silent',
          ...otherSource(other),
        });
        return outputFiles.map(({ text }) => text).join('');
      };
      assert.match(await bundled(root), /of the other build/);
      await assert.rejects(bundled(), /Could not resolve/);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});
