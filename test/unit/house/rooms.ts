import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './sourceFile';

export interface Subject {
  /** What is in it, in the words of docs/architecture.md. */
  holds: string;
  /**
   * Of other subjects only these, and types of these single files; else all that stand before it.
   */
  only?: { subjects: readonly string[]; types: readonly string[] };
}

/**
 * The folders of src, each a subject, in their order: a file imports from its own subject and from
 * those before it. A test compares this with the table of docs/architecture.md.
 */
export const subjects: Readonly<Record<string, Subject>> = {
  base: {
    holds:
      'events, disposables, errors with codes, reasons, files written whole; nothing of what the extension is about',
  },
  words: { holds: 'sentences of errors, reasons and states; numbers and dates in the language of the user' },
  protocol: { holds: 'how messages travel between host and thread, and between panel and page' },
  service: { holds: 'the service over HTTP' },
  host: {
    holds: 'what VS Code gives to every subject: commands, settings, the log, messages, progress, trees',
  },
  images: { holds: 'image files: their formats, tiles and contrast' },
  columns: { holds: 'the column engine: CSV files read, filtered, sorted, counted' },
  parquet: { holds: 'Parquet for the column engine' },
  archives: { holds: 'archives of masks read: their images, objects, pixels and measurements' },
  pages: { holds: 'what every page (webview) has: its port, its texts, its widgets, its HTML' },
  sample: {
    holds: 'the sample service, a process of its own',
    // It must not be wrong in the same way as the client.
    only: { subjects: ['base', 'words', 'images', 'columns', 'archives'], types: ['src/service/wire.ts'] },
  },
  accounts: { holds: 'accounts, their keys and folders, signing in and out' },
  results: { holds: 'what is stored of results: downloads, choices' },
  uploads: { holds: 'files on their way to the service' },
  jobs: { holds: 'submitting jobs and following them' },
  session: { holds: 'a result that is open: its engine thread, its tables and masks, its panels' },
  drawing: {
    holds: 'what plots and comparisons are drawn with: axes, marks, the pointer and keys, image files',
  },
  linking: { holds: 'which image is which, and which row is which object' },
  table: { holds: 'the page of a table, and its panel' },
  study: { holds: 'what is known of images: conditions, replicates, and statistics by them' },
  formulas: { holds: 'columns that formulas compute' },
  plots: { holds: 'plots of columns' },
  plates: { holds: 'wells on plates: their values, controls, and the map of them' },
  populations: { holds: 'rows of a table that have a name, by gates' },
  masks: { holds: 'what is painted of masks, their page, and its panel' },
  export: { holds: 'masks written for other tools' },
  comparison: { holds: 'two sets of masks compared object by object, one of them perhaps ground truth' },
  datasets: { holds: 'tables of many results as one dataset' },
  workbench: { holds: 'the session of an account put together, and the lists of what each subject adds' },
};

/** The environments inside a subject, as folders; files at its top need none of them. */
export const environments = ['node', 'engine', 'page', 'editor'] as const;

/**
 * The only file of the sample service, a process of its own, that others may import: it starts it.
 */
export const SAMPLE_CLIENT = 'src/sample/node/sampleProcess.ts';

/** Entries of threads and processes: nobody imports them. */
export const entries = [
  'src/workbench/engine/thread.ts',
  'src/columns/engine/scanner.ts',
  'src/sample/node/main.ts',
  'src/masks/page/main.ts',
  'src/comparison/page/main.ts',
  'src/workbench/page/tablePage.ts',
];

interface Place {
  subject: string;
  environment: string;
}

/**
 * Subject and environment of a path of src; the composition root is the last subject, in the
 * editor.
 */
export function placeOf(path: string): Place {
  if (path === 'src/extension.ts') return { subject: 'extension.ts', environment: 'editor' };
  const [, subject = '', environment = '', ...rest] = path.split('/');
  const isEnvironment = rest.length > 0 && (environments as readonly string[]).includes(environment);
  return { subject, environment: isEnvironment ? environment : 'rules' };
}

/** Exports of what another file declares, as "path: statement". */
export function reexports(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, tree }) =>
    tree.statements.filter(ts.isExportDeclaration).map(statement => `${path}: ${statement.getText()}`),
  );
}

/**
 * Folders beside each other, inside an environment, that import each other in a circle: a line for
 * each.
 */
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
