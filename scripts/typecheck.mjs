// Type-checks the host's code and the pages' code, their unit tests and the browser tests, each
// with its own globals. The native compiler has no API for programs: what reads code here and in
// tests uses the package typescript.
import { spawnSync } from 'node:child_process';
import { projects } from './projects.mjs';

let failed = false;
for (const project of projects()) {
  const options = [
    // What has not changed since the last run isn't checked again: its errors are kept as well.
    '--incremental',
    '--tsBuildInfoFile',
    `out/types/${project.replaceAll('/', '-')}.tsbuildinfo`,
    // Each checker finds out anew what others know: four, which are the default, take a quarter
    // more together.
    '--checkers',
    '2',
  ];
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '-p', project, ...options],
    // Garbage is seldom looked for (Go's default is 100): nearly all that is allocated is needed
    // until the end.
    { stdio: 'inherit', env: { GOGC: '400', ...process.env } },
  );
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
