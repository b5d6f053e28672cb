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
  shown() {}
  onKey() {}
}
export const list = { refresh: () => {}, showAll() {}, set: 1, show: <p /> };`,
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
    deepEqual(all, { files: 4, lines: 86, under40: 3, under30: 2, exported: 1 + 7 + 2 + 2 });
  });

  it('is by subject, a folder of src', () => {
    deepEqual(subjects, {
      'extension.ts': { files: 1, lines: 1 },
      jobs: { files: 2, lines: 70 },
      table: { files: 1, lines: 15 },
    });
  });

  it('is the files that a journey names, each once', () => {
    deepEqual(journeys, { 'one becomes another': 2, nothing: 0 });
  });

  it('is the options and methods of pages by which their parts call each other', () => {
    const { characters, ...rest } = pages;
    deepEqual(rest, { files: 1, options: 4, pushMethods: 4 });
    deepEqual(characters, files['src/table/page/c.tsx'].length);
  });
});
