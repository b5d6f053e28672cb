// Finds texts of the pages that no page shows, keys with two texts, and calls whose number of arguments isn't that of the
// text's {0}, {1}…
// That a key exists is checked by the compiler: PageText knows its keys.
import { dirname, relative, sep } from 'node:path';
import ts from 'typescript';

/** The project's own pages: where their texts are defined, and the folders, or files, of the code that shows them. */
export const pages = [
  {
    texts: 'src/pages/tableTexts.ts',
    makes: 'tableTexts',
    folders: [
      'src/pages/page',
      'src/drawing/page',
      'src/linking/page',
      'src/table/page',
      'src/conditions/page',
      'src/formulas/page',
      'src/plots/page',
      'src/populations/page',
      'src/workbench/page',
    ],
  },
  {
    texts: 'src/pages/masksTexts.ts',
    makes: 'masksTexts',
    folders: ['src/pages/page', 'src/linking/page', 'src/masks/page'],
  },
  {
    texts: 'src/pages/compareTexts.ts',
    makes: 'compareTexts',
    folders: ['src/pages/page/openPage.ts', 'src/matching/page'],
  },
];

/** Returns one line for each problem; `config` is the tsconfig.json of the pages' code. */
export function pageTextProblems(config, pagesToCheck) {
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(json, ts.sys, dirname(config));
  const host = ts.createCompilerHost(options);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const program = ts.createProgram(fileNames, options, host);
  return pagesToCheck.flatMap(page => problemsOf(program, page));
}

function problemsOf(program, { texts, makes, folders }) {
  const checker = program.getTypeChecker();
  const messages = messagesOf(program, texts, makes);
  const used = new Set();
  const problems = [];
  const isInside = file => folders.some(folder => `${pathOf(file)}/`.startsWith(`${folder}/`));
  for (const file of program.getSourceFiles().filter(isInside)) {
    const visit = node => {
      if (isTextCall(checker, node)) {
        const [keyNode, ...args] = node.arguments;
        // A key that is passed on is a literal where it is passed.
        for (const key of namedKeys(checker.getTypeAtLocation(keyNode), messages)) {
          used.add(key).add(`${key}One`);
          const holes = holesOf(messages.get(key) ?? '');
          if (args.some(ts.isSpreadElement) || holes === args.length) continue;
          const { line } = file.getLineAndCharacterOfPosition(node.getStart());
          problems.push(`${pathOf(file)}:${line + 1}: "${key}" takes ${holes} arguments, not ${args.length}`);
        }
      } else if (ts.isStringLiteralLike(node) && messages.has(node.text)) {
        const expected = checker.getContextualType(node);
        if (expected && isAnyKey(expected, messages)) used.add(node.text).add(`${node.text}One`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  problems.push(...keysOfTwo(program, texts, makes).map(key => `${texts}: "${key}" has two texts`));
  const unused = [...messages.keys()].filter(key => !used.has(key));
  return [...problems, ...unused.map(key => `${texts}: no page code shows "${key}"`)];
}

function makerOf(program, path, makes) {
  const file = program.getSourceFiles().find(each => pathOf(each) === path);
  const made = file && program.getTypeChecker().getSymbolAtLocation(file)?.exports?.get(makes);
  if (!made) throw new Error(`${path} has no function ${makes}`);
  return made;
}

/** Keys that several of the objects have which the function spreads into one: the compiler takes the last. */
function keysOfTwo(program, path, makes) {
  const checker = program.getTypeChecker();
  const seen = new Set();
  const twice = new Set();
  const visit = node => {
    if (ts.isSpreadAssignment(node))
      for (const { name } of checker.getTypeAtLocation(node.expression).getProperties())
        (seen.has(name) ? twice : seen).add(name);
    ts.forEachChild(node, visit);
  };
  visit(makerOf(program, path, makes).valueDeclaration);
  return [...twice];
}

/** The texts by key, as the function defines them: `key: t('…')`; empty for texts that are computed. */
function messagesOf(program, path, makes) {
  const checker = program.getTypeChecker();
  const [signature] = checker.getTypeOfSymbol(makerOf(program, path, makes)).getCallSignatures();
  return new Map(
    signature
      .getReturnType()
      .getProperties()
      .map(property => {
        const initializer = property.valueDeclaration?.initializer;
        const message =
          initializer && ts.isCallExpression(initializer) ? initializer.arguments[0] : undefined;
        return [property.name, message && ts.isStringLiteralLike(message) ? message.text : ''];
      }),
  );
}

/** Whether a node is `text.get(key, …)` or `text.count(key, count, …)`. */
function isTextCall(checker, node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  if (!['get', 'count'].includes(node.expression.name.text) || node.arguments.length === 0) return false;
  return checker.getTypeAtLocation(node.expression.expression).getSymbol()?.name === 'PageText';
}

function literalsOf(type) {
  return (type.isUnion() ? type.types : [type]).filter(each => each.isStringLiteral());
}

/** The keys that an argument can be; empty where it can be any. */
function namedKeys(type, messages) {
  const literals = literalsOf(type);
  return isAnyKey(type, messages) ? [] : literals.map(({ value }) => value);
}

/** Whether a type is that of all keys of a page or of all that a part of it may use, not of a few alternatives. */
function isAnyKey(type, messages) {
  const literals = literalsOf(type);
  return literals.length > 30 && literals.every(({ value }) => messages.has(value));
}

/** How many placeholders a text has. */
function holesOf(message) {
  const places = [...message.matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place));
  return places.length === 0 ? 0 : Math.max(...places) + 1;
}

function pathOf(file) {
  return relative(process.cwd(), file.fileName).split(sep).join('/');
}
