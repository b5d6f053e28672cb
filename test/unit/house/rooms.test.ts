import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { sharedTypeNames } from './exportedTypes';
import { subjectTable, tableUnder } from './importTable';
import {
  barrels,
  findCycle,
  folderCircles,
  forbiddenImports,
  missingImports,
  reexports,
  subjects,
} from './rooms';
import { parseSource, readSources } from './sourceFile';

describe('The source', () => {
  const sources = readSources();

  it('has a folder for every subject, and no other', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter(each => each.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).sort(), Object.keys(subjects).sort());
  });

  it('imports only from subjects and environments below', () => {
    assert.deepEqual(sources.flatMap(forbiddenImports), []);
  });

  it('has its subjects in docs/architecture.md, in their order', () => {
    const written = tableUnder('Subjects', readFileSync('docs/architecture.md', 'utf8'));
    assert.deepEqual(Object.entries(written), Object.entries(subjectTable(subjects)));
  });

  it('has no cycle of imports, types included', () => {
    assert.equal(findCycle(sources)?.join(' -> '), undefined);
  });

  it('has no folders beside each other that import each other', () => {
    assert.deepEqual(folderCircles(sources), []);
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

  it('lets a subject import itself and those below', () => {
    assert.equal(
      refused('src/jobs/node/a.ts', "import { b } from './b'; import { c } from '../../service/node/c';"),
      false,
    );
  });

  for (const [what, path, text] of [
    ['a subject above', 'src/service/node/a.ts', "import { b } from '../../jobs/node/b';"],
    ['a type of a subject above', 'src/base/a.ts', "import type { B } from '../service/b';"],
    ['an inline type import', 'src/base/a.ts', "let a: import('../service/b').B;"],
    ['a dynamic import', 'src/images/a.ts', "await import('../table/b');"],
    ['a re-export', 'src/images/a.ts', "export * from '../table/b';"],
    ['a folder that is no subject', 'src/app/a.ts', 'export const a = 1;'],
    ['a value where only types may come', 'src/sample/node/a.ts', "import { b } from '../../service/wire';"],
    [
      'a type that is not of the wire',
      'src/sample/node/a.ts',
      "import type { b } from '../../service/node/client';",
    ],
    ['the sample service', 'src/jobs/node/a.ts', "import { b } from '../../sample/node/b';"],
    ['vscode outside of editor', 'src/jobs/node/a.ts', "import * as vscode from 'vscode';"],
    ['undici outside of the service', 'src/uploads/node/a.ts', "import { request } from 'undici';"],
    ["Node's modules in rules", 'src/images/a.ts', "import { readFile } from 'node:fs/promises';"],
    ["Node's modules in a page", 'src/table/page/a.ts', "import { readFile } from 'node:fs/promises';"],
    [
      'what needs Node in a page',
      'src/table/page/a.ts',
      "import { move } from '../../base/node/atomicFile';",
    ],
    ['what needs Node in rules', 'src/table/a.ts', "import { move } from '../base/node/atomicFile';"],
    ['a page in the editor', 'src/table/editor/a.ts', "import { a } from '../page/a';"],
    ['a page in rules', 'src/table/a.ts', "import type { A } from './page/a';"],
    ['the editor in an engine', 'src/table/engine/a.ts', "import type { A } from '../editor/a';"],
    ["an engine's value in the host", 'src/table/node/a.ts', "import { a } from '../engine/a';"],
    ["the engine thread's entry", 'src/workbench/editor/a.ts', "import { run } from '../engine/thread';"],
    ['an extension', 'src/base/a.ts', "import { b } from './b.js';"],
    ['a package in base', 'src/base/a.ts', "import limit from 'p-limit';"],
  ] as const) {
    it(`rejects ${what}`, () => assert.equal(refused(path, text), true));
  }

  it('lets the host name the types of what runs in a thread', () => {
    assert.equal(refused('src/table/node/a.ts', "import type { A } from '../engine/a';"), false);
  });

  it('lets only types be imported from the wire', () => {
    assert.equal(
      refused('src/sample/node/a.ts', "import { type Pipeline } from '../../service/wire';"),
      false,
    );
  });

  it('finds folders beside each other that import each other, and none within each other', () => {
    const a = parseSource('src/a/page/grid/a.ts', "import { b } from '../rows/b';");
    const b = parseSource('src/a/page/rows/b.ts', "import { c } from '../cells/c';");
    const c = parseSource(
      'src/a/page/cells/c.ts',
      "import { a } from '../grid/a'; import { d } from '../d';",
    );
    assert.equal(folderCircles([a, b]).length, 0);
    assert.equal(folderCircles([a, b, c]).length, 1);
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
