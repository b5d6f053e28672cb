// Finds the strings that the code passes to vscode.l10n.t.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Whether an expression is `l10n.t` or `vscode.l10n.t`, or the `t` that is passed on. */
function isTranslate(expression) {
  if (ts.isIdentifier(expression)) return expression.text === 't';
  return (
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === 't' &&
    /(^|\.)l10n$/.test(expression.expression.getText())
  );
}

/** The message of a call's first argument: a literal, or the `message` of an object. Undefined where it is computed. */
function messageOf(argument) {
  if (argument && ts.isStringLiteralLike(argument)) return { key: argument.text, value: argument.text };
  if (!argument || !ts.isObjectLiteralExpression(argument)) return undefined;
  const property = name =>
    argument.properties.find(
      candidate => ts.isPropertyAssignment(candidate) && candidate.name.getText() === name,
    )?.initializer;
  const message = property('message');
  if (!message || !ts.isStringLiteralLike(message)) return undefined;
  const comment = property('comment');
  if (!comment) return { key: message.text, value: message.text };
  const parts = ts.isArrayLiteralExpression(comment) ? [...comment.elements] : [comment];
  if (!parts.every(ts.isStringLiteralLike)) return undefined;
  const comments = parts.map(part => part.text);
  // VS Code looks up a message with comments by both.
  return { key: `${message.text}/${comments.join('')}`, value: { message: message.text, comment: comments } };
}

/**
 * Reads src/ of a project and returns the bundle (key -> message, sorted) and the places where the string is computed
 * and so can't be translated.
 */
export function collectStrings(root = '.') {
  const bundle = new Map();
  const computed = [];
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: root }).sort()) {
    const code = readFileSync(join(root, file), 'utf8');
    // Parsing is slow, and most files translate nothing.
    if (!/\bt\(/.test(code)) continue;
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
    const visit = node => {
      if (ts.isCallExpression(node) && isTranslate(node.expression)) {
        const message = messageOf(node.arguments[0]);
        if (message) bundle.set(message.key, message.value);
        else computed.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  const sorted = [...bundle].sort(([a], [b]) => (a < b ? -1 : 1));
  return { bundle: Object.fromEntries(sorted), computed };
}

export const bundlePath = 'l10n/bundle.l10n.json';

/** The content of the bundle's file. */
export function bundleText(bundle) {
  return `${JSON.stringify(bundle, undefined, 2)}\n`;
}
