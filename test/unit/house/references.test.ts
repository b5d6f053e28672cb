import * as assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { missingDocuments, missingPaths, writtenFiles } from './references';

describe('What the repository refers to', () => {
  const documents = globSync(['*.md', 'docs/**/*.md']).map(path => path.replaceAll('\\', '/'));

  it('is in the repository: every document that a file names', () => {
    assert.deepEqual(
      writtenFiles().flatMap(path => missingDocuments(path)),
      [],
    );
  });

  it('is in the repository: every file of the project that a document names', () => {
    assert.deepEqual(
      documents.flatMap(path => missingPaths(path)),
      [],
    );
  });
});

describe('The check of references', () => {
  it('reads code, tests, scripts and documents', () => {
    const files = writtenFiles();
    for (const path of [
      'src/extension.ts',
      'test/unit/house/rooms.ts',
      'scripts/unit.mjs',
      'README.md',
      'esbuild.mjs',
    ])
      assert.ok(files.includes(path), path);
    assert.deepEqual(
      files.filter(path => path.includes('node_modules')),
      [],
    );
  });

  it('finds documents by name, by path and relative to the file', () => {
    const missing = ['no-such-document', 'md'].join('.');
    assert.deepEqual(missingDocuments('src/a.ts', `see ${missing}`), [`src/a.ts:1 ${missing}`]);
    assert.deepEqual(
      missingDocuments('src/a.ts', 'see README.md, or\n// test/golden/README.md, not *.md'),
      [],
    );
    assert.deepEqual(missingDocuments('test/golden/a.ts', 'see README.md'), []);
  });

  it('finds paths of files, folders and patterns', () => {
    assert.deepEqual(
      missingPaths('docs/a', 'In `src/extension.ts`, `src/base/`, `src/words/*.ts` and `out/x`.'),
      [],
    );
    assert.deepEqual(missingPaths('docs/a', '`src/no/such.ts`\n`src/nothing/*.ts`'), [
      'docs/a:1 src/no/such.ts',
      'docs/a:2 src/nothing/*.ts',
    ]);
  });
});
