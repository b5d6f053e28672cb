// Runs mocha on bundled tests of Node.js alone, as unit tests and faults do.
import { spawn } from 'node:child_process';
import { TEST_MS } from './patience.mjs';

/** Resolves with the exit code. What ends this process ends mocha. */
export async function runMocha(args, environment = {}) {
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      'node_modules/mocha/bin/mocha.js',
      `--timeout=${TEST_MS}`,
      '--exit',
      '--reporter=./scripts/mocha/countingReporter.cjs',
      '--require=./scripts/mocha/leftOpen.cjs',
      ...('CI' in process.env ? ['--forbid-only'] : []),
      ...args,
    ],
    { stdio: 'inherit', env: { ...process.env, ...environment } },
  );
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  return await new Promise((resolve, reject) =>
    child.once('error', reject).once('close', code => resolve(code ?? 1)),
  );
}
