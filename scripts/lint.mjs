// ESLint with type-aware rules, then Prettier's check. With --fix both fix what they can.
import { spawnSync } from 'node:child_process';

const fix = process.argv.includes('--fix');
const cache = 'node_modules/.cache';
// ESLint has no cache: the results of typed rules for a file depend on other files too.
const eslint = ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0'];
const prettier = [
  'node_modules/prettier/bin/prettier.cjs',
  '.',
  fix ? '--write' : '--check',
  '--log-level=warn',
];
const commands = [
  fix ? [...eslint, '--fix'] : eslint,
  [...prettier, '--cache', '--cache-location', `${cache}/prettier.json`],
];
let failed = false;
for (const args of commands) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
