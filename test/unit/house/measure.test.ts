import { deepEqual } from 'node:assert/strict';
import { measureSource } from '../../../scripts/measureSource.mjs';

const files = {
  'src/extension.ts': 'export function activate() {}\n',
  'src/jobs/a.ts': `export const [a, { b, c: d }] = f();
export interface Row {
  onChange: () => void;
}
export { e, f as g };
export default class {}
const own = 1;
${'\n'.repeat(33)}`,
  'src/jobs/deep/b.ts': `export * from './c';\nexport function f(): void;\nexport function f() {}${'\n'.repeat(28)}`,
  'src/table/page/c.tsx': `interface Options {
  onChange: (onEnd: () => void) => void;
  onReset?(): void;
  only: true;
}
export class Table {
  readonly onDetails = () => {};
  constructor(private readonly onFailure: Fail, options: Options) {}
  setRows() {}
  update = () => {};
  private settle() {}
  private showAll() {}
  shown() {}
  onKey() {}
}
export const list = { refresh: () => {}, showAll() {}, set: 1, show: <p /> };`,
  'src/table/page/state/d.ts': 'export class Rows {\n  showFirst() {}\n}\n',
  'src/table/page/rowsModel.ts': 'export class RowsModel {\n  setRows() {}\n}\n',
  'src/webview/page.css': 'p {}',
  'test/unit/jobs/a.test.ts': 'export const x = 1;',
};

const architecture = `# Architecture

\`src/extension.ts\` begins.

## Journey: one becomes another

1. \`src/jobs/a.ts\` and (\`src/jobs/deep/b.ts\`), in \`src/jobs/node/\`.
2. \`src/jobs/a.ts\` again, \`src/jobs/gone.ts\`.

## Journey: nothing

Stays.

## Other

\`src/extension.ts\``;

describe('What npm run measure counts', () => {
  const { subjects, journeys, pages, ...all } = measureSource(files, architecture);

  it('is the code of src: files, lines, small files, and names that are exported, each once', () => {
    deepEqual(all, { files: 6, lines: 93, under40: 5, under30: 4, exported: 1 + 7 + 2 + 2 + 2 });
  });

  it('is by subject, a folder of src', () => {
    deepEqual(subjects, {
      'extension.ts': { files: 1, lines: 1 },
      jobs: { files: 2, lines: 70 },
      table: { files: 3, lines: 22 },
    });
  });

  it('is the files that a journey names, each once', () => {
    deepEqual(journeys, { 'one becomes another': 2, nothing: 0 });
  });

  it('is the options and methods of pages by which their parts call each other', () => {
    const { characters, ...rest } = pages;
    deepEqual(rest, { files: 3, options: 4, pushMethods: 7, pushedIntoViews: 4 });
    const inPages = Object.entries(files).filter(([path]) => path.startsWith('src/table/page/'));
    deepEqual(
      characters,
      inPages.reduce((sum, [, text]) => sum + text.length, 0),
    );
  });
});
