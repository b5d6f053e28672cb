// Bundles the integration tests and their host, and runs them (see
// test/integration/runIntegration.ts). Arguments: path fragments that choose test files; with
// --bundle-only nothing is run.
import { bundleProgram, bundleTests } from './bundleTests.mjs';
import { testFiles } from './selectTests.mjs';

const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const tests = testFiles('integration', wanted);
await bundleTests({
  entryPoints: ['test/integration/index.ts', ...tests],
  outbase: 'test/integration',
  outdir: 'out/integration',
  format: 'cjs',
});
await bundleProgram('test/host/servedVscode.ts');
const runner = await bundleProgram('test/integration/runIntegration.ts');
if (!process.argv.includes('--bundle-only')) await import(`../${runner}`);
