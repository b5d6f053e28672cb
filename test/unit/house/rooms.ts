import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';
import type { Import, SourceFile } from './sourceFile';

export interface Subject {
  /** What is in it, in the words of docs/architecture.md. */
  holds: string;
  /** Of other subjects only these, and types of these single files; else all that stand before it. */
  only?: { subjects: readonly string[]; types: readonly string[] };
}

/**
 * The folders of src, each a subject, in their order: a file imports from its own subject and from those before it. A test compares
 * this with the table of docs/architecture.md.
 */
export const subjects: Readonly<Record<string, Subject>> = {
  base: {
    holds:
      'events, disposables, errors with codes, reasons, files written whole; nothing of what the extension is about',
  },
  words: { holds: 'sentences of errors, reasons and states; numbers and dates in the language of the user' },
  protocol: { holds: 'how messages travel between host and thread, and between panel and page' },
  service: { holds: 'the service over HTTP' },
  host: { holds: 'what VS Code gives to every subject: commands, settings, the log, messages, progress' },
  images: { holds: 'image files: their formats, tiles and contrast' },
  columns: { holds: 'the column engine: CSV files read, filtered, sorted, counted' },
  parquet: { holds: 'Parquet for the column engine' },
  pages: { holds: 'what every page (webview) has: its port, its texts, its widgets, its HTML' },
  plots: { holds: 'plots of columns' },
  masks: { holds: 'archives of masks, what is painted of them, and their page' },
  conditions: { holds: 'what is known of images: conditions, replicates, and statistics by them' },
  table: { holds: 'the page of a table' },
  export: { holds: 'masks written for other tools' },
  matching: { holds: 'two sets of masks compared object by object, one of them perhaps ground truth' },
  sample: {
    holds: 'the sample service, a process of its own',
    // It must not be wrong in the same way as the client.
    only: { subjects: ['base', 'words', 'images', 'columns', 'masks'], types: ['src/service/wire.ts'] },
  },
  accounts: { holds: 'accounts, their keys and folders, signing in and out' },
  results: { holds: 'what is stored of results: downloads, choices' },
  uploads: { holds: 'files on their way to the service' },
  jobs: { holds: 'submitting jobs and following them' },
  linked: {
    holds: 'what is opened together: tables and masks of a result, rows linked to objects, their panels',
  },
  datasets: { holds: 'tables of many results as one dataset' },
  workbench: { holds: 'the session of an account put together, and the lists of all commands and views' },
};

/** The environments inside a subject, as folders; files at its top need none of them. */
export const environments = ['node', 'engine', 'page', 'editor'] as const;

/** Which environments code of each may use besides its own. 'rules' are the files at a subject's top. */
const below: Readonly<Record<string, readonly string[]>> = {
  rules: [],
  node: ['rules'],
  engine: ['rules', 'node'],
  page: ['rules'],
  editor: ['rules', 'node', 'engine'],
};

/** Packages that only some code may use. */
const reserved: Readonly<Record<string, (place: Place) => boolean>> = {
  vscode: ({ environment }) => environment === 'editor',
  undici: ({ subject, environment }) => subject === 'service' && environment === 'node',
};

/** Subjects without packages. */
const PACKAGE_FREE = new Set(['base', 'words']);

/** Entries of threads and processes: nobody imports them. */
export const entries = [
  'src/linked/engine/thread.ts',
  'src/columns/engine/scanner.ts',
  'src/sample/node/main.ts',
  'src/table/page/main.ts',
  'src/masks/page/main.ts',
  'src/matching/page/main.ts',
];

interface Place {
  subject: string;
  environment: string;
}

/** Subject and environment of a path of src; the composition root is the last subject, in the editor. */
export function placeOf(path: string): Place {
  if (path === 'src/extension.ts') return { subject: 'extension.ts', environment: 'editor' };
  const [, subject = '', environment = '', ...rest] = path.split('/');
  const isEnvironment = rest.length > 0 && (environments as readonly string[]).includes(environment);
  return { subject, environment: isEnvironment ? environment : 'rules' };
}

/** Why a file may not import what it does; empty when it keeps to the order. */
export function forbiddenImports(file: SourceFile): string[] {
  const place = placeOf(file.path);
  if (place.subject !== 'extension.ts' && !(place.subject in subjects))
    return [`${file.path}: "${place.subject}" is no subject of the house`];
  return file.imports.flatMap(one => {
    const reason =
      one.target === undefined
        ? whyPackageForbidden(place, one.specifier)
        : whyFileForbidden(place, one, one.target);
    return reason ? [`${file.path}:${one.line} imports ${one.specifier}: ${reason}`] : [];
  });
}

function whyPackageForbidden(place: Place, specifier: string): string | undefined {
  if (isBuiltin(specifier))
    return ['rules', 'page'].includes(place.environment) ? "Node's modules are not for this code" : undefined;
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
  const mayUse = reserved[name];
  if (mayUse) return mayUse(place) ? undefined : 'that package is for other code';
  return PACKAGE_FREE.has(place.subject) ? 'this subject uses no packages' : undefined;
}

function whyFileForbidden(place: Place, one: Import, target: string): string | undefined {
  if (/\.[jt]sx?$/.test(one.specifier)) return 'relative imports have no extension';
  if (target === 'package.json') return manifestReason(place, one);
  if (!target.startsWith('src/')) return 'that is outside of src';
  if (isBarrel(target)) return 'barrel files are not kept here';
  if (entries.includes(target)) return 'that is the entry of a bundle';
  const other = placeOf(target);
  const order = Object.keys(subjects);
  const only = subjects[place.subject]?.only;
  if (only && other.subject !== place.subject && !only.subjects.includes(other.subject)) {
    if (!only.types.includes(target)) return `${place.subject} may not import ${other.subject}`;
    return one.typeOnly ? undefined : `only types may come from ${target}`;
  }
  if (place.subject !== 'extension.ts' && order.indexOf(other.subject) > order.indexOf(place.subject))
    return `${other.subject} stands above ${place.subject}`;
  if (other.subject === 'sample' && place.subject !== 'sample')
    return 'the sample service is another process';
  if (other.environment === place.environment || below[place.environment]?.includes(other.environment))
    return undefined;
  // Types of what runs in a thread may be named by who talks to it.
  if (place.environment === 'node' && other.environment === 'engine' && one.typeOnly) return undefined;
  return `${place.environment} may not use ${other.environment}`;
}

/** The types of settings come from package.json; its values are read at run time, not bundled. */
function manifestReason({ subject }: Place, { typeOnly }: Import): string | undefined {
  return subject === 'host' && typeOnly ? undefined : 'only its types may be imported, by host';
}

/** Imports of files of ours that aren't there, as "path:line specifier". */
export function missingImports(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target = '' }) => /\.tsx?$/.test(target) && !known.has(target))
      .map(({ line, specifier }) => `${path}:${line} ${specifier}`),
  );
}

/** Files that only gather what others export. */
export function barrels(files: readonly SourceFile[]): string[] {
  return files.map(({ path }) => path).filter(isBarrel);
}

function isBarrel(path: string): boolean {
  return /(^|\/)index\.tsx?$/.test(path);
}

/** Exports of what another file declares, as "path: statement". */
export function reexports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, tree }) =>
    tree.statements.filter(ts.isExportDeclaration).map(statement => `${path}: ${statement.getText()}`),
  );
}

/** Folders beside each other, inside an environment, that import each other in a circle: a line for each. */
export function folderCircles(files: readonly SourceFile[]): string[] {
  const edges = new Map<string, Map<string, string>>();
  for (const { path, imports } of files) {
    for (const { target } of imports) {
      const [from, to] = siblingFolders(path, target ?? '');
      if (from === undefined || to === undefined) continue;
      edges.set(from, (edges.get(from) ?? new Map<string, string>()).set(to, `${path} imports ${target}`));
    }
  }
  const circles = new Set<string>();
  for (const start of edges.keys()) {
    const seen = new Set<string>();
    const walk = (at: string, trail: readonly string[]): void => {
      for (const [to, why] of edges.get(at) ?? []) {
        const here = [...trail, why];
        if (to === start) circles.add(here.sort().join('; '));
        else if (!seen.has(to)) {
          seen.add(to);
          walk(to, here);
        }
      }
    };
    walk(start, []);
  }
  return [...circles].sort();
}

/** The two folders beside each other that an import crosses; none where one is within the other. */
function siblingFolders(path: string, target: string): [from?: string, to?: string] {
  const from = posix.dirname(path).split('/');
  const to = posix.dirname(target).split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  // Subjects and environments have an order of their own.
  const isInside = shared >= (placeOf(path).environment === 'rules' ? 2 : 3);
  if (!isInside || shared === from.length || shared === to.length) return [];
  return [from.slice(0, shared + 1).join('/'), to.slice(0, shared + 1).join('/')];
}

/** One cycle among the files' imports, types included, as the paths on it; undefined when there is none. */
export function findCycle(files: readonly SourceFile[]): string[] | undefined {
  const byPath = new Map(files.map(file => [posix.normalize(file.path), file]));
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): string[] | undefined => {
    const seen = trail.indexOf(path);
    if (seen >= 0) return [...trail.slice(seen), path];
    if (done.has(path)) return undefined;
    for (const { target } of byPath.get(path)?.imports ?? []) {
      const cycle = target !== undefined && byPath.has(target) ? walk(target, [...trail, path]) : undefined;
      if (cycle) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of byPath.keys()) {
    const cycle = walk(path, []);
    if (cycle) return cycle;
  }
  return undefined;
}
