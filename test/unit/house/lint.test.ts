import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { emptyCatches } from './emptyCatches';
import { everywhere, inScripts, inTypeScript } from './lintViolations';

const CONFIG = '.oxlintrc.json';
/** Rules that the parser enforces, as what violates them is no module in strict mode. */
const SYNTAX = ['no-dupe-args', 'no-nonoctal-decimal-escape', 'no-octal'];
const SYNTAX_OF_SCRIPTS = [...SYNTAX, 'no-delete-var', 'no-with'];

interface Report {
  diagnostics: { code?: string; filename: string }[];
}

/**
 * The rules that each of the files violates under the project's configuration; "syntax" for what
 * has no rule, as where one can't be parsed.
 */
function lint(files: Map<string, string>): Map<string, string[]> {
  // Not in out/, which git ignores, and so oxlint does.
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  try {
    copyFileSync(CONFIG, join(folder, CONFIG));
    const compilerOptions = {
      ...{ strict: true, module: 'ESNext', moduleResolution: 'bundler', target: 'ES2023', noEmit: true },
      ...{ jsx: 'preserve' },
      ...{ types: ['node', 'mocha'], typeRoots: [resolve('node_modules/@types')] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [resolve('node_modules/oxlint/bin/oxlint'), '--type-aware', '--format=json', `--config=${CONFIG}`],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
    );
    equal(stderr, '');
    const found = new Map([...files.keys()].map(path => [path, [] as string[]]));
    for (const { code, filename } of (JSON.parse(stdout) as Report).diagnostics) {
      const [, plugin, rule] = /^([\w-]+)\((.*)\)$/.exec(code ?? '') ?? [];
      const name = rule === undefined ? 'syntax' : plugin === 'eslint' ? rule : `${plugin}/${rule}`;
      found.get(filename.replaceAll('\\', '/'))?.push(name);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Those of the violations that the linter does not report as one of their rule, with what it
 * reports.
 */
function unreported(violations: Record<string, string>, extension: string, syntax: string[]) {
  const paths = new Map(Object.keys(violations).map(rule => [rule, `src/${rule}.${extension}`]));
  const found = lint(new Map([...paths].map(([rule, path]) => [path, violations[rule] ?? ''])));
  return [...paths].flatMap(([rule, path]) => {
    const rules = found.get(path) ?? [];
    const isReported = rules.includes(syntax.includes(rule) ? 'syntax' : rule);
    return isReported ? [] : [`${rule}: ${rules.join(', ') || 'nothing'}`];
  });
}

describe('The linter', () => {
  it('reports a violation of each rule in TypeScript', () => {
    deepEqual(unreported({ ...everywhere, ...inTypeScript }, 'ts', SYNTAX), []);
  });

  it('reports a violation of each rule in TypeScript with JSX', () => {
    const inJsx = {
      ...{ ...everywhere, ...inTypeScript },
      eqeqeq: 'export const f = (a: number) => <p title={a == 1}>{a}</p>;',
      'typescript/no-unsafe-member-access': "export const a = <p>{JSON.parse('1').b}</p>;",
    };
    deepEqual(unreported(inJsx, 'tsx', SYNTAX), []);
  });

  it('reports a violation of each rule in scripts', () => {
    deepEqual(unreported({ ...everywhere, ...inScripts }, 'mjs', SYNTAX_OF_SCRIPTS), []);
  });

  it('reports a comment that turns off a rule where nothing violates it', () => {
    const comment = '// oxlint-disable-next-line no-var\n';
    const files = new Map([
      ['src/idle.ts', `${comment}export const a = 1;\n`],
      ['src/needed.ts', `${comment}export var a = 1;\n`],
    ]);
    deepEqual([...lint(files).values()], [['syntax'], []]);
  });

  it('has no rule without a violation here', () => {
    const config = JSON.parse(readFileSync(CONFIG, 'utf8')) as {
      rules: Record<string, unknown>;
      overrides: { rules?: Record<string, unknown> }[];
    };
    const rules = [config, ...config.overrides].flatMap(each => Object.keys(each.rules ?? {}));
    const tried = Object.keys({ ...everywhere, ...inScripts, ...inTypeScript });
    deepEqual(
      rules.filter(rule => !tried.includes(rule)),
      [],
    );
  });

  it('accepts assertions by expression in tests, and what the code may do', () => {
    const code = `export const f = (a: number, _b: 1) => {
  a + 1;
};`;
    const text = 'export const f = (a: number, b: () => void) => [`${a}`, b, async () => 1];';
    const types =
      "declare namespace JSX { type Element = 1; type IntrinsicElements = Record<'b', { title: string }>; }";
    const jsx = `const B = ({ a }: { a: string }) => <b title={a} />;
export const f = (a: string) => <B a={a} />;`;
    const files = new Map([
      ['test/a.ts', code],
      ['test/b.tsx', code],
      ['src/a.ts', text],
      ['src/b.tsx', text],
      ['src/c.tsx', jsx],
      ['src/jsx.d.ts', types],
    ]);
    deepEqual([...lint(files).values()], [[], [], [], [], [], []]);
  });
});

describe('Code', () => {
  it('has no empty catch block', () => {
    const paths = globSync('{src,test}/**/*.{ts,tsx}', { exclude: ['test/bench/peers/**'] });
    deepEqual(
      paths.flatMap(path => emptyCatches(path, readFileSync(path, 'utf8'))),
      [],
    );
    const comment = 'try {\n  a();\n} catch {\n  // Never mind.\n}';
    deepEqual(emptyCatches('a.ts', comment), ['a.ts:3']);
    deepEqual(emptyCatches('a.ts', comment.replace('//', 'b(); //')), []);
  });

  it('is strict in CommonJS too, where the parser is not by itself', () => {
    for (const path of globSync('scripts/**/*.cjs'))
      equal(/^(\/\/.*\n)*'use strict';\n/.test(readFileSync(path, 'utf8')), true, path);
  });
});

describe('package-lock.json', () => {
  it('has the binaries of every platform, not only of the one where it was written', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        name => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    deepEqual(missing, []);
    for (const name of ['@oxlint/binding', '@oxfmt/binding', '@oxlint-tsgolint/', '@typescript/typescript'])
      for (const platform of ['win32-x64', 'darwin-arm64', 'linux-x64'])
        equal(
          Object.keys(packages).some(path => path.includes(name) && path.includes(platform)),
          true,
          `${name} for ${platform}`,
        );
  });
});
