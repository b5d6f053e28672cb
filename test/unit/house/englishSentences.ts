import ts from 'typescript';
import { isForLog, outermost, type LogParameters } from './logParameters';
import { placeOf } from './rooms';
import type { SourceFile } from './sourceFile';

/**
 * Finds sentences where no translator sees them. Any literal of two or more words is one unless it
 * is the message of t(…), the text of an error or a log entry (in English by design), or no
 * language at all: a style sheet's class, a selector, a header, a shader. Single words are looked
 * at by `visibleLiterals`, which knows where words are shown.
 */
export function englishSentences(file: SourceFile, logParameters: LogParameters): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node)) {
      const text = textOf(node);
      if (
        (isSentence(text) || isQuoted(node)) &&
        !isTranslated(node) &&
        !isForLog(file, node, logParameters) &&
        !standsForNoLanguage(node) &&
        !isException(placeOf(file.path).subject, node)
      ) {
        const line = file.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        found.push(`${file.path}:${line} ${text.trim()}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

/**
 * Strings that look like sentences and aren't, by the declaration around them, each with the
 * reason.
 */
const exceptions: readonly { subject: string; within: string; why: string }[] = [
  { subject: 'host', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'uploads', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'jobs', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'columns', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'study', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'populations', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'plates', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'comparison', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'accounts', within: 'expected', why: "part of an error's message, for programs and the log" },
  { subject: 'service', within: 'readSystemStore', why: 'the source of a worker thread, which runs it' },
  { subject: 'pages', within: 'earlyRequestsScript', why: 'the source of a script, which a page runs' },
  { subject: 'export', within: 'detectionFeature', why: 'names of measurements in exported files' },
  {
    subject: 'images',
    within: 'tiffCompressions',
    why: 'names of TIFF compressions, as their specifications give them',
  },
  { subject: 'images', within: 'UNSUPPORTED', why: 'names of file formats, and how their files begin' },
  { subject: 'export', within: 'exportFormats', why: 'names of file formats, the same in every language' },
  {
    subject: 'archives',
    within: 'SHAPE_COLUMNS',
    why: 'names of columns in saved tables, the same in every language',
  },
  {
    subject: 'archives',
    within: 'intensityColumns',
    why: 'names of columns in saved tables, the same in every language',
  },
  {
    subject: 'comparison',
    within: 'PAIR_COLUMNS',
    why: 'names of columns in saved tables, the same in every language',
  },
  { subject: 'export', within: 'DESCRIPTION', why: 'written into exported files' },
  { subject: 'host', within: 'output', why: "the product's name" },
];

function textOf(node: ts.StringLiteralLike | ts.TemplateExpression | ts.JsxText): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(span => span.literal.text)].join('{}');
}

/**
 * Whether two words stand in a row or around a hole, once tags, wire formats and shaders are left
 * out.
 */
function isSentence(text: string): boolean {
  if (text.includes('\r\n') || text.startsWith('#version ') || /^[a-z]+\(.*\)$/.test(text)) return false;
  if (/^[a-z]+-src /.test(text) || /^[\w.+-]+\/[\w.+-]+; ?[\w-]+=/.test(text)) return false;
  const words = text
    .replace(/<[^<>]*>/g, '')
    .match(/(?<![\p{L}\p{N}_.#-])\p{L}[\p{L}’'-]+(?![\p{L}\p{N}_])/gu);
  return (words?.length ?? 0) >= 2 && /[\p{L}\p{P}}] +[\p{L}{"“(]/u.test(text);
}

/**
 * Whether the literal is the message of t(…) or l10n.t(…), or a comment to translators beside it.
 */
function isTranslated(node: ts.Node): boolean {
  const argument = ts.isPropertyAssignment(node.parent) ? node.parent.parent : node;
  const call = argument.parent;
  if (ts.isArrayLiteralExpression(node.parent)) return isTranslated(node.parent);
  if (!ts.isCallExpression(call)) return false;
  const [, from, to] =
    messagePlaces.find(([callee]) => callee.test(call.expression.getText())) ?? ([undefined, 0, 0] as const);
  const place = call.arguments.indexOf(argument as ts.Expression);
  if (place < from || place >= to) return false;
  return (
    argument === node || /^(message|comment)$/.test((node.parent as ts.PropertyAssignment).name.getText())
  );
}

/** Which arguments of a call are messages for users: from a place up to another. */
const messagePlaces = [
  [/(^|\.)t$|^t\.later$|^reason$/, 0, 1],
  [/^t\.count$|^countedReason$/, 1, 3],
  [/^codedReason$/, 1, 2],
] as const;

/** Whether the literal is given as words from outside: those are never written here. */
function isQuoted(node: ts.Node): boolean {
  const { parent } = outermost(node);
  if (!ts.isCallExpression(parent)) return false;
  return parent.expression.getText() === 'quoted';
}

/**
 * Functions that compare or look up, and those that take selectors or class names: nothing of it is
 * shown.
 */
const lookups =
  /(^|\.)(includes|startsWith|endsWith|indexOf|has|closest|querySelector|querySelectorAll|matches|matchMedia|RegExp|toggle|icon)$/;

/** Attributes of JSX that name classes, elements and shapes. */
const silentAttributes =
  /^(class|className|style|role|id|for|htmlFor|d|transform|aria-(activedescendant|controls|describedby|details|labelledby|owns))$|Class$/;

function standsForNoLanguage(node: ts.Node): boolean {
  const top = outermost(node);
  const { parent } = top;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
    return lookups.test(parent.expression.getText());
  if (ts.isPropertyAssignment(parent))
    return parent.initializer === top && /^class$|Class$/.test(parent.name.getText());
  const attribute = ts.isJsxExpression(parent) ? parent.parent : parent;
  if (ts.isJsxAttribute(attribute)) return silentAttributes.test(attribute.name.getText());
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'split';
  if (!ts.isBinaryExpression(parent)) return false;
  if (parent.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return parent.right === top && /\.(className|font)$/.test(parent.left.getText());
  return [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
    parent.operatorToken.kind,
  );
}

function isException(subject: string, node: ts.Node): boolean {
  const names = exceptions.filter(exception => exception.subject === subject).map(({ within }) => within);
  for (let around = node; names.length > 0 && !ts.isSourceFile(around); around = around.parent) {
    const { name } = around as { name?: ts.Node };
    if (name && names.includes(name.getText())) return true;
  }
  return false;
}
