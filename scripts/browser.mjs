// Packages the extension, unless IA_VSIX names a package, and runs the browser tests on it.
// Arguments: path fragments that select test files.
import { bundleProgram, bundleTests } from './bundleTests.mjs';
import { packageExtension } from './packageExtension.mjs';
import { testFiles } from './selectTests.mjs';

const wanted = process.argv.slice(2);
process.env.IA_VSIX ??= (await packageExtension()).path;
await bundleTests({
  entryPoints: testFiles('browser', wanted),
  outbase: 'test/browser',
  outdir: 'out/browser',
  format: 'cjs',
});
const runner = await bundleProgram('test/browser/run.ts');
await import(`../${runner}`);
