// Bundles the integration tests and their host, and runs them (see test/integration/runIntegration.ts).
import { globSync } from 'node:fs';
import { bundleProgram, bundleTests } from './bundleTests.mjs';

await bundleTests({
  entryPoints: ['test/integration/index.ts', ...globSync('test/integration/**/*.test.ts')],
  outbase: 'test/integration',
  outdir: 'out/integration',
  format: 'cjs',
});
await bundleProgram('test/host/servedVscode.ts');
const runner = await bundleProgram('test/integration/runIntegration.ts');
await import(`../${runner}`);
