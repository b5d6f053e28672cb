import { deepEqual, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** Keys of one function of pageStrings or tablePageStrings, which cannot be run here: they need vscode. */
function keysOf(functionName: string): string[] {
  const source = ['pageStrings', 'tablePageStrings']
    .map(name => readFileSync(`src/ui/panels/${name}.ts`, 'utf8'))
    .join('\n');
  const part = source.split(/^(?:export )?function /m).find(each => each.startsWith(functionName)) ?? '';
  return [...part.matchAll(/^ {4}(\w+): vscode\.l10n\.t\(/gm)].map(match => match[1] ?? '');
}

function quotedWords(pattern: string): Set<string> {
  const sources = globSync(pattern).map(file => readFileSync(file, 'utf8'));
  return new Set(sources.flatMap(source => [...source.matchAll(/'(\w+)'/g)].map(match => match[1] ?? '')));
}

/** Keys asked for by name; others are put together and listed by the words they are made of. */
function askedFor(pattern: string): Set<string> {
  const sources = globSync(pattern).map(file => readFileSync(file, 'utf8'));
  return new Set(
    sources.flatMap(source =>
      [...source.matchAll(/text\s*\.(?:get|count)\(\s*'(\w+)'/g)].map(match => match[1] ?? ''),
    ),
  );
}

describe('the pages’ strings', () => {
  const shared = keysOf('sharedStrings');
  const pages = [
    { page: 'table', keys: [...shared, ...['gridStrings', 'filterStrings', 'plotStrings'].flatMap(keysOf)] },
    { page: 'masks', keys: [...shared, ...keysOf('masksPageStrings')] },
  ];

  for (const { page, keys } of pages) {
    it(`hold every text that the ${page} page asks for`, () => {
      const asked = [
        ...askedFor(`src/webview/${page === 'table' ? '{table,plots}' : page}/*.ts`),
        ...askedFor('src/webview/*.ts'),
      ];
      ok(asked.length > 20);
      deepEqual(
        asked.filter(key => !keys.includes(key)),
        [],
      );
    });

    it(`hold no text that the ${page} page never shows`, () => {
      const used = quotedWords('src/webview/**/*.ts');
      // Singulars are asked for by their plural; the hints of an empty table by its title.
      const plain = keys.map(key => key.replace(/One$/, '').replace(/^(noRows|noColumns)Hint$/, '$1'));
      deepEqual(
        plain.filter(key => !used.has(key)),
        [],
      );
    });
  }
});
