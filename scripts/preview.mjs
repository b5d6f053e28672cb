// Shows scenes of the pages without an editor (test/browser/preview/preview.ts, which names its
// options), each of which is a test: that the page reports no error, and is accessible. Arguments:
// options, and parts of names of scenes.
import { bundleProgram } from './bundleTests.mjs';

const program = await bundleProgram('test/browser/preview/preview.ts');
await import(`../${program}`);
