import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { sharedTypeNames } from './exportedTypes';
import { importTable, tableUnder } from './importTable';
import { barrels, findCycle, forbiddenImports, missingImports, reexports, rooms } from './rooms';
import { parseSource, readSources } from './sourceFile';

describe('The source', () => {
  const sources = readSources();

  it('has every room of the table, and no other', () => {
    assert.deepEqual(readdirSync('src').sort(), Object.keys(rooms).sort());
  });

  it('follows the import table', () => {
    assert.deepEqual(sources.flatMap(forbiddenImports), []);
  });

  it('has its import table in docs/architecture.md', () => {
    const written = tableUnder('Import table', readFileSync('docs/architecture.md', 'utf8'));
    assert.deepEqual(written, importTable(rooms));
  });

  it('has no cycle of imports, types included', () => {
    assert.equal(findCycle(sources)?.join(' -> '), undefined);
  });

  it('imports only files that exist', () => {
    assert.deepEqual(missingImports(sources), []);
  });

  it('has no two exported types of one name', () => {
    assert.deepEqual(sharedTypeNames(sources), []);
  });

  it('exports a name only from the file that declares it', () => {
    assert.deepEqual(reexports(sources), []);
  });

  it('has no barrel file', () => {
    assert.deepEqual(barrels(sources), []);
  });
});

describe('The check of imports', () => {
  const refused = (path: string, text: string) => forbiddenImports(parseSource(path, text)).length > 0;

  it('lets a room import itself and the rooms of its row', () => {
    assert.equal(refused('src/jobs/a.ts', "import { b } from './b'; import { c } from '../api/c';"), false);
  });

  for (const [what, path, text] of [
    ['a room that is not in the row', 'src/api/a.ts', "import { b } from '../jobs/b';"],
    ['a type of a room that is not in the row', 'src/base/a.ts', "import type { B } from '../api/b';"],
    ['an inline type import', 'src/base/a.ts', "let a: import('../api/b').B;"],
    ['a dynamic import', 'src/formats/a.ts', "await import('../results/b');"],
    ['a re-export', 'src/formats/a.ts', "export * from '../results/b';"],
    ['a value where only types may come', 'src/sample/a.ts', "import { b } from '../api/wire';"],
    ['a type from a file that is not the wire', 'src/sample/a.ts', "import type { b } from '../api/client';"],
    ['vscode outside ui', 'src/jobs/a.ts', "import * as vscode from 'vscode';"],
    ['undici outside api', 'src/uploads/a.ts', "import { request } from 'undici';"],
    ["Node's modules in formats", 'src/formats/a.ts', "import { readFile } from 'node:fs/promises';"],
    ["Node's modules in base", 'src/base/a.ts', "import { readFile } from 'node:fs/promises';"],
    ['what needs Node in a page', 'src/webview/a.ts', "import { moveFile } from '../base/atomicFile';"],
    ["the engine thread's entry in ui", 'src/ui/a.ts', "import { run } from '../engine/thread';"],
    ['an extension', 'src/base/a.ts', "import { b } from './b.js';"],
    ['a package in base', 'src/base/a.ts', "import limit from 'p-limit';"],
  ] as const) {
    it(`rejects ${what}`, () => assert.equal(refused(path, text), true));
  }

  it('lets the one file of base that writes files use Node.js', () => {
    assert.equal(refused('src/base/atomicFile.ts', "import * as path from 'node:path';"), false);
  });

  it('lets only types be imported from the wire', () => {
    assert.equal(refused('src/sample/a.ts', "import { type Pipeline } from '../api/wire';"), false);
  });

  it('finds a cycle that only types close', () => {
    const a = parseSource('src/base/a.ts', "import { b } from './b';");
    const b = parseSource('src/base/b.ts', "import type { C } from './c';");
    const c = parseSource('src/base/c.ts', "import type { A } from './a';");
    assert.deepEqual(findCycle([a, b, c]), [
      'src/base/a.ts',
      'src/base/b.ts',
      'src/base/c.ts',
      'src/base/a.ts',
    ]);
    assert.equal(findCycle([a, b]), undefined);
  });
});

describe('The check of names', () => {
  it('finds types, classes and enums of one name, and none that a file keeps to itself', () => {
    const a = parseSource('src/a/a.ts', 'export interface Frame {} export class Row {} interface Own {}');
    const b = parseSource('src/b/b.ts', 'export type Frame = 1; export enum Row {} export interface Own {}');
    assert.deepEqual(sharedTypeNames([a, b]), [
      'Frame: src/a/a.ts, src/b/b.ts',
      'Row: src/a/a.ts, src/b/b.ts',
    ]);
  });
});
