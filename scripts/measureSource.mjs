// Counts what says how the code is cut: files, what they export, how far a journey leads, how pages
// are put together.
import ts from 'typescript';

/**
 * Counts of the code among `files` (path from the project's root → text; only what is under src
 * counts), with the journeys that `architecture`, a document in Markdown, tells. A subject is a
 * folder of src, or a file at its top; pages are what has a folder `page` or `webview` around it.
 */
export function measureSource(files, architecture) {
  const code = Object.entries(files).filter(([path]) => /^src\/.*\.tsx?$/.test(path));
  const subjects = {};
  const pages = { files: 0, characters: 0, options: 0, pushMethods: 0, pushedIntoViews: 0 };
  const all = { files: code.length, lines: 0, under40: 0, under30: 0, exported: 0 };
  for (const [path, text] of code) {
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    const subject = (subjects[path.split('/')[1]] ??= { files: 0, lines: 0 });
    subject.files++;
    subject.lines += lines;
    all.lines += lines;
    if (lines < 40) all.under40++;
    if (lines < 30) all.under30++;
    all.exported += exportedNames(tree).size;
    if (!/\/(page|webview)\//.test(path)) continue;
    pages.files++;
    pages.characters += text.length;
    const { options, pushMethods } = connections(tree);
    pages.options += options;
    pages.pushMethods += pushMethods.length;
    if (!isModel(path)) pages.pushedIntoViews += pushMethods.filter(isForOthers).length;
  }
  const sorted = Object.fromEntries(Object.entries(subjects).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...all, subjects: sorted, journeys: journeysOf(files, architecture), pages };
}

/** The names that a file exports; what it exports of another as a whole counts as one. */
function exportedNames(tree) {
  const names = new Set();
  for (const statement of tree.statements) {
    if (ts.isExportAssignment(statement)) names.add('default');
    else if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause } = statement;
      if (clause && ts.isNamedExports(clause)) clause.elements.forEach(({ name }) => names.add(name.text));
      else names.add(statement.getText());
    } else if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      if (ts.isVariableStatement(statement))
        for (const { name } of statement.declarationList.declarations) addBound(name, names);
      else names.add(statement.name?.text ?? 'default');
    }
  }
  return names;
}

/** Adds the names that a declaration binds: its own, or those of a pattern. */
function addBound(name, names) {
  if (ts.isIdentifier(name)) names.add(name.text);
  else for (const element of name.elements) if (ts.isBindingElement(element)) addBound(element.name, names);
}

/**
 * How the parts of a file are connected: options and parameters `onX`, and methods that are named
 * as those are by which others push a state.
 */
function connections(tree) {
  let options = 0;
  const pushMethods = [];
  const visit = node => {
    const name = node.name && ts.isIdentifier(node.name) ? node.name.text : '';
    if (isOption(node) && /^on[A-Z]/.test(name)) options++;
    if (isMethod(node) && /^(set|show|refresh|update)(?![a-z])/.test(name)) pushMethods.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { options, pushMethods };
}

/**
 * Whether a file of a page is a model of its store, by where it is or what it is called. There
 * `setRole` or `showList` is a verb, which a view calls when a person acts: nothing is pushed into
 * a view.
 */
function isModel(path) {
  return path.includes('/state/') || path.endsWith('Model.ts');
}

/** What is private nobody else calls. */
function isForOthers({ modifiers }) {
  return !modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
}

/** A member of a type or a class, or the parameter of a function that has a body. */
function isOption(node) {
  if (ts.isParameter(node)) return node.parent.body !== undefined;
  return ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isPropertyDeclaration(node);
}

/** A method with a body, also one that is written as a property. */
function isMethod(node) {
  if (ts.isMethodDeclaration(node)) return node.body !== undefined;
  if (!ts.isPropertyDeclaration(node) && !ts.isPropertyAssignment(node)) return false;
  const { initializer } = node;
  return (
    initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  );
}

/** By title, how many files of src each section "Journey: …" names. */
function journeysOf(files, architecture) {
  const sections = architecture.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections
      .filter(section => section.startsWith('Journey: '))
      .map(section => {
        const [title = ''] = section.slice('Journey: '.length).split('\n', 1);
        const named = section.match(/\bsrc\/[\w./-]*\w/g) ?? [];
        return [title, new Set(named.filter(path => path in files)).size];
      }),
  );
}
