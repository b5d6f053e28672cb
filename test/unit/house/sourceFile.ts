import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/** One import, export-from, import type or dynamic import of a file. */
export interface Import {
  line: number;
  /** As written. */
  specifier: string;
  /** Path of the file it leads to, from the project's root; undefined for a package. */
  target?: string;
  /** Erased by the compiler: nothing of it is there at run time. */
  typeOnly: boolean;
}

export interface SourceFile {
  /** From the project's root, with slashes. */
  path: string;
  text: string;
  tree: ts.SourceFile;
  imports: Import[];
}

/**
 * This project's own, parsed once for the test files of a process; not held for the other tests of
 * it.
 */
let ownSources: WeakRef<readonly SourceFile[]> | undefined;

/**
 * Every TypeScript file under src/ of a project, of this one by default: the tests run at its root.
 */
export function readSources(root = '.'): readonly SourceFile[] {
  const own = root === '.' ? ownSources?.deref() : undefined;
  if (own) return own;
  const paths = globSync('src/**/*.{ts,tsx}', { cwd: root }).map(path => path.replaceAll('\\', '/'));
  const known = new Set(paths);
  const exists = (path: string) => (path.startsWith('src/') ? known.has(path) : existsSync(join(root, path)));
  const sources = paths
    .filter(path => !path.endsWith('.d.ts'))
    .sort()
    .map(path => parseSource(path, readFileSync(join(root, path), 'utf8'), exists));
  if (root === '.') ownSources = new WeakRef(sources);
  return sources;
}

/**
 * Parses one file's text; `path` says where its relative imports start, and whether it may have
 * JSX.
 */
export function parseSource(
  path: string,
  text: string,
  exists: (path: string) => boolean = existsSync,
): SourceFile {
  // What comments say of types no check reads.
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const tree = ts.createSourceFile(path, text, options, true);
  const imports: Import[] = [];
  const add = (node: ts.Node, specifier: string, typeOnly: boolean) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const relative = specifier.startsWith('.');
    const target = relative ? withExtension(posix.join(dirname(path), specifier), exists) : undefined;
    imports.push({ line, specifier, typeOnly, ...(target !== undefined && { target }) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node, node.moduleSpecifier.text, isErasedImport(node.importClause));
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node, node.moduleSpecifier.text, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      if (ts.isStringLiteral(node.argument.literal)) add(node, node.argument.literal.text, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteralLike(argument)) add(node, argument.text, false);
    } else if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'require'
    ) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteralLike(argument)) add(node, argument.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, text, tree, imports };
}

function isErasedImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every(element => element.isTypeOnly);
}

function withExtension(path: string, exists: (path: string) => boolean): string {
  if (/\.(css|wasm|json)$/.test(path)) return path;
  return exists(`${path}.tsx`) ? `${path}.tsx` : `${path}.ts`;
}
