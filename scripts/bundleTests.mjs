// Bundles test code to run under Node: the test host and all suites but the unit tests.
import { build } from 'esbuild';
import { rm } from 'node:fs/promises';

/**
 * Bundles `entryPoints` (each under `outbase`) into `outdir`, without packages. `format` is 'esm' for programs of
 * Node.js, 'cjs' for modules that the extension host loads.
 */
export async function bundleTests({ entryPoints, outbase, outdir, format }) {
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints,
    outdir,
    outbase,
    bundle: true,
    platform: 'node',
    format,
    target: 'node22',
    packages: 'external',
    external: ['vscode'],
    loader: { '.wasm': 'binary' },
    sourcemap: 'inline',
    logLevel: 'warning',
    outExtension: { '.js': format === 'esm' ? '.mjs' : '.js' },
  });
}

/** Bundles one program of test/ and returns the path of the bundle. */
export async function bundleProgram(file) {
  const name = file.replace(/^test\//, '').replace(/\.tsx?$/, '');
  const outdir = `out/programs/${name.replaceAll('/', '-')}`;
  await bundleTests({
    entryPoints: [file],
    outbase: file.slice(0, file.lastIndexOf('/')),
    outdir,
    format: 'esm',
  });
  return `${outdir}/${name.slice(name.lastIndexOf('/') + 1)}.mjs`;
}
