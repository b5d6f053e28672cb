import { globSync, readFileSync } from 'node:fs';

const MOST_LINES = 400;

/** Paths of everything written as code: the project's own, its tests and its scripts. */
export function codeFiles(): string[] {
  return globSync(['*.mjs', '{src,test,scripts}/**/*.{ts,mts,mjs,cjs}'], {
    exclude: path => path.endsWith('node_modules'),
  })
    .map(path => path.replaceAll('\\', '/'))
    .sort();
}

/** Those of the files that have more lines than one can keep in mind, as "path: lines". */
export function longFiles(paths: readonly string[], most = MOST_LINES): string[] {
  return paths.flatMap(path => {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').length;
    return lines > most ? [`${path}: ${lines} lines`] : [];
  });
}
