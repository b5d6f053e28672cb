import ts from 'typescript';
import type { SourceFile } from './sourceFile';

/** Calls whose string arguments a user reads. */
const showingCalls = new Set([
  'showInformationMessage',
  'showWarningMessage',
  'showErrorMessage',
  'setStatusBarMessage',
  'showQuickPick',
  'MarkdownString',
  'appendMarkdown',
  'TreeItem',
]);

/** Properties, given or assigned, whose strings a user reads. */
const shownProperties = new Set([
  'title',
  'label',
  'detail',
  'description',
  'tooltip',
  'prompt',
  'placeHolder',
  'placeholder',
  'openLabel',
  'saveLabel',
  'validationMessage',
  'text',
  'badge',
  'textContent',
  'innerText',
  'alt',
  'ariaLabel',
  "'aria-description'",
  "'aria-label'",
  "'aria-placeholder'",
  "'aria-roledescription'",
  "'aria-valuetext'",
]);

/**
 * Calls whose object argument carries a `message` for the user, where elsewhere `message` is an
 * error's.
 */
const messageCalls = new Set(['report']);

/** Places where words are put on the screen without l10n.t, as `path:line "text"`. */
export function visibleLiterals({ path, tree }: SourceFile): string[] {
  const found: string[] = [];
  const add = (literal: Literal): void => {
    if (!hasWords(literal)) return;
    const written = literal.getText();
    // What JSX shows begins with the line break and the blanks before it.
    const start = literal.getStart() + written.length - written.trimStart().length;
    found.push(`${path}:${tree.getLineAndCharacterOfPosition(start).line + 1} ${written.trim()}`);
  };
  const look = (value: ts.Expression | undefined): void => literalsOf(value).forEach(add);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = calledName(node.expression);
      if (name !== undefined && showingCalls.has(name)) node.arguments?.forEach(look);
      if (name === 'setAttribute' && isShownAttribute(node.arguments?.[0])) look(node.arguments?.[1]);
    }
    if (ts.isPropertyAssignment(node) && isShownProperty(node)) look(node.initializer);
    if (isAssignmentToShown(node)) look(node.right);
    if (ts.isJsxText(node)) add(node);
    if (ts.isJsxExpression(node) && isShownInJsx(node)) look(node.expression);
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer)) {
      if (isShownName(node.name.getText())) add(node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function calledName(expression: ts.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

function isShownProperty(node: ts.PropertyAssignment): boolean {
  const name = node.name.getText();
  if (shownProperties.has(name)) return true;
  const call = node.parent.parent;
  return (
    name === 'message' && ts.isCallExpression(call) && messageCalls.has(calledName(call.expression) ?? '')
  );
}

/** Whether an element's attribute of this name is seen or read aloud. */
function isShownAttribute(name: ts.Expression | undefined): boolean {
  return name !== undefined && ts.isStringLiteral(name) && isShownName(name.text);
}

function isShownName(name: string): boolean {
  return shownProperties.has(name) || shownProperties.has(`'${name}'`);
}

/** Whether braces in JSX stand between tags or are the value of such an attribute. */
function isShownInJsx({ parent }: ts.JsxExpression): boolean {
  return !ts.isJsxAttribute(parent) || isShownName(parent.name.getText());
}

function isAssignmentToShown(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    (shownProperties.has(node.left.name.text) || node.left.name.text === 'message')
  );
}

type Literal = ts.StringLiteralLike | ts.TemplateExpression | ts.JsxText;

/** The literals an expression may come out as; what a call returns is not looked at. */
function literalsOf(value: ts.Expression | undefined): Literal[] {
  if (!value) return [];
  if (ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)) return [value];
  if (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) return literalsOf(value.expression);
  if (ts.isConditionalExpression(value))
    return [...literalsOf(value.whenTrue), ...literalsOf(value.whenFalse)];
  if (ts.isArrayLiteralExpression(value)) return value.elements.flatMap(literalsOf);
  if (ts.isBinaryExpression(value)) return operandsOf(value).flatMap(literalsOf);
  return [];
}

/** The operands that an operation may come out as, in whole or in part. */
function operandsOf({ left, operatorToken, right }: ts.BinaryExpression): ts.Expression[] {
  switch (operatorToken.kind) {
    case ts.SyntaxKind.PlusToken:
    case ts.SyntaxKind.BarBarToken:
    case ts.SyntaxKind.QuestionQuestionToken:
      return [left, right];
    case ts.SyntaxKind.AmpersandAmpersandToken:
      return [right];
    default:
      return [];
  }
}

/** Whether any letters are left besides codicons, addresses, entities and what is put in. */
function hasWords(literal: Literal): boolean {
  const text = ts.isTemplateExpression(literal)
    ? [literal.head.text, ...literal.templateSpans.map(span => span.literal.text)].join(' ')
    : literal.text;
  return /\p{L}/u.test(text.replace(/\$\([^)]*\)|https?:\/\/\S+|&#?\w+;/g, ''));
}
