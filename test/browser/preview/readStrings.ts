import { readFileSync } from 'node:fs';

/** English strings of a page, read from the source of the panels (which need `vscode` to run). */
export function readStrings(page: 'table' | 'masks'): Record<string, string> {
  const source = readFileSync('src/ui/panels/pageStrings.ts', 'utf8');
  const parts = source.split(/^(?:export )?function /m);
  const wanted = parts.filter(
    part => part.startsWith('sharedStrings') || part.startsWith(`${page}PageStrings`),
  );
  const entries = wanted.flatMap(part => [
    ...part.matchAll(/(\w+): vscode\.l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"),?\s*\)/g),
  ]);
  return Object.fromEntries(entries.map(([, key = '', single, double]) => [key, single ?? double ?? '']));
}
