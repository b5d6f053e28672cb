// Builds and packages the extension and starts a VS Code with it, sample pictures and the sample service: the desktop one
// where `code` and a display are there (not with --served), else one to open in a browser.
import { bundleProgram } from './bundleTests.mjs';
import { packageExtension } from './packageExtension.mjs';

console.log('Building and packaging the extension…');
process.env.IA_VSIX = (await packageExtension()).path;
const program = await bundleProgram('test/host/start.ts');
await import(`../${program}`);
