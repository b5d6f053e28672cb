import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { bundlePath, bundleText, collectStrings } from '../../../scripts/l10nStrings.mjs';
import { untranslated, usedKeys } from './manifestStrings';
import { parseSource, readSources } from './sourceFile';
import { visibleLiterals } from './visibleLiterals';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

describe('What the user reads', () => {
  it('is never an English literal of the code', () => {
    const files = readSources().filter(({ path }) => /^src\/(ui\/|extension\.ts)/.test(path));
    assert.deepEqual(files.flatMap(visibleLiterals), []);
  });

  it('is a literal where it goes through l10n.t', () => {
    assert.deepEqual(collectStrings().computed, []);
  });

  it('is all in the bundle for translators (mend with: npm run l10n)', () => {
    const written = existsSync(bundlePath) ? readFileSync(bundlePath, 'utf8') : '';
    assert.equal(written, bundleText(collectStrings().bundle));
  });

  it('is a key of package.nls.json in the manifest', () => {
    assert.deepEqual(untranslated(readJson('package.json')), []);
  });

  it('has exactly the keys in package.nls.json that the manifest uses', () => {
    assert.deepEqual(Object.keys(readJson('package.nls.json')).sort(), usedKeys(readJson('package.json')));
  });
});

describe('The check of literals', () => {
  const found = (text: string) => visibleLiterals(parseSource('src/ui/a.ts', text)).length;

  it('finds words in messages, options, items and assignments', () => {
    assert.equal(found("vscode.window.showErrorMessage('No', l10n.t('Retry'), 'Later');"), 2);
    assert.equal(
      found("window.showInputBox({ prompt: `Key of ${user}`, title: ok ? 'A' : l10n.t('B') });"),
      2,
    );
    assert.equal(found("new vscode.TreeItem('Folder'); item.tooltip = 'Opens ' + name;"), 2);
    assert.equal(found("progress.report({ message: 'Sending' });"), 1);
  });

  it('leaves alone what is no language', () => {
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
