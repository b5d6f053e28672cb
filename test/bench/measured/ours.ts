import { build, type BuildOptions } from 'esbuild';
import { basename, join } from 'node:path';
import { otherSource } from '../../../scripts/bundleTests.mjs';

/**
 * Bundles a program of ours as the extension is bundled, of this build or of the one that is
 * measured instead (scripts/bench.mjs); gives its path. `name` is for a second bundle of the same
 * program.
 */
export async function bundleOurs(
  folder: string,
  entry: string,
  options: BuildOptions = {},
  name = basename(entry, '.ts'),
): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    loader: { '.wasm': 'binary' },
    logLevel: 'error',
    ...options,
    ...otherSource(),
  });
  return outfile;
}
