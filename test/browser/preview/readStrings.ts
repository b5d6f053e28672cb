import { readFileSync } from 'node:fs';

/** English strings of a page, read from the source of the panels (which need `vscode` to run). */
export function readStrings(page: 'table' | 'masks'): Record<string, string> {
  const files = ['pageStrings', ...(page === 'table' ? ['tablePageStrings'] : [])];
  const source = files.map(name => readFileSync(`src/ui/panels/${name}.ts`, 'utf8')).join('\n');
  const parts = source.split(/^(?:export )?function /m);
  const wanted = parts.filter(
    part => part.startsWith('sharedStrings') || (page === 'table') !== part.startsWith('masksPageStrings'),
  );
  const entries = wanted.flatMap(part => [
    ...part.matchAll(/(\w+): vscode\.l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"),?\s*\)/g),
  ]);
  return Object.fromEntries(entries.map(([, key = '', single, double]) => [key, single ?? double ?? '']));
}
