// Runs operations on a service that misbehaves (test/faults). Arguments: fragments that select
// faults, as docs/faults.md describes them; --write writes the outcomes there instead of comparing
// them.
import { build } from 'esbuild';
import { rm } from 'node:fs/promises';
import { runMocha } from './runMocha.mjs';

const args = process.argv.slice(2);
const fragments = args.filter(argument => argument !== '--write');
const outdir = 'out/faults';
await rm(outdir, { recursive: true, force: true });
// No `external: ['vscode']`: all this works without an editor.
await build({
  entryPoints: ['test/faults/faults.test.ts'],
  outdir,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  loader: { '.wasm': 'binary' },
  sourcemap: 'inline',
  logLevel: 'warning',
});
// All runs begin at once, so the first test waits for many.
const code = await runMocha([`${outdir}/faults.test.js`], {
  IA_FAULTS: JSON.stringify(fragments),
  ...(args.includes('--write') && { IA_WRITE: '1' }),
});
process.exit(code);
