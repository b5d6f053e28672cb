import ts from 'typescript';

/** Lines with a catch block without a statement. */
export function emptyCatches(path: string, text: string): string[] {
  // Parsing is slow, and most files have none.
  if (!/\bcatch\b[^{]*\{\s*(\}|\/\/|\/\*)/.test(text)) return [];
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCatchClause(node) && node.block.statements.length === 0)
      found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
