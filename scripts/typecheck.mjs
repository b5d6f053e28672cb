// Type-checks the host's code and the pages' code, their unit tests and the browser tests, each with its own globals;
// then reports texts that no page shows. The native compiler has no API for programs: what reads code here and in tests
// uses the package typescript.
import { spawnSync } from 'node:child_process';
import { pages, pageTextProblems } from './pageTexts.mjs';
import { projects } from './projects.mjs';

let failed = false;
for (const project of projects()) {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', project], {
    stdio: 'inherit',
  });
  failed ||= status !== 0;
}
for (const problem of pageTextProblems('src/tsconfig.json', pages)) {
  console.error(problem);
  failed = true;
}
process.exit(failed ? 1 : 0);
