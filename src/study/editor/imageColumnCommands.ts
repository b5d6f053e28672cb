import * as vscode from 'vscode';
import { namedColumn } from '../../columns/namedFilter';
import { inPage } from '../../session/editor/pageMenu';
import type { ConditionsMenuCommand } from '../conditionsMenu';
import type { ColumnValues } from '../givenColumns';
import { type ImageRole, imageRoles } from '../imageColumns';
import { command } from '../../host/editor/command';
import { pathOnDisk, uri } from '../../host/editor/uriOptions';
import {
  badOption,
  isPlainObject,
  type Option,
  optional,
  optionalHeader,
  optionalText,
} from '../../host/options';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { ImageColumnsSource } from '../node/givenImageColumns';
import type { OpenResults } from '../../session/node/openResults';
import { activeJobResult, FileResult } from '../../session/node/resultSource';

/** Values by column and image: texts, or numbers in their shortest form. */
const values: Option<ColumnValues> = {
  expected: 'an object of columns, each an object of values by image',
  read: value => {
    if (!isPlainObject(value) || Object.keys(value).length === 0) return undefined;
    const columns: [string, Record<string, string>][] = [];
    for (const [name, valuesByImage] of Object.entries(value)) {
      if (!isPlainObject(valuesByImage)) return undefined;
      const entries = Object.entries(valuesByImage);
      if (!entries.every(([, entry]) => typeof entry === 'string' || Number.isFinite(entry)))
        return undefined;
      columns.push([name, Object.fromEntries(entries.map(([image, entry]) => [image, String(entry)]))]);
    }
    return { value: Object.fromEntries(columns) };
  },
};

const roles: Option<Record<string, ImageRole | null>> = {
  expected: `an object of columns, each one of ${imageRoles.join(', ')}, or null`,
  read: value => {
    const isRole = (role: unknown) => role === null || (imageRoles as readonly unknown[]).includes(role);
    return isPlainObject(value) && Object.values(value).every(isRole)
      ? { value: value as Record<string, ImageRole | null> }
      : undefined;
  },
};

/** Commands about the columns of images. */
export function imageColumnCommands({ sessions, results }: { sessions: JobSessions; results: OpenResults }) {
  const pageCommand = (name: ConditionsMenuCommand) => inPage(results, { page: 'table', command: name });
  return {
    openImageColumns: pageCommand('openImageColumns'),
    setImageColumns: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        pattern: optionalText,
        sheet: optional(pathOnDisk),
        by: optional(namedColumn),
        header: optionalHeader,
        columns: optional(values),
        roles: optional(roles),
      },
      program: async ({ jobId, uri: file, pattern, sheet, by, header, columns, roles: givenRoles }) => {
        if ((file === undefined) === (jobId === undefined || jobId === ''))
          throw badOption('jobId', 'given, or else "uri"');
        const sources: ImageColumnsSource[] = [
          ...(pattern === undefined ? [] : [{ pattern }]),
          ...(sheet === undefined
            ? []
            : [{ sheet, ...(by !== undefined && { by }), ...(header && { header }) }]),
          ...(columns === undefined ? [] : [{ columns }]),
        ];
        const [columnsSource = { columns: {} }] = sources;
        if (sources.length > 1 || (sources.length === 0 && !givenRoles))
          throw badOption('pattern', 'given, or else "sheet" or "columns"');
        if (by !== undefined && sheet === undefined) throw badOption('by', 'given with "sheet" alone');
        if (header && sheet === undefined) throw badOption('header', 'given with "sheet" alone');
        const source = file
          ? new FileResult(file, 'file')
          : await activeJobResult(vscode.l10n.t, sessions, jobId ?? '');
        const { setImageColumns } = await import('../node/givenImageColumns');
        const { signal } = new AbortController();
        return await results.use(source, session =>
          setImageColumns(session, columnsSource, givenRoles ?? {}, signal),
        );
      },
    }),
  };
}
