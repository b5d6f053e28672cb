import ts from 'typescript';
import type { SourceFile } from './sourceFile';

/** The options of a command: whether each may be missing. */
export type DeclaredOptions = Record<string, 'required' | 'optional'>;

/**
 * The commands that the `…Commands` functions of editor folders return, read from their source:
 * they need VS Code to run.
 */
export function declaredCommands(sources: readonly SourceFile[]): Record<string, DeclaredOptions> {
  const files = sources.filter(({ path }) => /^src\/\w+\/editor\/\w+Commands\.tsx?$/.test(path));
  return Object.fromEntries(files.flatMap(({ tree }) => commandsOf(tree, sources)));
}

/** A file may hold the commands of several functions. */
function commandsOf(tree: ts.SourceFile, sources: readonly SourceFile[]): [string, DeclaredOptions][] {
  return tree.statements.flatMap(statement => {
    const isDeclaring =
      ts.isFunctionDeclaration(statement) && /^\w+Commands$/.test(statement.name?.text ?? '');
    const result = isDeclaring
      ? statement.body?.statements.findLast(ts.isReturnStatement)?.expression
      : undefined;
    if (!result || !ts.isObjectLiteralExpression(result)) return [];
    return result.properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => {
      const called =
        ts.isCallExpression(initializer) && ts.isIdentifier(initializer.expression)
          ? initializer.expression.text
          : '';
      const declaration = called === 'command' ? initializer : variable(tree, called);
      return [name.getText(), declaration ? optionsIn(declaration, sources) : {}] as [
        string,
        DeclaredOptions,
      ];
    });
  });
}

function variable(tree: ts.SourceFile, name: string): ts.Node | undefined {
  return search(tree, node =>
    ts.isVariableDeclaration(node) && node.name.getText() === name ? node.initializer : undefined,
  );
}

/** The options of the first `command({ options: { … } })` below a node. */
function optionsIn(node: ts.Node, sources: readonly SourceFile[]): DeclaredOptions {
  const options = search(node, one =>
    ts.isPropertyAssignment(one) && one.name.getText() === 'options' ? one.initializer : undefined,
  );
  return options ? propertiesOf(options, sources) : {};
}

/** Those of an object, and of others that are spread into it. */
function propertiesOf(object: ts.Node, sources: readonly SourceFile[]): DeclaredOptions {
  if (!ts.isObjectLiteralExpression(object)) return {};
  const parts = object.properties.map((property): DeclaredOptions => {
    if (ts.isPropertyAssignment(property)) {
      const isOptional = property.initializer.getText().startsWith('optional');
      return { [property.name.getText()]: isOptional ? 'optional' : 'required' };
    }
    const name = ts.isSpreadAssignment(property) ? property.expression.getText() : '';
    const tree = sources.find(({ text }) => text.includes(`export const ${name} = {`))?.tree;
    const spread = tree && variable(tree, name);
    return spread ? propertiesOf(spread, sources) : {};
  });
  return Object.assign({}, ...parts) as DeclaredOptions;
}

function search<T>(node: ts.Node, find: (node: ts.Node) => T | undefined): T | undefined {
  return find(node) ?? ts.forEachChild(node, child => search(child, find));
}
