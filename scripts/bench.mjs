// Runs one benchmark of test/bench or test/browser/bench: npm run bench -- NAME [--json] [its own arguments].
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { bundleProgram } from './bundleTests.mjs';

const [wanted, ...rest] = process.argv.slice(2);
const files = new Map(
  globSync('test/{bench,browser/bench}/*.bench.ts').map(file => [basename(file, '.bench.ts'), file]),
);
const file = files.get(wanted ?? '');
// A VS Code that is measured ends with this process, but not where a signal takes its usual course.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => process.exit(130));
if (file) {
  const program = await bundleProgram(file.replaceAll('\\', '/'));
  process.argv.splice(2, Infinity, ...rest);
  await import(`../${program}`);
} else {
  const names = [...files.keys()].sort();
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'there are none yet';
  console.error(`${wanted ? `No benchmark "${wanted}"` : 'Name a benchmark'}: ${known}.`);
  process.exitCode = 1;
}
