import * as vscode from 'vscode';
import type { HeaderRows } from '../../columns/tableSummary';
import { badOption, oneOf, optional } from '../../host/options';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { OpenResults } from '../node/openResults';
import type { ProgramTable } from '../node/programTable';
import { activeJobResult, FileResult } from '../node/resultSource';

export interface ProgramTableParts {
  sessions: JobSessions;
  results: OpenResults;
}

/** How a program says that a file on disk is read. */
interface Format {
  header: HeaderRows | undefined;
  decimal: '.' | ',' | undefined;
}

/** The mark of decimals. */
export const optionalDecimal = optional(oneOf(['.', ',']));

/**
 * Opens tables for programs: those of a job, or of a file on disk. `name`: what the programs want of them, since each has files of
 * another format for itself.
 */
export function programTables({ sessions, results }: ProgramTableParts, name: string) {
  let formatted = 0;
  return async <T>(
    {
      jobId,
      uri: file,
      what = 'objects',
      header,
      decimal,
    }: {
      jobId: string | undefined;
      uri: vscode.Uri | undefined;
      what?: 'objects' | 'aggregate';
    } & Format,
    work: (table: ProgramTable) => Promise<T>,
  ): Promise<T> => {
    if ((jobId === undefined || jobId === '') === (file === undefined))
      throw badOption('jobId', 'given, or else "uri"');
    const format = { ...(header && { header }), ...(decimal && { decimalComma: decimal === ',' }) };
    const hasFormat = Object.keys(format).length > 0;
    if (hasFormat && !file) throw badOption(header ? 'header' : 'decimal', 'given with "uri"');
    // What a person has open stays as it is: another format is read apart from it.
    const source = file
      ? new FileResult(file, 'file', hasFormat ? `program-${name} ${++formatted} ` : '')
      : await activeJobResult(vscode.l10n.t, sessions, jobId ?? '');
    const { signal } = new AbortController();
    return results.use(source, async session => {
      if (hasFormat) await session.tables.reopen('file', format, signal);
      return work({ session, kind: file ? 'file' : what, signal });
    });
  };
}
