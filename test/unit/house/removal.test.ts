import { deepEqual, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';

/*
 * The removal test. A subject can be taken out: without its folder and its tests, and without its
 * lines in the lists, all other code compiles, the tests of other subjects among it. So whoever
 * reads another subject needs to know nothing of it, and a new one is added the same way.
 */

/**
 * Subjects that can be taken out. What is put together of several is checked without them: the
 * lists, benches, faults.
 */
const REMOVABLE = [
  'parquet',
  'study',
  'formulas',
  'plots',
  'plates',
  'populations',
  'export',
  'comparison',
  'datasets',
];

/** Subjects that another one can't do without: it goes with them. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = { plates: ['study'] };

/** A subject with those that require it. */
const withRequiring = (subject: string) => [
  subject,
  ...REMOVABLE.filter(other => REQUIRED[other]?.includes(subject)),
];

/** The code of the host, and that of pages, each with its tests. */
const PROJECTS = ['tsconfig.json', 'src/tsconfig.json', 'test/unit/tsconfig.json'];

/** What they consist of. */
const SOURCES = new Set(['.ts', '.tsx', '.mts', '.json']);

/** Where subjects are listed, and what knows all of them. */
const LISTS =
  /^(src\/workbench|src\/results\/node\/tableFormats|src\/extension\.ts|test\/unit\/(workbench|recordedStore|linking\/studies|parquet\/engine\/(duckDb|parquetDataset)\.)|test\/(bench|browser|faults|store|golden|integration))/;

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

/**
 * A copy of the code without some subjects, in a folder of `out`, from which packages are found as
 * well.
 */
function copyWithout(subjects: readonly string[]): string {
  const isGone = (path: string) => subjects.some(subject => isOf(subject, path));
  mkdirSync('out', { recursive: true });
  const copy = mkdtempSync(join('out', 'removal-'));
  for (const path of ['package.json', 'tsconfig.json', 'l10n', 'src', 'scripts', 'test'])
    cpSync(path, join(copy, path), {
      recursive: true,
      filter: source => {
        const from = source.replaceAll('\\', '/');
        return !isGone(`${from}/`) && (extname(from) === '' || SOURCES.has(extname(from)));
      },
    });
  const listed = ['src/**/*.ts', 'test/unit/**/*.ts', 'test/browser/preview/*.ts'];
  for (const path of globSync(listed, { cwd: copy }).map(slashes)) {
    if (!LISTS.test(path)) continue;
    // Its own tests know all that it lists.
    if (path.startsWith('test/unit/')) rmSync(join(copy, path));
    else {
      const list = readFileSync(path, 'utf8');
      writeFileSync(join(copy, path), subjects.reduce(withoutSubject, list));
    }
  }
  return copy;
}

/** What doesn't compile in a copy of a project, in the words of the compiler. */
async function errorsIn(copy: string, project: string): Promise<string[]> {
  // The first of them includes all of test as well.
  if (project === 'tsconfig.json') {
    const config = JSON.parse(readFileSync(project, 'utf8')) as object;
    writeFileSync(join(copy, project), JSON.stringify({ ...config, include: ['src', 'test/unit'] }));
  }
  const compiler = spawn(
    process.execPath,
    // One checker: what several find out each for itself costs more than they save.
    [
      'node_modules/typescript-native/bin/tsc',
      '-p',
      join(copy, project),
      '--checkers',
      '1',
      '--pretty',
      'false',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { GOGC: '400', ...process.env } },
  );
  let output = '';
  compiler.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) =>
    compiler.once('error', reject).once('close', resolve),
  );
  const errors = output.split('\n').filter(line => line !== '');
  deepEqual(errors.length === 0, code === 0, `The compiler ended with ${code}`);
  return errors;
}

const slashes = (path: string) => path.replaceAll('\\', '/');

/** What of the code imports from a subject. */
function knowing(subject: string): string[] {
  const imports = /\b(?:from|import|import\()\s*'(\.[^']*)'/g;
  return globSync('src/**/*.{ts,tsx}')
    .map(slashes)
    .filter(path => !isOf(subject, path))
    .filter(path =>
      [...readFileSync(path, 'utf8').matchAll(imports)].some(([, to = '']) =>
        isOf(subject, posix.join(dirname(path), to)),
      ),
    );
}

describe('A subject that can be taken out', () => {
  for (const subject of REMOVABLE) {
    it(`is known to the lists alone: ${subject}`, () => {
      const known = knowing(subject);
      ok(known.length > 0, 'No list has it');
      deepEqual(
        known.filter(path => !LISTS.test(path) && !withRequiring(subject).some(other => isOf(other, path))),
        [],
      );
    });
  }

  // Each by itself in the full suite alone.
  for (const subjects of process.env['IA_FULL'] ? REMOVABLE.map(withRequiring) : [REMOVABLE])
    describe(`leaves code that compiles, tests of others among it: ${subjects.join(', ')}`, () => {
      let copy: string;
      before(() => (copy = copyWithout(subjects)));
      after(() => rmSync(copy, { recursive: true, maxRetries: 5 }));

      for (const project of PROJECTS)
        it(project, async () => {
          deepEqual(await errorsIn(copy, project), []);
        });
    });

  it('is found to be known where a line stays in a list', () => {
    const list = readFileSync('src/workbench/engine/resultEngine.ts', 'utf8');
    const without = withoutSubject(list, 'comparison');
    ok(list.includes('comparisonHandlers') && !without.includes('comparisonHandlers'));
    ok(without.includes('exportHandlers'));
  });
});
