import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Everything written by hand that may name a document or a file: code, tests, scripts and
 * documents.
 */
export function writtenFiles(root = '.'): string[] {
  return globSync(
    ['*.{md,mjs,json}', '{src,test,scripts,docs,.github,.vscode}/**/*.{ts,tsx,mts,mjs,cjs,md,json,yml}'],
    {
      cwd: root,
      exclude: path => path.endsWith('node_modules'),
    },
  )
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !path.endsWith('package-lock.json'))
    .sort();
}

/** Documents (*.md) that a file names and that aren't in the repository, as "path:line name". */
export function missingDocuments(path: string, text = readFileSync(path, 'utf8')): string[] {
  return namesIn(text, /(?<![\w*{}$./-])(?:[\w.-]+\/)*[\w-]+\.md\b/g)
    .filter(
      ({ name }) => ![join(dirname(path), name), name, join('docs', name)].some(place => existsSync(place)),
    )
    .map(({ line, name }) => `${path}:${line} ${name}`);
}

/**
 * Paths of the project's own files and folders that a document names and that aren't there, as
 * "path:line name".
 */
export function missingPaths(path: string, text = readFileSync(path, 'utf8')): string[] {
  return namesIn(
    text,
    /(?<=[`\s(│])(?:src|test|scripts|docs|media|l10n|\.github|\.vscode|\.ci)\/[\w./{},*-]*[\w*}/]/g,
  )
    .filter(({ name }) => (/[*{]/.test(name) ? globSync(name).length === 0 : !existsSync(name)))
    .map(({ line, name }) => `${path}:${line} ${name}`);
}

function namesIn(text: string, pattern: RegExp): { name: string; line: number }[] {
  return [...text.matchAll(pattern)].map(match => ({
    name: match[0],
    line: text.slice(0, match.index).split('\n').length,
  }));
}
