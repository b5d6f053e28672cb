import * as assert from 'node:assert/strict';
import { parseSource, readSources } from './sourceFile';
import { shownDirectly } from './surfaces';

describe('A text on a surface of VS Code', () => {
  it('is put there by src/host/editor alone, which makes it inert', () => {
    assert.deepEqual(readSources().flatMap(shownDirectly), []);
  });
});

describe('The check of surfaces', () => {
  const found = (text: string) => shownDirectly(parseSource('src/jobs/editor/a.ts', text)).length;

  it('finds what shows a text by itself', () => {
    assert.equal(found('void vscode.window.showInformationMessage(name);'), 1);
    assert.equal(found('const pick = vscode.window.createQuickPick();'), 1);
    assert.equal(found('const item = new vscode.TreeItem(name); item.tooltip = name;'), 2);
    assert.equal(found('const { window } = vscode;'), 1);
    assert.equal(found("import { window, MarkdownString } from 'vscode';"), 2);
    assert.equal(found('const w = vscode.window;'), 1);
    assert.equal(found('this.panel.title = name; view.description = name;'), 2);
  });

  it('lets alone what shows none', () => {
    assert.equal(found("vscode.window.registerCustomEditorProvider('a', editor);"), 0);
    assert.equal(found("const { title } = place; import { Uri } from 'vscode';"), 0);
  });
});
