// Compiles the kernels, the .as files of src, into the .wasm files beside them, which are
// committed: after a change of one.
import { bundleProgram } from './bundleTests.mjs';

const program = await bundleProgram('test/kernels/writeKernels.ts');
await import(`../${program}`);
