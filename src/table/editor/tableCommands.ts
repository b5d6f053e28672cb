import * as vscode from 'vscode';
import {
  namedColumn,
  namedColumns,
  optionalColumns,
  optionalFilters,
  optionalSort,
} from '../../columns/namedFilter';
import type { HeaderRows } from '../../columns/tableSummary';
import { namedMeasure, namedMeasures } from '../../conditions/namedMeasure';
import { unitStatisticIds } from '../../conditions/unitStatistics';
import { command } from '../../host/editor/command';
import { pathOnDisk, uri } from '../../host/editor/uriOptions';
import {
  badOption,
  listOf,
  oneOf,
  optional,
  optionalChoice,
  optionalFlag,
  optionalHeader,
  optionalOneOf,
  optionalText,
} from '../../host/options';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { OpenResults } from '../../session/node/openResults';
import { activeJobResult, FileResult } from '../../session/node/resultSource';
import {
  compareAsProgram,
  type ProgramTable,
  saveGroupsAsProgram,
  saveTableAsProgram,
} from '../node/tablePrograms';

interface TableCommandParts {
  sessions: JobSessions;
  results: OpenResults;
}

/** How a program says that a file on disk is read. */
interface Format {
  header: HeaderRows | undefined;
  decimal: '.' | ',' | undefined;
}

const optionalDecimal = optional(oneOf(['.', ',']));

/** What programs do with the rows of a table, of a job or of a file on disk. */
export function tableCommands({ sessions, results }: TableCommandParts) {
  let formatted = 0;
  const withTable = async <T>(
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
      ? new FileResult(file, 'file', hasFormat ? `program ${++formatted} ` : '')
      : await activeJobResult(vscode.l10n.t, sessions, jobId ?? '');
    const { signal } = new AbortController();
    return results.use(source, async session => {
      if (hasFormat) await session.tables.reopen('file', format, signal);
      return work({ session, kind: file ? 'file' : what, signal });
    });
  };
  return {
    saveTable: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        header: optionalHeader,
        decimal: optionalDecimal,
        what: optionalOneOf(['objects', 'aggregate']),
        columns: optionalColumns,
        filters: optionalFilters,
        sort: optionalSort,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: ({ jobId, uri: file, header, decimal, what, ...saved }) =>
        withTable({ jobId, uri: file, what, header, decimal }, table => saveTableAsProgram(table, saved)),
    }),
    saveGroups: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        header: optionalHeader,
        decimal: optionalDecimal,
        what: optionalOneOf(['objects', 'aggregate']),
        by: namedColumns,
        measures: namedMeasures,
        statistics: listOf(unitStatisticIds),
        of: optionalOneOf(['objects', 'images', 'replicates']),
        replicate: optionalColumns,
        technicalReplicate: optionalColumns,
        filters: optionalFilters,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: ({ jobId, uri: file, header, decimal, what, ...saved }) =>
        withTable({ jobId, uri: file, what, header, decimal }, table =>
          saveGroupsAsProgram(vscode.l10n.t, table, saved),
        ),
    }),
    compareConditions: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        header: optionalHeader,
        decimal: optionalDecimal,
        measure: namedMeasure,
        condition: namedColumn,
        replicate: optionalColumns,
        technicalReplicate: optionalColumns,
        reference: optionalText,
        paired: optionalChoice,
        scale: optionalOneOf(['difference', 'ratio', 'logit']),
        intervals: optionalOneOf(['unadjusted', 'simultaneous']),
        filters: optionalFilters,
      },
      program: ({ jobId, uri: file, header, decimal, ...compared }) =>
        withTable({ jobId, uri: file, header, decimal }, table =>
          compareAsProgram(vscode.l10n.t, table, compared),
        ),
    }),
  };
}
