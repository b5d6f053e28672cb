import ts from 'typescript';
import type { SourceFile } from './sourceFile';

/** Words that say too little in the name of something exported: a noun stands there instead. */
const VAGUE = /(?:^(?:kept|told|tells|asked|asks|shared)|Kept|Told|Tells|Asked|Asks|Shared)(?![a-z])/;

/**
 * Names that are not of the glossary, as "path: name": exported ones with a vague word, and
 * `…Parts` as what a constructor depends on, but for `parts` that are really the parts of a whole.
 */
export function vagueNames(files: readonly SourceFile[], parts: readonly string[] = []): string[] {
  return files.flatMap(({ path, tree }) => {
    const names: string[] = tree.statements.flatMap(exportedNames).filter(name => VAGUE.test(name));
    const visit = (node: ts.Node) => {
      if (ts.isConstructorDeclaration(node)) names.push(...dependencies(node));
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return names.filter(name => !parts.includes(name)).map(name => `${path}: ${name}`);
  });
}

/** The types of a constructor's parameters that are called `…Parts`. */
function dependencies({ parameters }: ts.ConstructorDeclaration): string[] {
  const types = parameters.map(({ type }) => (type && ts.isTypeReferenceNode(type) ? type.typeName : type));
  return types.flatMap(type =>
    type && ts.isIdentifier(type) && /.Parts$/.test(type.text) ? [type.text] : [],
  );
}

function exportedNames(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
  return declared.flatMap(declaration => {
    const name = ts.getNameOfDeclaration(declaration as ts.Declaration);
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
}
