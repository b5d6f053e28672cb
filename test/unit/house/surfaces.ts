import ts from 'typescript';
import type { SourceFile } from './sourceFile';

/** The only files that put texts on VS Code's surfaces: each makes them inert first. */
export const SURFACES = [
  'src/host/editor/boxes.ts',
  'src/host/editor/messages.ts',
  'src/host/editor/progress.ts',
  'src/host/editor/shown.ts',
  'src/host/editor/treeProvider.ts',
];

/** What others may use of `vscode.window`: it shows no text that is not ours. */
const HARMLESS = new Set([
  'createOutputChannel',
  'createTreeView',
  'onDidChangeWindowState',
  'registerCustomEditorProvider',
  'registerWebviewPanelSerializer',
  'showOpenDialog',
  'showSaveDialog',
  'state',
  'tabGroups',
]);

/** Objects of `vscode` that show text, which others may not make. */
const SHOWING = new Set(['MarkdownString', 'TreeItem']);

/** Where a file outside of `SURFACES` shows a text by itself, as `path:line code`. */
export function shownDirectly({ path, tree }: SourceFile): string[] {
  if (SURFACES.includes(path)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (showsText(node)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push(`${path}:${line} ${node.getText().split('\n', 1)[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function showsText(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) && isVscode(node.expression, 'window'))
    return !HARMLESS.has(node.name.text);
  // `const { window } = vscode` or `import { window } from 'vscode'` would hide what is used of it.
  if (ts.isBindingElement(node) || ts.isImportSpecifier(node)) {
    const name = (node.propertyName ?? node.name).getText();
    return (name === 'window' || SHOWING.has(name)) && originOf(node) === 'vscode';
  }
  if (ts.isVariableDeclaration(node) && node.initializer) return isVscode(node.initializer, 'window');
  if (ts.isNewExpression(node)) return [...SHOWING].some(name => isVscode(node.expression, name));
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    /\b(?:panel|view|item)\.(?:title|description|message|tooltip|badge)$/i.test(node.left.getText())
  );
}

function isVscode(expression: ts.Node, member: string): boolean {
  return expression.getText() === `vscode.${member}`;
}

function originOf(node: ts.BindingElement | ts.ImportSpecifier): string | undefined {
  if (ts.isImportSpecifier(node)) {
    const from = node.parent.parent.parent;
    return ts.isImportDeclaration(from) && ts.isStringLiteral(from.moduleSpecifier)
      ? from.moduleSpecifier.text
      : undefined;
  }
  const { parent } = node.parent;
  return ts.isVariableDeclaration(parent) ? parent.initializer?.getText() : undefined;
}
