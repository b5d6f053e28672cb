import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { bundlePath, bundleText, collectStrings, reasonsPath } from '../../../scripts/l10nStrings.mjs';
import ts from 'typescript';
import { englishSentences } from './englishSentences';
import { findLogParameters } from './logParameters';
import { untranslated, usedKeys } from './manifestStrings';
import { parseSource, readSources } from './sourceFile';
import { visibleLiterals } from './visibleLiterals';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

describe('Text that is shown', () => {
  const files = readSources().filter(({ path }) => !path.startsWith('src/sample/node/'));
  const strings = collectStrings();

  it('is never an English literal where it is shown', () => {
    assert.deepEqual(files.flatMap(visibleLiterals), []);
  });

  it('is never a sentence outside l10n, wherever it is written', () => {
    const logParameters = findLogParameters(files);
    assert.deepEqual(
      files.flatMap(file => englishSentences(file, logParameters)),
      [],
    );
  });

  it('is a literal where it is translated, with as many arguments as it fills in', () => {
    assert.deepEqual(strings.computed, []);
    assert.deepEqual(strings.unfilled, []);
  });

  it('is all in the bundle for translators, and reasons are in their list (fix with: npm run l10n)', () => {
    const written = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
    assert.equal(written(bundlePath), bundleText(strings.bundle));
    assert.equal(written(reasonsPath), bundleText(strings.reasons));
  });

  it('has a comment for translators where one word has several senses', () => {
    const words = Object.keys(strings.bundle);
    const ambiguous = words.flatMap(key => /^([^ /]+)\/./.exec(key)?.[1] ?? []);
    for (const word of ['Class', 'Condition', 'Control', 'Open', 'Row', 'Save', 'Size', 'Text', 'Well'])
      assert.ok(ambiguous.includes(word), word);
    const senses = (word: string) => words.filter(key => key.startsWith(`${word}/`));
    assert.deepEqual(
      words.filter(word => ambiguous.includes(word)).map(word => `${word}, as in ${senses(word).join()}`),
      [],
    );
  });

  it('is a key of package.nls.json in the manifest', () => {
    assert.deepEqual(untranslated(readJson('package.json')), []);
  });

  it('has exactly the keys in package.nls.json that the manifest uses', () => {
    assert.deepEqual(Object.keys(readJson('package.nls.json')).sort(), usedKeys(readJson('package.json')));
  });
});

describe('The check of sentences', () => {
  const found = (text: string, others: Record<string, string> = {}) => {
    const file = parseSource('src/jobs/a.ts', text);
    const files = [file, ...Object.entries(others).map(([path, other]) => parseSource(path, other))];
    return englishSentences(file, findLogParameters(files)).length;
  };

  it('finds sentences wherever they are made', () => {
    assert.equal(found("const reason = 'The file is empty';"), 1);
    assert.equal(found('fail({ reason: `The quote on line ${line} is open` });'), 1);
    assert.equal(found("return ok ? t('All is well') : 'Too bad it failed';"), 1);
    assert.equal(found("notes.push('Row ' + row + ' is too long'); quoted('damaged');"), 2);
    assert.equal(found("new CodedError('network', 'For the log', { reason: 'for the person' });"), 1);
    assert.equal(found("show(t(title, 'not the message'));"), 1);
  });

  it('allows messages passed to t and texts of the log', () => {
    assert.equal(
      found("t('Two words'); vscode.l10n.t({ message: 'Two words', comment: ['for translators'] });"),
      0,
    );
    assert.equal(found("throw new CodedError('network', ok ? 'No answer' : `Bad answer ${status}`);"), 0);
    assert.equal(
      found("throw new RangeError('Out of range'); this.parts.log.warn('It failed: ' + error);"),
      0,
    );
  });

  it('follows a parameter to the log through functions and files', () => {
    const damaged = "export const damaged = (message: string) => new CodedError('damaged-table', message);";
    const use =
      "import { damaged } from './b'; const wrap = (text: string) => damaged(`bad: ${text}`); wrap('It is bad');";
    assert.equal(found(use, { 'src/jobs/b.ts': damaged }), 0);
    const shown = damaged.replace('message)', 'message, { reason: message })');
    assert.equal(found(use, { 'src/jobs/b.ts': shown }), 1);
  });

  const inJsx = (text: string) =>
    englishSentences(parseSource('src/jobs/a.tsx', `const a = ${text};`), findLogParameters([])).length;

  it('finds sentences in JSX', () => {
    assert.equal(inJsx('<p>\n  The file is\n  empty\n</p>'), 1);
    assert.equal(inJsx('<>Row {row} is <b>too long</b></>'), 1);
    assert.equal(inJsx("<Note what='Too bad' why={failed ? `It failed: ${error}` : why} />"), 2);
    assert.equal(inJsx('<ul>{rows.map(row => <li>{show(row, "Not bad")}</li>)}</ul>'), 1);
  });

  it('ignores what in JSX is no language', () => {
    assert.equal(inJsx('<p class="row selected" aria-labelledby="first-name last-name" />'), 0);
    assert.equal(inJsx("<p class={ok ? 'row good' : `row ${color} bad`} rowClass='two words' />"), 0);
    assert.equal(inJsx("<p title={t('Two words')}>{l10n.t('Two words')} {name} of {count}</p>"), 0);
  });

  it("ignores text that isn't language", () => {
    assert.equal(found("element('div', { class: 'row selected' }); root.querySelector('.row .cell');"), 0);
    assert.equal(found('const html = `<div class="two words">${text}</div>`; type A = \'two words\';'), 0);
    assert.equal(found("const policy = `img-src ${source} blob: data:`; if (text === 'two words') go();"), 0);
    assert.equal(
      found("const names = 'FAILED ERROR'.split(' '); head = `Name: ${name}\\r\\nType: text\\r\\n`;"),
      0,
    );
  });
});

describe('The check of literals', () => {
  const found = (text: string) => visibleLiterals(parseSource('src/jobs/editor/a.ts', text)).length;

  it('finds words in messages, options, items and assignments', () => {
    assert.equal(found("vscode.window.showErrorMessage('No', l10n.t('Retry'), 'Later');"), 2);
    assert.equal(
      found("window.showInputBox({ prompt: `Key of ${user}`, title: ok ? 'A' : l10n.t('B') });"),
      2,
    );
    assert.equal(found("new vscode.TreeItem('Folder'); item.tooltip = 'Opens ' + name;"), 2);
    assert.equal(found("progress.report({ message: 'Sending' });"), 1);
    assert.equal(
      found(
        "p.textContent = 'Empty'; svg.setAttribute('aria-label', 'Plot'); e({ 'aria-label': 'X axis' });",
      ),
      3,
    );
  });

  const inJsx = (text: string) =>
    visibleLiterals(parseSource('src/jobs/editor/a.tsx', `const a =\n  ${text};`)).map(one =>
      one.replace(/.*:/, ''),
    );

  it('finds words in JSX: between tags, in braces and in attributes', () => {
    assert.deepEqual(inJsx('<p>\n    Empty\n  </p>'), ['3 Empty']);
    assert.deepEqual(inJsx('<>{count} rows &middot; <b>{name}</b></>'), ['2 rows &middot;']);
    assert.deepEqual(
      inJsx("<p>{open ? 'Hide' : text.get('show')}{at === 'end' && 'Done'}{`${a} left`}</p>"),
      ["2 'Hide'", "2 'Done'", '2 `${a} left`'],
    );
    assert.deepEqual(inJsx('<input title="Sort" aria-label={"Search"} placeholder={hint ?? "Name"} />'), [
      '2 "Sort"',
      '2 "Search"',
      '2 "Name"',
    ]);
    assert.deepEqual(inJsx('<Menu label={`Columns`}>{rows.map(() => <li alt="Row">Row</li>)}</Menu>'), [
      '2 `Columns`',
      '2 "Row"',
      '2 Row',
    ]);
  });

  it('ignores what in JSX is no language', () => {
    assert.deepEqual(inJsx('<p id="rows" class="row" hidden>{name}: &nbsp;&times; 3 {/* Empty */}</p>'), []);
    assert.deepEqual(inJsx("<p title={text.get('title')} key={`row-${at}`}>{text.get('rows')}</p>"), []);
    assert.deepEqual(inJsx("<p>{kind === 'row' && <b />}{kind !== 'row' || count}</p>"), []);
  });

  it("ignores text that isn't language", () => {
    assert.equal(
      found("status.text = `$(sync~spin) ${percentage}%`; item.label = name; item.id = 'files';"),
      0,
    );
    assert.equal(
      found("throw new CodedError('network', 'No answer'); report({ code, message: error.message });"),
      0,
    );
  });
});

describe('The words of a page', () => {
  /**
   * Calls of a page's t that run while its module loads, when the translations aren't there yet.
   */
  function earlyWords({ path, tree }: ReturnType<typeof parseSource>): string[] {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) || ts.isPropertyDeclaration(node)) return;
      if (ts.isCallExpression(node) && /^t(\.count|\.reason)?$/.test(node.expression.getText()))
        found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  }

  it('are translated when they are shown, not while a module loads', () => {
    const pages = readSources().filter(({ path }) => path.includes('/page/'));
    assert.deepEqual(pages.flatMap(earlyWords), []);
  });

  it('that are translated too early are found', () => {
    const found = (text: string) => earlyWords(parseSource('src/jobs/page/a.ts', text)).length;
    assert.equal(found("const names = { a: t('Row'), b: t.count(1, 'Row', 'Rows') };"), 2);
    assert.equal(
      found("const names = { a: t.later('Row'), b: () => t('Row') }; function f() { t('Row'); }"),
      0,
    );
  });
});
