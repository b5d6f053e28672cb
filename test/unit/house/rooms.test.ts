import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sharedTypeNames } from './exportedTypes';
import { vagueNames } from './exportedWords';
import { forbiddenImports } from './importRules';
import { folderCircles, reexports, subjects } from './rooms';
import { parseSource, readSources } from './sourceFile';

describe('The source', () => {
  const sources = readSources();

  it('has a folder for every subject, and no other', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter(each => each.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).sort(), Object.keys(subjects).sort());
  });

  it('imports only from subjects and environments below, without cycles', async () => {
    assert.deepEqual(await forbiddenImports(), []);
  });

  it('has its subjects in docs/architecture.md, in their order', () => {
    const written = tableUnder('Subjects', readFileSync('docs/architecture.md', 'utf8'));
    const held = Object.entries(subjects).map(([name, { holds }]) => [name, holds]);
    assert.deepEqual(Object.entries(written), held);
  });

  it('has no folders beside each other that import each other', () => {
    assert.deepEqual(folderCircles(sources), []);
  });

  it('has no two exported types of one name', () => {
    assert.deepEqual(sharedTypeNames(sources), []);
  });

  it('exports nouns of the glossary, and calls what a constructor needs its dependencies', () => {
    // The table page's own parts, which models of other subjects add to.
    assert.deepEqual(vagueNames(sources, ['OpenedParts']), []);
  });

  it('exports a name only from the file that declares it', () => {
    assert.deepEqual(reexports(sources), []);
  });
});

/** Files, each with the rule that it breaks, if it breaks one. */
const imports: readonly [path: string, text: string, broken?: string][] = [
  ['src/jobs/node/below.ts', "import { b } from './b';\nimport { c } from '../../service/node/b';\nb(c);"],
  ['src/service/node/a.ts', "import { b } from '../../jobs/node/b';\nb();", 'others stand above service'],
  [
    'src/base/type.ts',
    "import type { B } from '../service/b';\nexport type A = B;",
    'others stand above base',
  ],
  ['src/base/inline.ts', "export type A = import('../service/b').B;", 'others stand above base'],
  ['src/images/dynamic.ts', "export const a = import('../table/b');", 'others stand above images'],
  ['src/images/again.ts', "export * from '../table/b';", 'others stand above images'],
  ['src/base/top.ts', "export * from '../extension';", 'others stand above base'],
  ['src/sample/node/wire.ts', "import { b } from '../../service/wire';\nb();", 'sample takes only types'],
  ['src/sample/node/types.ts', "import { type B } from '../../service/wire';\nexport type A = B;"],
  ['src/sample/node/a.ts', "export * from '../../service/node/b';", 'sample takes only some subjects'],
  ['src/jobs/node/a.ts', "export * from '../../sample/node/b';", 'the sample service is another process'],
  ['src/jobs/node/starts.ts', "export * from '../../sample/node/sampleProcess';"],
  ['src/jobs/node/code.ts', "import * as vscode from 'vscode';\nvscode.a();", 'vscode is for editor'],
  ['src/jobs/editor/code.ts', "import * as vscode from 'vscode';\nvscode.a();"],
  ['src/uploads/node/a.ts', "import { request } from 'undici';\nrequest();", 'undici is for the service'],
  ['src/images/a.ts', "import { open } from 'node:fs';\nopen();", "Node's modules are not for this code"],
  ['src/table/page/a.ts', "import { open } from 'node:fs';\nopen();", "Node's modules are not for this code"],
  ['src/table/page/node.ts', "export * from '../../base/node/b';", 'page uses rules'],
  ['src/table/a.ts', "export * from '../base/node/b';", 'rules use no environment'],
  [
    'src/table/types.ts',
    "import type { B } from './page/b';\nexport type A = B;",
    'rules use no environment',
  ],
  ['src/table/editor/a.ts', "export * from '../page/b';", 'editor uses no page'],
  [
    'src/table/engine/a.ts',
    "import type { B } from '../editor/b';\nexport type A = B;",
    'engine uses rules and node',
  ],
  ['src/table/node/a.ts', "export * from '../engine/b';", 'node names only types of an engine'],
  ['src/table/node/types.ts', "import type { B } from '../engine/b';\nexport type A = B;"],
  ['src/table/node/page.ts', "import type { B } from '../page/b';\nexport type A = B;", 'node uses rules'],
  ['src/workbench/editor/a.ts', "export * from '../engine/thread';", 'that is the entry of a bundle'],
  ['src/base/extension.ts', "export * from './b.js';", 'relative imports have no extension'],
  ['src/base/package.ts', "import limit from 'p-limit';\nlimit();", 'this subject uses no packages'],
  ['src/plots/index.tsx', "export * from './b';", 'there are no barrel files'],
  ['src/jobs/manifest.ts', "export * from '../../package.json';", 'the manifest is for host'],
  [
    'src/host/manifest.ts',
    "import m from '../../package.json';\nexport const a = m;",
    'only types of the manifest',
  ],
  ['src/host/types.ts', "import type m from '../../package.json';\nexport type A = typeof m;"],
  [
    'src/jobs/messages.ts',
    "export * from '../../l10n/reasons.json';",
    'the messages of reasons are for words',
  ],
  ['src/words/messages.ts', "export * from '../../l10n/reasons.json';"],
  ['src/base/one.ts', "import { two } from './two';\nexport const one = two;", 'there are no cycles'],
  ['src/base/two.ts', "import type { Three } from './three';\nexport const two: Three = 1;"],
  ['src/base/three.tsx', "export type Three = typeof import('./one').one;"],
];

/** Files that these import. */
const imported =
  `jobs/node service service/node table table/page table/editor table/engine sample/node base base/node plots`
    .split(' ')
    .map(folder => `src/${folder}/b.ts`);
const others = ['src/service/wire.ts', 'src/sample/node/sampleProcess.ts', 'src/workbench/engine/thread.ts'];

describe('The check of imports', () => {
  it('finds what breaks each rule, and nothing else', async () => {
    const root = mkdtempSync(join(tmpdir(), 'imports-'));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    try {
      for (const path of [...imported, ...others, 'src/extension.ts'])
        write(path, 'export const b = (a?: unknown) => a;\nexport type B = 1;');
      write('package.json', '{}');
      write('l10n/reasons.json', '{}');
      for (const [path, text] of imports) write(path, text);
      const found = await forbiddenImports(root);
      assert.deepEqual(
        found.map(line => line.replace(/ -> .*: /, ': ')).sort(),
        imports.flatMap(([path, , broken]) => (broken === undefined ? [] : [`${path}: ${broken}`])).sort(),
      );
    } finally {
      rmSync(root, { recursive: true });
    }
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
});

describe('The check of names', () => {
  it('finds vague words in exported names, and parts that are dependencies', () => {
    const file = parseSource(
      'src/jobs/a.ts',
      `export interface KeptJobs {} export const toldJobs = 1, maskedJobs = 2; const asked = 3;
      export function sharedPolling() {} export class Jobs { constructor(private parts: JobsParts) {} }
      export class Cards { constructor(own: OpenedParts, all: Parts, other: Dependencies) {} }`,
    );
    assert.deepEqual(vagueNames([file], ['OpenedParts']), [
      'src/jobs/a.ts: KeptJobs',
      'src/jobs/a.ts: toldJobs',
      'src/jobs/a.ts: sharedPolling',
      'src/jobs/a.ts: JobsParts',
    ]);
  });

  it('finds types, classes and enums of one name, and none that a file keeps to itself', () => {
    const a = parseSource('src/a/a.ts', 'export interface Frame {} export class Row {} interface Own {}');
    const b = parseSource('src/b/b.ts', 'export type Frame = 1; export enum Row {} export interface Own {}');
    assert.deepEqual(sharedTypeNames([a, b]), [
      'Frame: src/a/a.ts, src/b/b.ts',
      'Row: src/a/a.ts, src/b/b.ts',
    ]);
  });
});

/**
 * The rows of the table under a heading of a document: first cell → second cell, without backticks.
 */
function tableUnder(heading: string, markdown: string): Record<string, string> {
  const [, after = ''] = markdown.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  const rows = section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.replaceAll('`', '').trim()),
    );
  return Object.fromEntries(rows.slice(2).map(([name = '', cell = '']) => [name, cell]));
}
