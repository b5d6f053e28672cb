// Builds and packages the extension and starts a VS Code with it, sample images and the sample
// service: the desktop app where `code` and a display exist (not with --served), else a server to
// open in a browser.
import { bundleProgram } from './bundleTests.mjs';
import { packageExtension } from './packageExtension.mjs';

console.log('Building and packaging the extension…');
process.env.IA_VSIX = (await packageExtension()).path;
const program = await bundleProgram('test/host/start.ts');
await import(`../${program}`);
