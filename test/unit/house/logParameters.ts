import ts from 'typescript';
import type { SourceFile } from './sourceFile';

/**
 * Functions that hand a parameter on as the text of an error or of a log entry and do nothing else
 * with it, such as `damaged(message)`: what is written there is for the log. Keys are
 * "path#function#index of the parameter".
 */
export type LogParameters = ReadonlySet<string>;

type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

/** Error classes whose message is for the log. Of CodedError it is the second argument. */
const errorMessages = new Map([
  ['Error', 0],
  ['TypeError', 0],
  ['RangeError', 0],
  ['CodedError', 1],
]);

const logLevels = new Set(['error', 'warn', 'info', 'debug', 'trace']);

/** Finds log parameters, also those that reach the log through another such function. */
export function findLogParameters(files: readonly SourceFile[]): LogParameters {
  const known = new Set<string>();
  const candidates = files.flatMap(file => [...namedFunctions(file)]);
  for (let before = -1; before !== known.size;) {
    before = known.size;
    for (const { file, name, node } of candidates) {
      node.parameters.forEach((parameter, index) => {
        const key = `${file.path}#${name}#${index}`;
        if (!known.has(key) && reachesOnlyTheLog(file, node, parameter, known)) known.add(key);
      });
    }
  }
  return known;
}

/** Whether an expression stands where the text of an error or of a log entry is expected. */
export function isForLog(file: SourceFile, expression: ts.Node, known: LogParameters): boolean {
  const top = outermost(expression);
  const call = top.parent;
  if (!ts.isCallExpression(call) && !ts.isNewExpression(call)) return false;
  const index = call.arguments?.indexOf(top as ts.Expression) ?? -1;
  if (index < 0) return false;
  const callee = call.expression;
  if (ts.isNewExpression(call)) return errorMessages.get(callee.getText()) === index;
  if (ts.isPropertyAccessExpression(callee)) {
    if (logLevels.has(callee.name.text) && /\blog$/.test(callee.expression.getText())) return index === 0;
    if (callee.expression.kind !== ts.SyntaxKind.ThisKeyword) return false;
    return known.has(`${file.path}#${callee.name.text}#${index}`);
  }
  if (!ts.isIdentifier(callee)) return false;
  return known.has(`${declaredIn(file, callee.text)}#${callee.text}#${index}`);
}

/**
 * The whole of the expression whose value a literal may become: around parentheses, `a ? b : c`, `a
 * + b`, `a ?? b`.
 */
export function outermost(node: ts.Node): ts.Node {
  let top = node;
  while (
    ts.isParenthesizedExpression(top.parent) ||
    (ts.isTemplateSpan(top.parent) && top.parent.expression === top) ||
    ts.isTemplateExpression(top.parent) ||
    (ts.isConditionalExpression(top.parent) && top.parent.condition !== top) ||
    (ts.isBinaryExpression(top.parent) && joins(top.parent.operatorToken.kind))
  ) {
    top = top.parent;
  }
  return top;
}

function joins(operator: ts.SyntaxKind): boolean {
  return (
    operator === ts.SyntaxKind.PlusToken ||
    operator === ts.SyntaxKind.QuestionQuestionToken ||
    operator === ts.SyntaxKind.BarBarToken
  );
}

function reachesOnlyTheLog(
  file: SourceFile,
  node: FunctionNode,
  parameter: ts.ParameterDeclaration,
  known: LogParameters,
): boolean {
  if (!ts.isIdentifier(parameter.name) || !node.body) return false;
  const name = parameter.name.text;
  let uses = 0;
  let elsewhere = 0;
  const visit = (child: ts.Node): void => {
    if (ts.isIdentifier(child) && child.text === name && !isPropertyName(child)) {
      uses += 1;
      if (!isForLog(file, child, known)) elsewhere += 1;
    }
    ts.forEachChild(child, visit);
  };
  visit(node.body);
  return uses > 0 && elsewhere === 0;
}

function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return ts.isPropertyAssignment(parent) && parent.name === node;
}

function* namedFunctions(
  file: SourceFile,
): Generator<{ file: SourceFile; name: string; node: FunctionNode }> {
  const nodes: ts.Node[] = [file.tree];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name)
      yield { file, name: node.name.getText(), node };
    if (ts.isVariableDeclaration(node) && node.initializer && isFunction(node.initializer))
      yield { file, name: node.name.getText(), node: node.initializer };
    ts.forEachChild(node, child => void nodes.push(child));
  }
}

function isFunction(node: ts.Expression): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** Path of the file that declares a name: the one it is imported from, or else this one. */
function declaredIn(file: SourceFile, name: string): string {
  for (const statement of file.tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    if (!bindings.elements.some(element => element.name.text === name)) continue;
    const { text } = statement.moduleSpecifier;
    return file.imports.find(({ specifier }) => specifier === text)?.target ?? file.path;
  }
  return file.path;
}
