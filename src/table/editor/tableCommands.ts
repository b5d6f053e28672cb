import { optionalColumns, optionalFilters, optionalSort } from '../../columns/namedFilter';
import { command } from '../../host/editor/command';
import { pathOnDisk } from '../../host/editor/uriOptions';
import { optionalFlag, optionalOneOf } from '../../host/options';
import {
  type ProgramTableDependencies,
  programTables,
  tableOptions,
} from '../../session/editor/programTables';
import { saveTableAsProgram } from '../node/tablePrograms';

/** Table commands for programs: of a job, or of a file on disk. */
export function tableCommands({ sessions, results }: ProgramTableDependencies) {
  const withTable = programTables({ sessions, results }, 'rows');
  return {
    saveTable: command({
      options: {
        ...tableOptions,
        what: optionalOneOf(['objects', 'aggregate']),
        columns: optionalColumns,
        filters: optionalFilters,
        sort: optionalSort,
        populations: optionalFlag,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: call => withTable(call, (table, saved) => saveTableAsProgram(table, saved)),
    }),
  };
}
