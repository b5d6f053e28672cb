// Bundles test code to run under Node: the test host and all suites but the unit tests.
import { build } from 'esbuild';
import { rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

/**
 * Names a folder whose src is bundled instead of this one's: another build that a benchmark
 * compares.
 */
export const SOURCE_VARIABLE = 'IA_BENCH_SOURCE';
/** Names the .vsix that a benchmark in a workbench measures in place of this build's. */
export const PACKAGE_VARIABLE = 'IA_BENCH_PACKAGE';

/**
 * Options of esbuild that bundle the other build, if there is one: its files of src, with the
 * packages of this one.
 */
export function otherSource(root = process.env[SOURCE_VARIABLE]) {
  if (!root) return {};
  const [here, there] = [resolve('src'), resolve(root, 'src')];
  return {
    nodePaths: [resolve('node_modules')],
    plugins: [
      {
        name: 'other-source',
        setup({ onResolve, resolve: find }) {
          const isOurs = path => !relative(here, path).startsWith('..');
          onResolve({ filter: /^\./ }, async ({ path, resolveDir, kind, pluginData }) => {
            const wanted = resolve(resolveDir, path);
            if (pluginData === there || !isOurs(wanted)) return undefined;
            return find(`./${relative(here, wanted)}`, { kind, resolveDir: there, pluginData: there });
          });
          onResolve({ filter: /^src\// }, ({ path, kind }) =>
            kind === 'entry-point' ? { path: resolve(there, relative('src', path)) } : undefined,
          );
        },
      },
    ],
  };
}

/**
 * Bundles `entryPoints` (each under `outbase`) into `outdir`, without packages. `format` is 'esm'
 * for programs of Node.js, 'cjs' for modules that the extension host loads.
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
    ...otherSource(),
  });
}

/**
 * Bundles one program of test/ and returns the path of the bundle; another build's is beside this
 * one's.
 */
export async function bundleProgram(file) {
  const name = file.replace(/^test\//, '').replace(/\.tsx?$/, '');
  const outdir = `out/programs/${name.replaceAll('/', '-')}${process.env[SOURCE_VARIABLE] ? '-other' : ''}`;
  await bundleTests({
    entryPoints: [file],
    outbase: file.slice(0, file.lastIndexOf('/')),
    outdir,
    format: 'esm',
  });
  return `${outdir}/${name.slice(name.lastIndexOf('/') + 1)}.mjs`;
}
