import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { every } from '../../base/clock';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { OutputFolder } from '../../base/node/outputFolder';
import { reason } from '../../base/reasons';
import { badOption } from '../../host/options';
import { tablePopulations } from '../../linking/node/tablePopulations';
import type { TableFileFormat } from '../../columns/tableFileFormat';
import type { TableSummary } from '../../columns/tableSummary';
import {
  distinctNames,
  type TypedColumn,
  unitedColumns,
  type WrittenColumn,
} from '../../columns/writtenTable';
import type { OpenResults } from '../../session/node/openResults';
import type { ResultSession } from '../../session/node/resultSession';
import type { ResultSource } from '../../session/node/resultSource';
import type { TableKind } from '../../service/resultParts';

/*
 * Exports the tables of many results as one dataset, which other tools read at once. Each result has
 * a file in a folder with its ID (Hive's partitions). All files of a dataset have the same columns
 * with the same types, so all types are read before the first file is written.
 */

/** A result whose tables are exported. */
export interface ExportedResult {
  source: ResultSource;
  /** Value of the partition column: the job's ID, or the name of the file. */
  id: string;
  parts: readonly { kind: TableKind; folder: 'objects' | 'images' }[];
  /** Metadata to write into its files; without secrets and paths. */
  facts: () => Promise<Record<string, string>>;
}

export interface DatasetRequest {
  results: readonly ExportedResult[];
  /** Undefined for CSV. */
  format: TableFileFormat | undefined;
  /** A folder that exists. */
  destination: string;
  overwrite: boolean;
  /** Whether to write a column for each population of a table. */
  populations?: boolean | undefined;
}

export interface DatasetReport {
  files: { table: string; id: string; path: string; rows: number; bytes: number }[];
  /** Columns whose types differ between results; they are written as text in all files. */
  asText: { table: string; column: string }[];
  /** Results with an unreadable table; the others were exported. */
  failed: { id: string; title: string; error: CodedError }[];
}

/** `share`: the completed share of all work, 0…1. */
type DatasetProgress = (title: string, share: number) => void;

/** A table of a result, with the types that its values allow. */
interface TypedTable {
  result: ExportedResult;
  kind: TableKind;
  folder: string;
  typed: TypedColumn[];
  /** The columns and populations when their types were read, to detect changes. */
  identity: string;
  hasPopulations: boolean;
  /** Formulas of computed columns, by the columns' names in the dataset. */
  formulas: ReadonlyMap<string, string>;
}

/** A file that an earlier export wrote for another result. */
interface EarlierFile {
  path: string;
  columns: WrittenColumn[];
}

/** The partition column. A table's column with this name is renamed, as it would be hidden. */
const PARTITION_COLUMN = 'job_id';
/** Much shorter than the time after which an export counts as crashed. */
const TOUCH_MS = 5 * 60 * 1000;

/**
 * Exports the tables. A result that was exported before replaces only its own files. Throws `exists`
 * unless `overwrite`, `not-found` for the destination, `bad-request` if files of other results there
 * have other types or no table has the requested populations, `no-space`, `cancelled`; then no file
 * has changed.
 */
export async function exportTables(
  open: Pick<OpenResults, 'use'>,
  { results, format, destination, overwrite, populations = false }: DatasetRequest,
  onProgress: DatasetProgress,
  signal: AbortSignal,
): Promise<DatasetReport> {
  const fileName = `part-0.${format?.endings[0] ?? 'csv'}`;
  const nameOf = (folder: string, id: string) =>
    `${folder}/${PARTITION_COLUMN}=${partitionValue(id)}/${fileName}`;
  const names = results.flatMap(({ id, parts }) => parts.map(({ folder }) => nameOf(folder, id)));
  // Replaces all files together: all files of a dataset must have the same types.
  const output = await OutputFolder.open(destination, names, overwrite);
  const report: DatasetReport = { files: [], asText: [], failed: [] };
  // A download may take longer than the time after which another export would clean up this one.
  const touching = every(TOUCH_MS, () => void output.touch());
  try {
    const tables: TypedTable[] = [];
    const earlierFiles = new Map<string, EarlierFile[]>();
    for (const [at, result] of results.entries()) {
      onProgress(result.source.title, at / (2 * results.length));
      try {
        await open.use(result.source, async session => {
          const typedTables = await typedTablesOf(session, result, populations, signal);
          for (const { folder, kind } of format ? typedTables : [])
            if (!earlierFiles.has(folder)) {
              const files: EarlierFile[] = [];
              for (const partition of await partitionsIn(path.join(destination, folder))) {
                const name = `${folder}/${partition}/${fileName}`;
                if (names.includes(name) || !(await output.hasFile(name))) continue;
                const params = { path: path.join(destination, name) };
                const types = await session.tables.request(kind, 'writtenTypes', params, signal);
                files.push({ ...params, ...types });
              }
              earlierFiles.set(folder, files);
            }
          tables.push(...typedTables);
        });
      } catch (error) {
        if (!isCoded(error) || isCoded(error, 'cancelled')) throw error;
        report.failed.push({ id: result.id, title: result.source.title, error });
      }
    }
    const [failure] = report.failed;
    if (failure && tables.length === 0) throw failure.error;
    if (populations && !tables.some(({ hasPopulations }) => hasPopulations))
      throw badOption('populations', 'false or left out, as no table has populations');
    let written = 0;
    for (const folder of new Set(tables.map(table => table.folder))) {
      const folderTables = tables.filter(table => table.folder === folder);
      const dataset = unitedTables(folder, folderTables, earlierFiles.get(folder) ?? []);
      if (format) report.asText.push(...dataset.differing.map(column => ({ table: folder, column })));
      for (const [at, table] of folderTables.entries()) {
        const { source, id, facts } = table.result;
        onProgress(source.title, 0.5 + written++ / (2 * tables.length));
        throwIfCanceled(signal);
        const name = nameOf(folder, id);
        const { rows, bytes } = await open.use(source, async session => {
          // First: while they are read, columns and populations may change.
          const known = await facts();
          const summary = await openCompletely(session, table.kind, signal);
          const paths = await pathsOfPopulations(session, table.kind, populations);
          if (identityOf(summary, paths) !== table.identity)
            throw new CodedError('file-changed', 'The table changed while it was exported', {
              subject: source.title,
            });
          const params = {
            sort: [],
            populations,
            columns: dataset.positions[at] ?? [],
            written: dataset.columns,
            metadata: {
              ...known,
              ...columnFacts('units', dataset.columns, column => UNIT.exec(column)?.[1]),
              ...columnFacts('formulas', dataset.columns, column => table.formulas.get(column)),
            },
            destination: output.addFile(name),
            as: fileName,
          };
          return session.tables.request(table.kind, 'tableSave', params, signal);
        });
        report.files.push({ table: folder, id, path: path.join(destination, name), rows, bytes });
      }
    }
    throwIfCanceled(signal);
    await output.commit();
    return report;
  } catch (error) {
    await output.discard();
    throw error;
  } finally {
    touching.dispose();
  }
}

/** The columns of all tables. Throws `bad-request` if earlier files have one of another type. */
function unitedTables(folder: string, tables: readonly TypedTable[], earlier: readonly EarlierFile[]) {
  const dataset = unitedColumns(
    tables.map(({ typed }) => typed),
    earlier.map(({ columns }) => columns),
  );
  const [conflict] = dataset.conflicts;
  if (!conflict) return dataset;
  throw new CodedError('bad-request', `Column ${conflict.name} has another type in a file that is there`, {
    subject: earlier[conflict.fixed]?.path ?? folder,
    reason: reason(
      'Column "{0}" has another type in this file of another job. Export all jobs to a new folder',
      conflict.name,
    ),
  });
}

/** The tables of a result with the types of their columns. Throws errors of opening them. */
async function typedTablesOf(
  session: ResultSession,
  result: ExportedResult,
  populations: boolean,
  signal: AbortSignal,
): Promise<TypedTable[]> {
  const tables: TypedTable[] = [];
  for (const { kind, folder } of result.parts) {
    try {
      const summary = await openCompletely(session, kind, signal);
      const paths = await pathsOfPopulations(session, kind, populations);
      const params = { columns: summary.columns.map(({ index }) => index), populations };
      const { columns } = await session.tables.request(kind, 'tableTypes', params, signal);
      const names = distinctNames(
        columns.map(({ name }) => name),
        [PARTITION_COLUMN],
      );
      const typed = columns.map((column, at) => ({ ...column, name: names[at] ?? column.name }));
      const formulas = new Map<string, string>();
      for (const [at, { computed }] of summary.columns.entries())
        if (computed) formulas.set(names[at] ?? '', computed.formula);
      const identity = identityOf(summary, paths);
      tables.push({ result, kind, folder, typed, identity, hasPopulations: paths.length > 0, formulas });
    } catch (error) {
      // Not every pipeline has a table of images.
      if (folder !== 'images' || !isCoded(error, 'not-found')) throw error;
    }
  }
  return tables;
}

async function openCompletely(
  { tables }: ResultSession,
  kind: TableKind,
  signal: AbortSignal,
): Promise<TableSummary> {
  await tables.open(kind, signal);
  await tables.whenRead(kind, signal);
  return tables.open(kind, signal);
}

/** The paths of the populations to write, as stored. */
async function pathsOfPopulations(
  session: ResultSession,
  kind: TableKind,
  populations: boolean,
): Promise<string[]> {
  const part = populations ? session.find(tablePopulations) : undefined;
  await part?.withoutDrafts(kind);
  return part?.pathsIn(kind) ?? [];
}

/** Names of the folders that exports wrote into a folder, one for each result. */
async function partitionsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch((): string[] => []);
  return entries.filter(entry => entry.startsWith(`${PARTITION_COLUMN}=`)).sort();
}

/** Identifies the names and formulas of a table's columns, and its populations. */
function identityOf({ columns }: TableSummary, populations: readonly string[]): string {
  return JSON.stringify([columns.map(({ name, computed }) => [name, computed?.formula]), populations]);
}

/**
 * A value in a folder's name, escaped as by Hive, so that every system allows it. Letters of any
 * script stay: escaped, 30 of them would exceed the maximum length of a name.
 */
function partitionValue(id: string): string {
  return id.replace(/[^\w\u0080-\uffff.-]|\.$/g, character => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return `%${code.padStart(2, '0')}`;
  });
}

/** A unit in brackets at the end of a column's name; not "min", which mostly says minimum. */
const UNIT = /[([]((?:px|pixels?|[µμun]?m|nm|mm|cm|°|deg|rad|%|s|ms|h|a\.u\.)(?:[²³]|\^?[23])?)[)\]]\s*$/i;

/** A metadata entry with a fact of columns, such as their units, as JSON; none without facts. */
function columnFacts(
  key: string,
  columns: readonly WrittenColumn[],
  factOf: (name: string) => string | undefined,
): Record<string, string> {
  const facts = columns.map(({ name }) => [name, factOf(name)]).filter(([, fact]) => fact !== undefined);
  return facts.length === 0 ? {} : { [`image_analysis.${key}`]: JSON.stringify(Object.fromEntries(facts)) };
}
