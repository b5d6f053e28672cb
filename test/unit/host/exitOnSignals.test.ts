import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describeWith } from '../capabilities';

/** Says that it runs, and that it exits, as hosts end their processes then. */
const PROGRAM = `
  process.on('exit', () => console.log('exits'));
  setInterval(() => {}, 1000);
  console.log('runs');
`;

describeWith('signals')('A process of tests', () => {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`exits by ${name}, so that what its hosts started ends too`, async () => {
      const child = spawn(
        process.execPath,
        ['--require', './scripts/mocha/exitOnSignals.cjs', '--eval', PROGRAM],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const closed = once(child, 'close');
      let said = '';
      child.stdout.on('data', chunk => (said += String(chunk)));
      while (said !== 'runs\n') await once(child.stdout, 'data');
      child.kill(name);
      assert.deepEqual(await closed, [130, null]);
      assert.equal(said, 'runs\nexits\n');
    });
});
