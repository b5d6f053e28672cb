import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import { type ComputedColumn, optionalComputed } from '../../columns/computedColumn';
import type { HeaderRows } from '../../columns/tableSummary';
import { uri } from '../../host/editor/uriOptions';
import { badOption, oneOf, optional, optionalHeader, optionalText } from '../../host/options';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { OpenResults } from '../node/openResults';
import {
  type ComputedReport,
  openCompletely,
  programFormulas,
  type ProgramTable,
} from '../node/programTable';
import { activeJobResult, FileResult } from '../node/resultSource';

export interface ProgramTableDependencies {
  sessions: JobSessions;
  results: OpenResults;
}

/** The options by which a program names a table. */
interface NamedTable {
  jobId: string | undefined;
  uri: vscode.Uri | undefined;
  what?: 'objects' | 'aggregate' | undefined;
  /** How a file on disk is read. */
  header: HeaderRows | undefined;
  decimal: '.' | ',' | undefined;
  /** Columns that are computed for this call only. */
  computed: readonly ComputedColumn[] | undefined;
}

/**
 * Arguments of programs that name a table: a job's or a file on disk, its format, extra columns.
 */
export const tableOptions = {
  jobId: optionalText,
  uri: optional(uri),
  header: optionalHeader,
  /** The decimal separator. */
  decimal: optional(oneOf(['.', ','])),
  computed: optionalComputed,
};

/**
 * Opens tables for programs, of a job or a local file. `name` is the purpose; it keeps the tables
 * of different purposes apart.
 */
export function programTables({ sessions, results }: ProgramTableDependencies, name: string) {
  let formatted = 0;
  // `work` gets the call's other options.
  return async <O extends NamedTable, T extends object>(
    { jobId, uri: file, what = 'objects', header, decimal, computed = [], ...otherOptions }: O,
    work: (table: ProgramTable, otherOptions: Omit<O, keyof NamedTable>) => Promise<T>,
  ): Promise<T & { computed?: ComputedReport[] }> => {
    if ((jobId === undefined || jobId === '') === (file === undefined))
      throw badOption('jobId', 'given, or else "uri"');
    const format = { ...(header && { header }), ...(decimal && { decimalComma: decimal === ',' }) };
    const hasFormat = Object.keys(format).length > 0;
    if (hasFormat && !file) throw badOption(header ? 'header' : 'decimal', 'given with "uri"');
    const isSeparate = hasFormat || computed.length > 0;
    // A person's open table stays unchanged: another format or further columns get a separate
    // session.
    const keyPrefix = isSeparate ? `program-${name} ${++formatted} ` : '';
    const source = file
      ? new FileResult(file, 'file', keyPrefix)
      : await activeJobResult(vscode.l10n.t, sessions, jobId ?? '', keyPrefix);
    const { signal } = new AbortController();
    return results.use(source, async session => {
      if (hasFormat) await session.tables.reopen('file', format, signal);
      const table: ProgramTable = { session, kind: file ? 'file' : what, signal };
      if (computed.length === 0) return work(table, otherOptions);
      const formulas = session.find(programFormulas);
      if (!formulas) throw new CodedError('bad-request', 'There are no formulas', { subject: 'computed' });
      await openCompletely(table);
      const reports = await formulas.compute(table.kind, computed, signal);
      return { ...(await work(table, otherOptions)), computed: reports };
    });
  };
}
