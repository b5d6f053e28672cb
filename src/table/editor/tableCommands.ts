import { optionalComputed } from '../../columns/computedColumn';
import { optionalColumns, optionalFilters, optionalSort } from '../../columns/namedFilter';
import { command } from '../../host/editor/command';
import { pathOnDisk, uri } from '../../host/editor/uriOptions';
import { optional, optionalFlag, optionalHeader, optionalOneOf, optionalText } from '../../host/options';
import {
  optionalDecimal,
  type ProgramTableDependencies,
  programTables,
} from '../../session/editor/programTables';
import { saveTableAsProgram } from '../node/tablePrograms';

/** What programs do with the rows of a table, of a job or of a file on disk. */
export function tableCommands({ sessions, results }: ProgramTableDependencies) {
  const withTable = programTables({ sessions, results }, 'rows');
  return {
    saveTable: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        header: optionalHeader,
        decimal: optionalDecimal,
        what: optionalOneOf(['objects', 'aggregate']),
        computed: optionalComputed,
        columns: optionalColumns,
        filters: optionalFilters,
        sort: optionalSort,
        populations: optionalFlag,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: ({ jobId, uri: file, header, decimal, what, computed, ...saved }) =>
        withTable({ jobId, uri: file, what, header, decimal, computed }, table =>
          saveTableAsProgram(table, saved),
        ),
    }),
  };
}
