// Packages the extension, unless IA_VSIX names a package, and runs the browser tests on it. Arguments: path fragments
// that select test files.
import { globSync } from 'node:fs';
import { bundleProgram, bundleTests } from './bundleTests.mjs';
import { packageExtension } from './packageExtension.mjs';

const wanted = process.argv.slice(2);
process.env.IA_VSIX ??= (await packageExtension()).path;
await bundleTests({
  entryPoints: globSync('test/browser/**/*.test.ts').filter(
    file => wanted.length === 0 || wanted.some(fragment => file.includes(fragment)),
  ),
  outbase: 'test/browser',
  outdir: 'out/browser',
  format: 'cjs',
});
const runner = await bundleProgram('test/browser/run.ts');
await import(`../${runner}`);
