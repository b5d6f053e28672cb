// oxlint with type-aware rules, then oxfmt's check. With --fix both fix what they can. Arguments: files, else all.
import { spawnSync } from 'node:child_process';

const fix = process.argv.includes('--fix');
const files = process.argv.slice(2).filter(argument => argument !== '--fix');
const commands = [
  ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...(fix ? ['--fix'] : [])],
  ['node_modules/oxfmt/bin/oxfmt', ...(fix ? [] : ['--check'])],
];
let failed = false;
for (const args of commands) {
  const { status } = spawnSync(process.execPath, [...args, '--no-error-on-unmatched-pattern', ...files], {
    stdio: 'inherit',
    // Garbage is seldom looked for (Go's default is 100): nearly all that rules about types
    // allocate they need until they end.
    env: { GOGC: '400', ...process.env },
  });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
