import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { atATime } from '../../../scripts/thisMachine.mjs';

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/slowMachine.mjs', ...args], { encoding: 'utf8' });

describe('A slow machine', () => {
  it('is made by loops that end with the command beside them, whose outcome is that of the whole', () => {
    const { status, stdout } = run('2', process.execPath, '-e', 'console.log("done");process.exitCode=7');
    assert.deepEqual([status, stdout.trim()], [7, 'done']);
  });

  it('is not made without a number of loops and a command, or with one that does not exist', () => {
    for (const args of [[], ['4'], ['npm', 'test'], ['0', 'npm', 'test']]) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2);
      assert.match(stderr, /Usage/);
    }
    assert.notEqual(run('1', 'no-such-program-4711').status, 0);
  });

  it('runs less at a time, at least one, and never more than its memory holds', () => {
    const GB = 2 ** 30;
    assert.deepEqual(atATime(1, 2, 8 * GB), { files: 3, stages: 2 });
    assert.deepEqual(atATime(4, 2, 8 * GB), { files: 3, stages: 2 });
    assert.deepEqual(atATime(0.4, 2, 8 * GB), { files: 2, stages: 1 });
    assert.deepEqual(atATime(0.01, 2, 8 * GB), { files: 1, stages: 1 });
    assert.deepEqual(atATime(1, 16, 64 * GB), { files: 6, stages: 2 });
    assert.deepEqual(atATime(1, 16, 3 * GB), { files: 2, stages: 2 });
    assert.deepEqual(atATime(1, 1, GB / 2), { files: 1, stages: 2 });
  });
});
