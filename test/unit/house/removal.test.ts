import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';
import { readSources } from './sourceFile';

/*
 * The removal test. A subject can be taken out: without its folder and its tests, and without its lines in the lists, all other
 * code compiles, the tests of other subjects among it. So whoever reads another subject needs to know nothing of it, and a new
 * one is added the same way.
 */

/** Subjects that can be taken out. What is put together of several is checked without them: the lists, benches, faults. */
const REMOVABLE = ['parquet', 'formulas', 'plots', 'export', 'matching', 'datasets'];

/** The code of the host, and that of pages, each with its tests. */
const PROJECTS = ['tsconfig.json', 'src/tsconfig.json', 'test/unit/tsconfig.json'];

/** Where subjects are listed, and what knows all of them. */
const LISTS =
  /^(src\/workbench|src\/results\/node\/tableFormats|src\/extension\.ts|test\/unit\/(workbench|recordedStore|linking\/studies|parquet\/engine\/(duckDb|parquetDataset)\.)|test\/(bench|faults|store|golden|integration))/;

/** A list without the lines that import from a subject, and those that name what these import. */
function withoutSubject(text: string, subject: string): string {
  const lines = text.split('\n');
  const names = lines.flatMap(line => {
    const [, imported = ''] =
      new RegExp(`^import (?:type )?\\{([^}]*)\\} from '[^']*/${subject}/`).exec(line) ?? [];
    return imported
      .split(',')
      .map(name => name.trim().replace(/^type /, ''))
      .filter(name => name !== '');
  });
  const named = new RegExp(`\\b(${names.join('|')})\\b`);
  if (names.length === 0) return text;
  // A short list stands in one line: of that only the names go.
  const short = new RegExp(`\\b(${names.join('|')})\\b,? ?`, 'g');
  const kept = lines.flatMap(line => {
    if (!named.test(line)) return [line];
    return / = \[.*\];$/.test(line) ? [line.replace(short, '')] : [];
  });
  return kept.join('\n');
}

const isOf = (subject: string, path: string) => new RegExp(`^(src|test/unit)/${subject}/`).test(path);

/** What doesn't compile without some subjects: path and message. `project`: the host's code, or that of pages, with their tests. */
function errorsWithout(
  project: string,
  subjects: readonly string[],
  parsed: Map<string, ts.SourceFile | undefined>,
): string[] {
  const isGone = (path: string) => subjects.some(subject => isOf(subject, path));
  const { config } = ts.readConfigFile(project, path => ts.sys.readFile(path)) as { config: object };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(project));
  const pathOf = (file: string) => relative('.', file).replaceAll('\\', '/');
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile } = host;
  host.fileExists = file => !isGone(pathOf(file)) && fileExists(file);
  host.readFile = file => (isGone(pathOf(file)) ? undefined : readFile(file));
  host.getSourceFile = (file, version) => {
    const path = pathOf(file);
    if (isGone(path)) return undefined;
    const text = LISTS.test(path) ? subjects.reduce(withoutSubject, readFile(file) ?? '') : undefined;
    if (text !== undefined) return ts.createSourceFile(file, text, version, true);
    const key = resolve(file);
    if (!parsed.has(key)) {
      const own = readFile(file);
      parsed.set(key, own === undefined ? undefined : ts.createSourceFile(file, own, version, true));
    }
    return parsed.get(key);
  };
  const left = fileNames.filter(file => {
    const path = pathOf(file);
    return path.startsWith('src/')
      ? !isGone(path)
      : path.startsWith('test/unit/') && !LISTS.test(path) && !isGone(path);
  });
  const program = ts.createProgram(left, options, host);
  return program
    .getSemanticDiagnostics()
    .map(
      ({ file, messageText }) =>
        `${pathOf(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

describe('A subject that can be taken out', () => {
  const parsed = new Map<string, ts.SourceFile | undefined>();

  for (const subject of REMOVABLE) {
    it(`is known to the lists alone: ${subject}`, () => {
      const knowing = readSources().filter(
        ({ path, imports }) =>
          !isOf(subject, path) &&
          !LISTS.test(path) &&
          imports.some(({ target = '' }) => isOf(subject, target)),
      );
      deepEqual(
        knowing.map(({ path }) => path),
        [],
      );
    });
  }

  // To check all of the code takes seconds: each by itself in the full suite alone.
  for (const subjects of process.env['IA_FULL'] ? REMOVABLE.map(subject => [subject]) : [REMOVABLE])
    for (const project of PROJECTS)
      it(`leaves code that compiles, tests of others among it: ${subjects.join(', ')} (${project})`, () => {
        deepEqual(errorsWithout(project, subjects, parsed), []);
      });

  it('is found to be known where a line stays in a list', () => {
    const list = readFileSync('src/workbench/engine/resultEngine.ts', 'utf8');
    const without = withoutSubject(list, 'matching');
    ok(list.includes('matchingHandlers') && !without.includes('matchingHandlers'));
    ok(without.includes('exportHandlers'));
  });
});
