import ts from 'typescript';
import type { SourceFile } from './sourceFile';

/** Names that more than one file exports as a type, a class or an enum, as "Name: path, path". */
export function sharedTypeNames(files: readonly SourceFile[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, tree } of files) {
    for (const name of exportedTypes(tree)) paths.set(name, [...(paths.get(name) ?? []), path]);
  }
  return [...paths]
    .filter(([, declaredIn]) => declaredIn.length > 1)
    .map(([name, declaredIn]) => `${name}: ${declaredIn.join(', ')}`)
    .sort();
}

function exportedTypes(tree: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of tree.statements) {
    const declaresType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    if (!declaresType || !statement.name) continue;
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      names.add(statement.name.text);
  }
  return names;
}
