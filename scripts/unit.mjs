// Bundles every unit test into out/unit and runs mocha on them. Arguments: path fragments that choose files.
import { build } from 'esbuild';
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';

const wanted = process.argv.slice(2);
const entryPoints = globSync('test/unit/**/*.test.ts').filter(
  file => wanted.length === 0 || wanted.some(fragment => file.includes(fragment)),
);
const outdir = wanted.length === 0 ? 'out/unit' : `out/unit-${process.pid}`;
await rm(outdir, { recursive: true, force: true });
// No `external: ['vscode']`: a room that must not know vscode and imports it fails here.
await build({
  entryPoints,
  outdir,
  outbase: 'test/unit',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  sourcemap: 'inline',
  // Tools that tests use as they are, not code of ours.
  external: ['esbuild', 'typescript', 'playwright-core'],
  logLevel: 'warning',
  loader: { '.wasm': 'binary', '.css': 'text' },
});
const { status } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    'node_modules/mocha/bin/mocha.js',
    '--timeout=20000',
    '--reporter=./scripts/countingReporter.cjs',
    '--reporter-option=mustExit=true',
    ...('CI' in process.env ? ['--forbid-only'] : []),
    `${outdir}/**/*.test.js`,
  ],
  { stdio: 'inherit' },
);
if (wanted.length > 0) await rm(outdir, { recursive: true, force: true });
process.exit(status ?? 1);
