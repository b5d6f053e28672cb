import { deepEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pageTextProblems } from '../../../scripts/pageTexts.mjs';

const KEYS = Array.from({ length: 31 }, (_, at) => `key${at}`);
const PAGE_TEXT = `export class PageText<Key extends string> {
  get(key: Key, ...args: string[]): string { return key + args; }
  count(key: Key, count: number, ...args: string[]): string { return key + count + args; }
}`;

/** What is reported of a page with these texts besides many that it shows, this code, and texts of another part. */
function problemsOf(
  texts: Record<string, string>,
  code: string,
  more: Record<string, string> = {},
  file = 'page.ts',
): string[] {
  const folder = mkdtempSync('out/page-texts-');
  try {
    const all = { ...Object.fromEntries(KEYS.map(key => [key, 'Text'])), ...texts };
    const part = (name: string, those: Record<string, string>) => {
      const entries = Object.entries(those).map(([key, text]) => `${key}: t(${JSON.stringify(text)}),`);
      return `function ${name}(t: (message: string) => string) { return { ${entries.join('\n')} }; }`;
    };
    const makes = `${part('some', all)}
${part('more', more)}
export function texts(t: (message: string) => string) { return { ...some(t), ...more(t) }; }`;
    const shown = KEYS.map(key => `text.get('${key}');`).join('\n');
    mkdirSync(join(folder, 'page'));
    writeFileSync(join(folder, 'texts.ts'), `${makes}\nexport type Key = keyof ReturnType<typeof texts>;`);
    writeFileSync(join(folder, 'page/pageText.ts'), PAGE_TEXT);
    writeFileSync(
      join(folder, 'page', file),
      `import { PageText } from './pageText';
import type { Key } from '../texts';
declare const text: PageText<Key>;
${code}
${shown}`,
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{ "compilerOptions": { "strict": true, "lib": ["ES2023"], "types": [] }, "include": ["."] }',
    );
    const path = relative(process.cwd(), folder).split(sep).join('/');
    const page = { texts: `${path}/texts.ts`, makes: 'texts', folders: [`${path}/page`] };
    return pageTextProblems(join(folder, 'tsconfig.json'), [page]).map(line => line.replace(`${path}/`, ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('The check of page texts', () => {
  it('reports a text that no page shows', () => {
    deepEqual(problemsOf({ lost: 'Nobody reads this' }, ''), ['texts.ts: no page code shows "lost"']);
  });

  it('finds uses of a text by its key, one of two keys, a key passed on, and a singular by its plural', () => {
    const texts = { a: 'A', b: 'B', c: 'C', rows: '{0} rows', rowsOne: '1 row' };
    const code = `const show = (key: Key) => text.get(key);
declare const yes: boolean;
text.get(yes ? 'a' : 'b');
show('c');
text.count('rows', 2);`;
    deepEqual(problemsOf(texts, code), []);
  });

  it('reports calls with too few or too many arguments', () => {
    const texts = { pair: '{0} of {1}', rows: '{0} rows' };
    const code = `text.get('pair', 'a');
text.count('rows', 2, 'b');`;
    deepEqual(problemsOf(texts, code), [
      'page/page.ts:4: "pair" takes 2 arguments, not 1',
      'page/page.ts:5: "rows" takes 1 arguments, not 2',
    ]);
  });

  it('reads JSX', () => {
    const texts = { title: 'Title', label: 'Label', pair: '{0} of {1}', lost: 'Nobody reads this' };
    const code = `declare namespace JSX {
  interface Element {}
  interface IntrinsicElements { p: { title?: string } }
}
const Label = (props: { of: Key }) => <p>{text.get(props.of)}</p>;
<Label of="label" />;
<p title={text.get('title')}>{text.get('pair', 'a')}</p>;`;
    deepEqual(problemsOf(texts, code, {}, 'page.tsx'), [
      'page/page.tsx:10: "pair" takes 2 arguments, not 1',
      'texts.ts: no page code shows "lost"',
    ]);
  });

  it('reports a key that two parts have', () => {
    deepEqual(problemsOf({ rows: 'Rows ({0})' }, "text.get('rows');", { rows: 'Rows' }), [
      'texts.ts: "rows" has two texts',
    ]);
  });
});
