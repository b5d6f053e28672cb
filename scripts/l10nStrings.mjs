// Finds the words that the code has for users: messages of vscode.l10n.t and of pages' t, and
// reasons.
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

/**
 * What a call says, if it is one that does: the arguments that are messages, how many of the others
 * fill in `{0}`…, the first of them from which place on, and whether it makes a reason.
 */
function wordsOf(node) {
  const { expression, arguments: args } = node;
  const says = (from, to, firstFilled, isReason, code) => ({
    messages: args.slice(from, to),
    filled: args.slice(to).some(ts.isSpreadElement) ? undefined : args.length - to + firstFilled,
    isReason,
    code,
  });
  if (isTranslate(expression)) return says(0, 1, 0, false);
  switch (expression.getText()) {
    case 't.count':
      return says(1, 3, 1, false);
    case 't.later':
      return { ...says(0, 1, 0, false), filled: undefined };
    case 'reason':
      return says(0, 1, 0, true);
    case 'countedReason':
      return says(1, 3, 1, true);
    case 'codedReason':
      return says(1, 2, 0, true, args[0]);
    default:
      return undefined;
  }
}

/** A call's message: a literal, or the `message` of an object. Undefined where it is computed. */
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

/** How many arguments a message fills in. */
function holesOf(message) {
  const places = [...message.matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place) + 1);
  return Math.max(0, ...places);
}

/**
 * What one file says, by the key of each message: its value, and for a reason its code, "" for
 * none.
 */
function stringsOf(file, root) {
  const strings = { messages: new Map(), reasons: new Map(), computed: [], unfilled: [] };
  const code = readFileSync(join(root, file), 'utf8');
  // Parsing is slow, and most files say nothing.
  if (!/\bt(?:\.count|\.later)?\(|[rR]eason\(/.test(code)) return strings;
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const visit = node => {
    const said = ts.isCallExpression(node) ? wordsOf(node) : undefined;
    if (said) {
      const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      for (const argument of said.messages.length > 0 ? said.messages : [undefined]) {
        const message = messageOf(argument);
        if (!message) {
          strings.computed.push(place);
          continue;
        }
        strings.messages.set(message.key, message.value);
        if (said.isReason) strings.reasons.set(message.key, said.code?.text ?? '');
        const holes = holesOf(message.value.message ?? message.value);
        // The one of many need not say the number.
        const isShort = said.messages.length > 1 && argument === said.messages[0] && holes <= said.filled;
        if (said.filled !== undefined && holes !== said.filled && !isShort)
          strings.unfilled.push(`${place} "${message.key}" takes ${holes} arguments, not ${said.filled}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return strings;
}

function sorted(map) {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Reads files of a project, all of src/ unless told, and returns the bundle (key -> message,
 * sorted), the messages of reasons with their codes, the places where a string is computed and so
 * can't be translated, and those with more or fewer arguments than the message fills in.
 */
export function collectStrings(root = '.', files = globSync('src/**/*.{ts,tsx}', { cwd: root })) {
  const all = files.toSorted().map(file => stringsOf(file, root));
  return {
    bundle: sorted(new Map(all.flatMap(({ messages }) => [...messages]))),
    reasons: sorted(new Map(all.flatMap(({ reasons }) => [...reasons]))),
    computed: all.flatMap(({ computed }) => computed),
    unfilled: all.flatMap(({ unfilled }) => unfilled),
  };
}

/** What translators start from. */
export const bundlePath = 'l10n/bundle.l10n.json';
/** The messages of reasons: text that comes from elsewhere is one only if it is among them. */
export const reasonsPath = 'l10n/reasons.json';

/** The content of these files. */
export function bundleText(bundle) {
  return `${JSON.stringify(bundle, undefined, 2)}\n`;
}
