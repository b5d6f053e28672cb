import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { CodedError, isCoded, throwIfCanceled } from '../../base/errors';
import { OutputFolder } from '../../base/node/outputFolder';
import { reason } from '../../base/reasons';
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
 * Tables of many results as one dataset that other tools read at once: a file for each result, in
 * folders that say which it is (Hive's partitions). All files of a table have the same columns of
 * the same types, so the tables are looked at first, and written then.
 */

/** A result whose tables are exported. */
export interface ExportedResult {
  source: ResultSource;
  /** The value of the partition. */
  id: string;
  parts: readonly { kind: TableKind; folder: 'objects' | 'images' }[];
  /** What its files say beside the rows; nothing secret, no path. */
  facts: () => Promise<Record<string, string>>;
}

export interface DatasetRequest {
  results: readonly ExportedResult[];
  /** Undefined for CSV. */
  format: TableFileFormat | undefined;
  /** A folder that exists. */
  destination: string;
  overwrite: boolean;
}

export interface DatasetReport {
  files: { table: string; id: string; path: string; rows: number; bytes: number }[];
  /** Columns whose types differ between results, and which are text in all. */
  asText: { table: string; column: string }[];
  /** Results with an unreadable table; the others were exported. */
  failed: { id: string; title: string; error: CodedError }[];
}

/** `share`: of all work, 0…1. */
type DatasetProgress = (title: string, share: number) => void;

/** A table that was looked at. */
interface LookedAt {
  result: ExportedResult;
  kind: TableKind;
  folder: string;
  typed: TypedColumn[];
  /** Names of its columns in the file. */
  names: string[];
}

/** The column of the partition's values; a table's column of that name would hide behind it. */
const PARTITION = 'job_id';

/**
 * Exports the tables. A result that was exported before replaces its own files, and no others.
 * Throws `exists` unless `overwrite`, `not-found` for the destination, `bad-request` where files of
 * other results there have other types, `no-space`, `cancelled`; nothing is changed then.
 */
export async function exportTables(
  open: Pick<OpenResults, 'use'>,
  { results, format, destination, overwrite }: DatasetRequest,
  onProgress: DatasetProgress,
  signal: AbortSignal,
): Promise<DatasetReport> {
  const fileName = `part-0.${format?.endings[0] ?? 'csv'}`;
  const nameOf = (folder: string, id: string) => `${folder}/${PARTITION}=${partitionValue(id)}/${fileName}`;
  const names = results.flatMap(({ id, parts }) => parts.map(({ folder }) => nameOf(folder, id)));
  // A dataset must not be half new: its types hold for all files.
  const output = await OutputFolder.open(destination, names, overwrite);
  const report: DatasetReport = { files: [], asText: [], failed: [] };
  try {
    const tables: LookedAt[] = [];
    const others = new Map<string, { path: string; columns: WrittenColumn[] }[]>();
    for (const [at, result] of results.entries()) {
      onProgress(result.source.title, at / (2 * results.length));
      await output.touch();
      try {
        tables.push(
          ...(await open.use(result.source, async session => {
            const looked = await lookAt(session, result, signal);
            for (const { folder, kind } of format ? looked : [])
              if (!others.has(folder)) {
                const fileNames = results.map(({ id }) => nameOf(folder, id));
                others.set(
                  folder,
                  await typesOfOthers(
                    session,
                    kind,
                    destination,
                    { folder, own: fileNames, fileName },
                    signal,
                  ),
                );
              }
            return looked;
          })),
        );
      } catch (error) {
        if (!isCoded(error) || isCoded(error, 'cancelled')) throw error;
        report.failed.push({ id: result.id, title: result.source.title, error });
      }
    }
    const [nothing] = report.failed;
    if (nothing && tables.length === 0) throw nothing.error;
    let done = 0;
    for (const folder of new Set(tables.map(table => table.folder))) {
      const of = tables.filter(table => table.folder === folder);
      const fixed = others.get(folder) ?? [];
      const united = unitedColumns(
        of.map(({ typed }) => typed),
        fixed.map(({ columns }) => columns),
      );
      const [conflict] = united.conflicts;
      if (conflict)
        throw new CodedError(
          'bad-request',
          `Column ${conflict.name} has another type in a file that is there`,
          {
            subject: fixed[conflict.fixed]?.path ?? folder,
            reason: reason(
              'Column "{0}" has another type in this file of another job. Export all jobs to a new folder',
              conflict.name,
            ),
          },
        );
      if (format) report.asText.push(...united.differing.map(column => ({ table: folder, column })));
      for (const [at, table] of of.entries()) {
        const { source, id, facts } = table.result;
        onProgress(source.title, 0.5 + done++ / (2 * tables.length));
        throwIfCanceled(signal);
        const columns = united.places[at] ?? [];
        const name = nameOf(folder, id);
        const place = output.placeOf(name);
        const { rows, bytes } = await open.use(source, async session => {
          await sameAs(session, table, signal);
          const metadata = { ...(await facts()), ...unitsOf(united.columns) };
          const params = {
            sort: [],
            columns,
            written: united.columns,
            metadata,
            destination: place,
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
  }
}

/** The tables of a result, and the types of their columns. Throws what opening them throws. */
async function lookAt(
  session: ResultSession,
  result: ExportedResult,
  signal: AbortSignal,
): Promise<LookedAt[]> {
  const looked: LookedAt[] = [];
  for (const { kind, folder } of result.parts) {
    try {
      const { columns } = await openWhole(session, kind, signal);
      const params = { columns: columns.map(({ index }) => index) };
      const { columns: types } = await session.tables.request(kind, 'tableTypes', params, signal);
      const names = columns.map(({ name }) => name);
      const distinct = distinctNames(names, [PARTITION]);
      const typed = types.map((column, at) => ({ ...column, name: distinct[at] ?? column.name }));
      looked.push({ result, kind, folder, typed, names });
    } catch (error) {
      // Not every pipeline has a table of images.
      if (folder !== 'images' || !isCoded(error, 'not-found')) throw error;
    }
  }
  return looked;
}

async function openWhole(
  { tables }: ResultSession,
  kind: TableKind,
  signal: AbortSignal,
): Promise<TableSummary> {
  await tables.open(kind, signal);
  await tables.whenRead(kind, signal);
  return tables.open(kind, signal);
}

/** Throws `file-changed` where a table has other columns than when it was looked at. */
async function sameAs(
  session: ResultSession,
  { kind, names, result }: LookedAt,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = await openWhole(session, kind, signal);
  if (columns.length !== names.length || columns.some(({ name }, at) => name !== names[at]))
    throw new CodedError('file-changed', 'The table changed while it was exported', {
      subject: result.source.title,
    });
}

/** The columns of files that other results have in the destination already. */
async function typesOfOthers(
  session: ResultSession,
  kind: TableKind,
  destination: string,
  { folder, own: ownNames, fileName }: { folder: string; own: readonly string[]; fileName: string },
  signal: AbortSignal,
): Promise<{ path: string; columns: WrittenColumn[] }[]> {
  const tables: { path: string; columns: WrittenColumn[] }[] = [];
  const partitions = await readdir(path.join(destination, folder)).catch((): string[] => []);
  for (const partition of partitions.sort()) {
    const name = `${folder}/${partition}/${fileName}`;
    if (!partition.startsWith(`${PARTITION}=`) || ownNames.includes(name)) continue;
    const files = await readdir(path.join(destination, folder, partition)).catch((): string[] => []);
    if (!files.includes(fileName)) continue;
    const file = path.join(destination, name);
    tables.push({
      path: file,
      ...(await session.tables.request(kind, 'writtenTypes', { path: file }, signal)),
    });
  }
  return tables;
}

/** A value as Hive writes it into a folder's name, which every system allows. */
function partitionValue(id: string): string {
  const escaped = encodeURIComponent(id).replace(/[*!'()~]/g, character => hexEscape(character));
  return escaped.replace(/\.$/, hexEscape('.'));
}

function hexEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** What stands in brackets at the end of a column's name and is a unit. */
const UNIT =
  /[([]((?:px|pixels?|[µμun]?m|nm|mm|cm|°|deg|rad|%|s|ms|min|h|a\.u\.)(?:[²³]|\^?[23])?)[)\]]\s*$/i;

function unitsOf(columns: readonly WrittenColumn[]): Record<string, string> {
  const units = Object.fromEntries(
    columns.flatMap(({ name }) => {
      const unit = UNIT.exec(name)?.[1];
      return unit === undefined ? [] : [[name, unit]];
    }),
  );
  return Object.keys(units).length > 0 ? { 'image_analysis.units': JSON.stringify(units) } : {};
}
