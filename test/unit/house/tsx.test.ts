import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { collectStrings } from '../../../scripts/l10nStrings.mjs';
import { projects } from '../../../scripts/projects.mjs';
import { testFiles } from '../../../scripts/selectTests.mjs';
import { itWith } from '../capabilities';
import { declaredCommands } from './declaredCommands';
import { emptyCatches } from './emptyCatches';
import { englishSentences } from './englishSentences';
import { sharedTypeNames } from './exportedTypes';
import { findLogParameters } from './logParameters';
import { missingDocuments, writtenFiles } from './references';
import { folderCircles, reexports } from './rooms';
import { readSources } from './sourceFile';
import { shownDirectly } from './surfaces';
import { visibleLiterals } from './visibleLiterals';

/** What `check` says of a project of these files. */
function inProject<T>(files: Record<string, string>, check: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), 'tsx-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return check(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Files in JSX that together violate what each check of sources demands. */
const violating = {
  'src/pages/page/widgets/a.tsx': `
import { B } from '../../../plots/page/b';
export interface Row {}
export const a = <B title="Rows">Too long</B>;
`,
  'src/plots/page/b.tsx': `
import { a } from '../../pages/page/widgets/a';
export interface Row {}
export const B = () => <p>{a}</p>;
`,
  'src/jobs/editor/c.tsx': 'export const run = 1;',
  'src/table/page/grid/a.tsx': "import type { Rows } from '../rows/b';\nexport interface Grid { rows: Rows }",
  'src/table/page/rows/b.tsx': "import type { Grid } from '../grid/a';\nexport interface Rows { grid: Grid }",
  'src/jobs/editor/index.tsx': "export { run } from './c';",
  'src/jobs/editor/d.tsx': 'void vscode.window.showErrorMessage(<b />);\ntry {\n  d();\n} catch {}',
  'src/jobs/editor/someCommands.tsx': `
export function someCommands() {
  return { some: command({ options: { id: optional(string()) } }) };
}`,
};

describe('In .tsx files too', () => {
  for (const [what, check, expected] of [
    [
      'folders beside each other have an order',
      folderCircles,
      [
        'src/table/page/grid/a.tsx imports src/table/page/rows/b.tsx; src/table/page/rows/b.tsx imports src/table/page/grid/a.tsx',
      ],
    ],
    ['nothing is exported again', reexports, ["src/jobs/editor/index.tsx: export { run } from './c';"]],
    [
      'exported types have names of their own',
      sharedTypeNames,
      ['Row: src/pages/page/widgets/a.tsx, src/plots/page/b.tsx'],
    ],
    [
      'texts reach surfaces through the files for that',
      sources => sources.flatMap(shownDirectly),
      ['src/jobs/editor/d.tsx:1 vscode.window.showErrorMessage'],
    ],
    [
      'no literal is shown',
      sources => sources.flatMap(visibleLiterals),
      ['src/pages/page/widgets/a.tsx:4 "Rows"', 'src/pages/page/widgets/a.tsx:4 Too long'],
    ],
    [
      'no sentence is written outside l10n',
      sources => sources.flatMap(file => englishSentences(file, findLogParameters(sources))),
      ['src/pages/page/widgets/a.tsx:4 Too long'],
    ],
    [
      'no catch block is empty',
      sources => sources.flatMap(({ path, text }) => emptyCatches(path, text)),
      ['src/jobs/editor/d.tsx:4'],
    ],
    ['commands are declared', sources => Object.keys(declaredCommands(sources)), ['some']],
  ] satisfies [string, (sources: ReturnType<typeof readSources>) => unknown, string[]][]) {
    it(what, () =>
      deepEqual(
        inProject(violating, root => check(readSources(root))),
        expected,
      ),
    );
  }

  it('strings are collected for translators, and computed ones reported', () => {
    const text = "export const a = <p title={t(name)}>{t('Two words')}</p>;";
    deepEqual(
      inProject({ 'src/words/a.tsx': text }, root => collectStrings(root)),
      {
        bundle: { 'Two words': 'Two words' },
        reasons: {},
        computed: [join('src/words/a.tsx:1')],
        unfilled: [],
      },
    );
  });

  it('documents that are named exist', () => {
    const missing = ['no-such-document', 'md'].join('.');
    const files = { 'src/a.tsx': `// See ${missing}.`, 'test/unit/b.tsx': '' };
    const found = inProject(files, root => writtenFiles(root));
    deepEqual(found, ['src/a.tsx', 'test/unit/b.tsx']);
    deepEqual(missingDocuments('src/a.tsx', files['src/a.tsx']), [`src/a.tsx:1 ${missing}`]);
  });

  it('tests are found', () => {
    const files = { 'test/unit/page/a.test.tsx': '', 'test/unit/page/b.tsx': '' };
    deepEqual(
      inProject(files, root => testFiles('unit', ['page'], root)),
      ['test/unit/page/a.test.tsx'],
    );
  });

  itWith('folderLinks')('types are checked, in every folder', () => {
    const code = globSync('{src,test}/**/*.ts', { exclude: path => path.endsWith('node_modules') });
    const folders = new Set(code.map(path => dirname(path.replaceAll('\\', '/'))));
    const probes = [...folders].map(folder => `${folder}/probe.tsx`);
    const files = Object.fromEntries(probes.map(path => [path, "export const a: number = 'b';\n"]));
    const reported = inProject(files, root => {
      symlinkSync(resolve('node_modules'), join(root, 'node_modules'), 'junction');
      for (const config of projects()) copyFileSync(config, join(root, config));
      return projects().flatMap(config => {
        const compiler = resolve('node_modules/typescript-native/bin/tsc');
        const args = [compiler, '-p', config, '--pretty', 'false', '--checkers', '1'];
        const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
        return [...stdout.matchAll(/^(\S+)\(1,14\): error TS2322/gm)].map(([, path = '']) =>
          path.replaceAll('\\', '/'),
        );
      });
    });
    deepEqual([...new Set(reported)].sort(), probes.sort());
  });

  it('code is formatted', () => {
    const files = {
      'src/good.tsx': "export const a = <p class='b'>{c}</p>;\n".replaceAll("'", '"'),
      'src/bad.tsx': 'export const a=<p>{ b }</p>\n',
    };
    const reported = inProject(files, root => {
      copyFileSync('.oxfmtrc.json', join(root, '.oxfmtrc.json'));
      const args = [resolve('node_modules/oxfmt/bin/oxfmt'), '--check'];
      const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
      return stdout.match(/\b(?:good|bad)\.tsx\b/g);
    });
    deepEqual(reported, ['bad.tsx']);
  });
});
