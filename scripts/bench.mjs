// Runs one benchmark of test/bench or test/browser/bench: npm run bench -- NAME [--json] [its own
// arguments]. With
// --against PACKAGE it is run with this build and with another one in turn: test/bench/against.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundleProgram, PACKAGE_VARIABLE, SOURCE_VARIABLE } from './bundleTests.mjs';

const [wanted, ...rest] = process.argv.slice(2);
const files = new Map(
  globSync('test/{bench,browser/bench}/*.bench.ts').map(file => [basename(file, '.bench.ts'), file]),
);
const file = files.get(wanted ?? '');
// A VS Code that is measured ends with this process, but not where a signal takes its usual course.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => process.exit(130));
const at = rest.findIndex(argument => argument === '--against' || argument.startsWith('--against='));
if (file && at >= 0) {
  const [argument] = rest.splice(at, 1);
  const other = argument.includes('=') ? argument.slice(argument.indexOf('=') + 1) : rest.splice(at, 1)[0];
  if (!other) {
    console.error('--against needs another build: a folder of its sources, or a .vsix');
    process.exit(2);
  }
  const environment = otherBuild(resolve(other), readFileSync(file, 'utf8').includes('measuredPackage'));
  if (environment) {
    // What only the comparison needs is taken out of what each run gets.
    const own = rest.includes('--json') ? ['--json'] : [];
    const runs = rest.findIndex(each => each === '--runs');
    if (runs >= 0) own.push(...rest.splice(runs, 2));
    const program = await bundleProgram('test/bench/against.ts');
    const forEachRun = rest.filter(each => each !== '--json');
    own.push(`--environment=${JSON.stringify(environment)}`);
    own.push(`--parameters=${JSON.stringify([wanted, ...forEachRun])}`);
    process.argv.splice(2, Infinity, ...own);
    await import(`../${program}`);
  }
} else if (file) {
  const program = await bundleProgram(file.replaceAll('\\', '/'));
  process.argv.splice(2, Infinity, ...rest);
  await import(`../${program}`);
} else {
  const names = [...files.keys()].sort();
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'there are none yet';
  console.error(`${wanted ? `No benchmark "${wanted}"` : 'Name a benchmark'}: ${known}.`);
  process.exitCode = 1;
}

/**
 * What names another build to a benchmark; undefined where it is none that it can measure, which is
 * said.
 */
function otherBuild(path, inWorkbench) {
  if (path.endsWith('.vsix') && existsSync(path)) {
    if (inWorkbench) return { [PACKAGE_VARIABLE]: path };
    console.error(`Of a package, ${wanted} can measure nothing: name a folder of its sources.`);
  } else if (existsSync(join(path, 'src', 'extension.ts'))) {
    if (!inWorkbench) return { [SOURCE_VARIABLE]: path };
    const packed = spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'package'], {
      cwd: path,
      stdio: 'inherit',
    });
    const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    if (packed.status === 0) return { [PACKAGE_VARIABLE]: join(path, `${name}-${version}.vsix`) };
    console.error(`${path} could not be packaged.`);
  } else console.error(`Neither a .vsix nor a folder of sources: ${path}.`);
  process.exitCode = 1;
  return undefined;
}
