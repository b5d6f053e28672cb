// Bundles the integration tests and their host, and runs them (see test/integration/runIntegration.ts). Arguments: path
// fragments that choose test files; with --bundle-only nothing is run.
import { globSync } from 'node:fs';
import { bundleProgram, bundleTests } from './bundleTests.mjs';

const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const tests = globSync('test/integration/**/*.test.ts').filter(
  file => wanted.length === 0 || wanted.some(fragment => file.includes(fragment)),
);
await bundleTests({
  entryPoints: ['test/integration/index.ts', ...tests],
  outbase: 'test/integration',
  outdir: 'out/integration',
  format: 'cjs',
});
await bundleProgram('test/host/servedVscode.ts');
const runner = await bundleProgram('test/integration/runIntegration.ts');
if (!process.argv.includes('--bundle-only')) await import(`../${runner}`);
