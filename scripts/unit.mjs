// Bundles every unit test into out/unit and runs mocha on them, its files distributed over as many
// processes as the machine has cores (or UNIT_JOBS of the environment). Arguments: path fragments
// that select files.
import { build } from 'esbuild';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { printFileTimes } from './fileTimes.mjs';
import { runMocha } from './runMocha.mjs';
import { testFiles } from './selectTests.mjs';

const fragments = process.argv.slice(2);
const entryPoints = testFiles('unit', fragments);
const outdir = fragments.length === 0 ? 'out/unit' : `out/unit-${process.pid}`;
await rm(outdir, { recursive: true, force: true });
// As modules that share their code: bundled for itself, each test would bring and compile all that
// it imports, 340 MB together. No `external: ['vscode']`: code that must not import vscode but does
// fails here.
await build({
  entryPoints,
  outdir,
  outbase: 'test/unit',
  bundle: true,
  platform: 'node',
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  // What packages in CommonJS, and a bundle that is read as a script, expect.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;",
  },
  target: 'node24',
  sourcemap: 'inline',
  sourcesContent: false,
  // Tools that tests use unbundled, not our own code; all share one fast-check, which
  // sameSeedInCi.cjs configures.
  external: ['esbuild', 'typescript', 'playwright-core', 'fast-check', 'dependency-cruiser'],
  logLevel: 'warning',
  loader: { '.wasm': 'binary', '.css': 'text' },
});
/**
 * In which order, as the processes keep what they have loaded, and V8 looks through all of it each
 * time that garbage is collected: first the subjects whose tests need much memory, last those that
 * read the whole source.
 */
const order = ['images', 'columns', 'archives', 'masks', 'sample', 'session', 'linking', '', 'house'];
const placeOf = path => {
  const place = order.indexOf(path.split('/')[2] ?? '');
  return place < 0 ? order.indexOf('') : place;
};
const spec = entryPoints
  .toSorted((a, b) => placeOf(a) - placeOf(b))
  .map(path => path.replace(/^test\/unit/, outdir).replace(/\.tsx?$/, '.mjs'));
// By a file, as a command line has its limits.
const config = `${outdir}/mocha.json`;
await writeFile(config, JSON.stringify({ spec }));
const jobs = Math.min(Number(process.env.UNIT_JOBS) || availableParallelism(), entryPoints.length);
const isTimed = Boolean(process.env.IA_TIMES);
const times = resolve(outdir, 'times.jsonl');
const code = await runMocha(
  [
    '--require=./scripts/mocha/sameSeedInCi.cjs',
    ...(isTimed ? ['--require=./scripts/mocha/fileTimes.cjs'] : []),
    // Mocha forbids `.only` in parallel: to use it, select its one file.
    ...(jobs > 1 ? ['--parallel', `--jobs=${jobs}`] : []),
    `--config=${config}`,
  ],
  { IA_FILE_TIMES: times },
);
if (isTimed) {
  const lines = (await readFile(times, 'utf8')).trimEnd().split('\n');
  const pathOf = name =>
    relative(outdir, name)
      .replaceAll('\\', '/')
      .replace(/\.mjs$/, '');
  printFileTimes(
    lines.map(line => JSON.parse(line)).map(({ name, seconds }) => ({ name: pathOf(name), seconds })),
  );
}
if (fragments.length > 0) await rm(outdir, { recursive: true, force: true });
process.exit(code);
