import * as vscode from 'vscode';
import {
  namedColumn,
  namedColumns,
  optionalColumns,
  optionalFilters,
  optionalSort,
} from '../../columns/namedFilter';
import { namedMeasure, namedMeasures } from '../../conditions/namedMeasure';
import { unitStatisticIds } from '../../conditions/unitStatistics';
import { command } from '../../host/editor/command';
import { pathOnDisk, uri } from '../../host/editor/uriOptions';
import {
  badOption,
  listOf,
  optional,
  optionalChoice,
  optionalFlag,
  optionalOneOf,
  optionalText,
} from '../../host/options';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { OpenResults } from '../node/openResults';
import { activeJobResult, FileResult } from '../node/resultSource';
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

/** What programs do with the rows of a table, of a job or of a file on disk. */
export function tableCommands({ sessions, results }: TableCommandParts) {
  const withTable = async <T>(
    {
      jobId,
      uri: file,
      what = 'objects',
    }: { jobId?: string | undefined; uri?: vscode.Uri | undefined; what?: 'objects' | 'aggregate' },
    work: (table: ProgramTable) => Promise<T>,
  ): Promise<T> => {
    if ((jobId === undefined || jobId === '') === (file === undefined))
      throw badOption('jobId', 'given, or else "uri"');
    const source = file
      ? new FileResult(file, 'file')
      : await activeJobResult(vscode.l10n.t, sessions, jobId ?? '');
    const { signal } = new AbortController();
    return results.use(source, session => work({ session, kind: file ? 'file' : what, signal }));
  };
  return {
    saveTable: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        what: optionalOneOf(['objects', 'aggregate']),
        columns: optionalColumns,
        filters: optionalFilters,
        sort: optionalSort,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: ({ jobId, uri: file, what, ...saved }) =>
        withTable({ jobId, uri: file, what }, table => saveTableAsProgram(table, saved)),
    }),
    saveGroups: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
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
      program: ({ jobId, uri: file, what, ...saved }) =>
        withTable({ jobId, uri: file, what }, table => saveGroupsAsProgram(vscode.l10n.t, table, saved)),
    }),
    compareConditions: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
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
      program: ({ jobId, uri: file, ...compared }) =>
        withTable({ jobId, uri: file }, table => compareAsProgram(vscode.l10n.t, table, compared)),
    }),
  };
}
