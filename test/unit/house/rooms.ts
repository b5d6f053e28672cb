import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';
import type { Import, SourceFile } from './sourceFile';

export interface Room {
  /** Rooms it may import, besides itself. */
  imports: readonly string[];
  /** Rooms, or single files, of which it may import types alone. */
  types?: readonly string[];
  /** Files of the allowed rooms that it may not import all the same. */
  except?: readonly string[];
  /** Packages that others may not use. */
  packages?: readonly string[];
  /** Whether it may use packages at all. */
  packageFree?: boolean;
  /** Whether it may use Node's own modules; or the only files of it that may. */
  node?: boolean | readonly string[];
}

/** For rooms whose code also runs in a page. */
const NEEDS_NODE = [
  'src/base/atomicFile.ts',
  'src/base/diskErrors.ts',
  'src/base/diskRefusals.ts',
  'src/base/fileErrors.ts',
  'src/base/sharedFolder.ts',
  'src/base/systemId.ts',
  'src/base/thisProcess.ts',
];

/** The import table; docs/architecture.md shows it. */
export const rooms: Readonly<Record<string, Room>> = {
  base: { imports: [], packageFree: true, node: NEEDS_NODE },
  model: { imports: ['base'], except: NEEDS_NODE, packageFree: true },
  words: { imports: ['base', 'model'], except: NEEDS_NODE, packageFree: true },
  formats: { imports: ['base', 'model'], except: NEEDS_NODE },
  api: { imports: ['base'], packages: ['undici'], node: true },
  uploads: { imports: ['base', 'api'], node: true },
  jobs: { imports: ['base', 'api'], node: true },
  results: { imports: ['base', 'model', 'formats', 'api'], node: true },
  engine: { imports: ['base', 'model', 'formats', 'protocol', 'results'], node: true },
  sample: { imports: ['base', 'model', 'words', 'formats'], types: ['src/api/wire.ts'], node: true },
  protocol: { imports: ['base', 'model'], types: ['formats'], except: NEEDS_NODE },
  // Of the words only which there are: the host sends them.
  webview: { imports: ['base', 'model', 'formats', 'protocol'], types: ['words'], except: NEEDS_NODE },
  app: {
    imports: ['base', 'model', 'words', 'formats', 'api', 'uploads', 'jobs', 'results', 'engine', 'protocol'],
    except: ['src/engine/thread.ts', 'src/engine/scanner.ts'],
    node: true,
  },
  ui: {
    imports: [
      'base',
      'model',
      'words',
      'formats',
      'api',
      'uploads',
      'jobs',
      'results',
      'engine',
      'protocol',
      'app',
    ],
    except: ['src/engine/thread.ts', 'src/engine/scanner.ts'],
    packages: ['vscode'],
    node: true,
  },
  'extension.ts': {
    imports: [
      'base',
      'model',
      'words',
      'formats',
      'api',
      'uploads',
      'jobs',
      'results',
      'engine',
      'protocol',
      'app',
      'ui',
    ],
    packages: ['vscode'],
    node: true,
  },
};

/** Packages that only the rooms that name them may import. */
const reserved = new Set(Object.values(rooms).flatMap(room => room.packages ?? []));

/** The room a path of src/ belongs to: its first folder, or the file itself at the top. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Why a file may not import what it does; empty when it keeps to the table. */
export function forbiddenImports(file: SourceFile): string[] {
  const name = roomOf(file.path);
  const room = rooms[name];
  if (!room) return [`${file.path}: "${name}" is no room of the house`];
  return file.imports.flatMap(one => {
    const reason = whyForbidden(file, room, one);
    return reason ? [`${file.path}:${one.line} imports ${one.specifier}: ${reason}`] : [];
  });
}

function whyForbidden(file: SourceFile, room: Room, one: Import): string | undefined {
  return one.target === undefined
    ? whyPackageForbidden(file, room, one.specifier)
    : whyFileForbidden(roomOf(file.path), room, one, one.target);
}

function whyPackageForbidden({ path }: SourceFile, room: Room, specifier: string): string | undefined {
  if (isBuiltin(specifier)) {
    const allowed = typeof room.node === 'object' ? room.node.includes(path) : room.node;
    return allowed ? undefined : "Node's modules are not for this room";
  }
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
  if (reserved.has(name))
    return room.packages?.includes(name) ? undefined : 'that package is for another room';
  return room.packageFree ? 'this room uses no packages' : undefined;
}

function whyFileForbidden(name: string, room: Room, one: Import, target: string): string | undefined {
  if (/\.[jt]sx?$/.test(one.specifier)) return 'relative imports have no extension';
  if (target === 'package.json') return manifestReason(name, one);
  if (!target.startsWith('src/')) return 'that is outside of src';
  if (isBarrel(target)) return 'barrel files are not kept here';
  if (room.except?.includes(target)) return 'that file is not for this room';
  const other = roomOf(target);
  if (other === name || room.imports.includes(other)) return undefined;
  const types = room.types?.some(allowed => allowed === other || allowed === target) ?? false;
  if (types) return one.typeOnly ? undefined : `only types may come from ${other}`;
  return `${name} may not import ${other}`;
}

/** The types of settings come from package.json; its values are read at run time, not bundled. */
function manifestReason(name: string, { typeOnly }: Import): string | undefined {
  return name === 'app' && typeOnly ? undefined : 'only its types may be imported, by app';
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
