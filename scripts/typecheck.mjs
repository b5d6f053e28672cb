// Type-checks the host's code and the pages' code, and what drives a browser, each with globals of its own.
import { spawnSync } from 'node:child_process';

let failed = false;
for (const project of ['.', 'src/webview', 'test/browser']) {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], {
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
