import * as v from 'valibot';
import { listedStatistics } from '../../columns/columnStatistics';
import { optionalColumns } from '../../columns/namedFilter';
import { command } from '../../host/editor/command';
import { pathOnDisk, uri } from '../../host/editor/uriOptions';
import { type Option, optional, optionalFlag, optionalText } from '../../host/options';
import { type ProgramTableDependencies, programTables } from '../../session/editor/programTables';
import { savePopulationsAsProgram, setPopulationsAsProgram } from '../node/populationPrograms';
import type { Population } from '../population';
import { populations } from '../populationSchemas';

const definitions: Option<Population[]> = {
  expected:
    'an array of populations, each { name, parent?, color?, gate }, with gates as in docs/guide/automation.md',
  read: value => {
    const { success, output } = v.safeParse(populations, value);
    return success ? { value: output } : undefined;
  },
};

type Statistic = (typeof listedStatistics)[number];

const optionalStatistics: Option<Statistic[] | undefined> = optional({
  expected: `an array of ${listedStatistics.join(', ')}`,
  read: value => {
    const parsed = v.safeParse(v.array(v.picklist(listedStatistics)), value);
    return parsed.success ? { value: parsed.output } : undefined;
  },
});

/** The user's table, without another format or more columns: populations are stored for it. */
const userTableSettings = { header: undefined, decimal: undefined, computed: undefined };

/** Commands for programs: populations of a job's objects table, or of a table on disk. */
export function populationCommands({ sessions, results }: ProgramTableDependencies) {
  const withTable = programTables({ sessions, results }, 'populations');
  return {
    setPopulations: command({
      options: { jobId: optionalText, uri: optional(uri), populations: definitions },
      program: call =>
        withTable({ ...call, ...userTableSettings }, (table, { populations }) =>
          setPopulationsAsProgram(table, populations),
        ),
    }),
    savePopulations: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        by: optionalColumns,
        statistics: optionalStatistics,
        measures: optionalColumns,
        destination: pathOnDisk,
        overwrite: optionalFlag,
      },
      program: call =>
        withTable({ ...call, ...userTableSettings }, (table, saved) =>
          savePopulationsAsProgram(table, saved),
        ),
    }),
  };
}
