// Records in test/store/recorded what the extension stores as it is now: run by hand, and only
// where a format is meant to change, since tests open what is there with every later version.
import { bundleProgram } from './bundleTests.mjs';
import { packageExtension } from './packageExtension.mjs';

process.env.IA_VSIX ??= (await packageExtension()).path;
const program = await bundleProgram('test/browser/store/record.ts');
await import(`../${program}`);
