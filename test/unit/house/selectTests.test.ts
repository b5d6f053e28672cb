import { deepEqual, ok } from 'node:assert/strict';
import { suitesOfWords } from '../../../scripts/selectTests.mjs';

/** What the words select, as an object. */
function select(...words: string[]) {
  return Object.fromEntries(suitesOfWords(words).found);
}

describe('Words after npm test', () => {
  it('mean the tests of a source file, of whichever suite', () => {
    const formats = { unit: ['words/format'] };
    deepEqual(select('src/words/format.ts'), formats);
    deepEqual(select('words\\format'), formats);
    deepEqual(select('src/words/format.tsx'), formats);
    deepEqual(select('test/browser/walkThrough.test.ts'), { browser: ['test/browser/walkThrough'] });
    deepEqual(Object.keys(select('foreign')).sort(), ['integration', 'unit']);
  });

  it('mean the unit tests of a subject, not what is named like it elsewhere', () => {
    deepEqual(select('uploads'), { unit: ['test/unit/uploads/'] });
    deepEqual(select('src/uploads/'), { unit: ['test/unit/uploads/'] });
    deepEqual(select('src/uploads/node/'), { unit: ['uploads/node/'] });
  });

  it('mean scenes of the pages by their names', () => {
    deepEqual(select('table-empty', 'masks-'), { preview: ['table-empty', 'masks-'] });
  });

  it('mean what is wrong with the service', () => {
    deepEqual(select('resets the connection'), { faults: ['resets the connection'] });
    ok(select('redirects')['faults']);
  });

  it('are told when they mean nothing', () => {
    deepEqual(suitesOfWords(['nonsense', 'jobs']).unknown, ['nonsense']);
  });
});
