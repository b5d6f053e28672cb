import { CodedError } from '../../base/errors';
import type { ColumnStatisticId } from '../../columns/columnStatistics';
import { columnOf } from '../../columns/namedFilter';
import type { TableColumn } from '../../columns/tableSummary';
import type { EngineRequests } from '../../protocol/engineRequests';
import { badOption } from '../../host/options';
import { countedRows } from '../../session/node/countedRows';
import { type Destination, openCompletely, type ProgramTable } from '../../session/node/programTable';
import { plainEnglish } from '../../words/translate';
import { pathsIn, type Population, populationsInTable } from '../population';
import { problemWords } from '../problemWords';
import { sessionPopulations } from './sessionPopulations';

/** A population in results for programs. */
interface ProgramPopulation {
  name: string;
  /** The names of its parents and its own, separated by slashes. */
  path: string;
  count: number;
  /** Shares from 0 to 1; null if the parent, or the table, has no rows. */
  ofParent: number | null;
  ofAll: number | null;
  /** Rows of its parent where membership is unknown. */
  missing: number;
  /**
   * Thresholds of its gates by percentiles and statistics, in order; per image, minimum to maximum.
   */
  thresholds?: (number | [number, number] | null)[];
}

/**
 * Replaces the populations of a table. If the table can't have one of them, throws `bad-request`
 * with its name as subject, and changes nothing.
 */
export async function setPopulationsAsProgram(
  table: ProgramTable,
  newPopulations: readonly Population[],
): Promise<{ populations: ProgramPopulation[] }> {
  const { session, kind, signal } = table;
  const { columns } = await openCompletely(table);
  checkPopulations(newPopulations, columns);
  await session.get(sessionPopulations).set(kind, newPopulations, signal);
  const { rowCount, populations } = await session.tables.request(kind, 'countPopulations', {}, signal);
  const pathOf = pathsIn(newPopulations);
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : null);
  return {
    populations: populations.map(({ name, count, parentCount, missing, thresholds }) => ({
      name,
      path: pathOf(name).join('/'),
      count,
      ofParent: share(count, parentCount),
      ofAll: share(count, rowCount),
      missing,
      ...(thresholds.length > 0 && {
        thresholds: thresholds.map(([least, greatest]) => {
          if (least === null || greatest === null) return null;
          return least === greatest ? least : ([least, greatest] as [number, number]);
        }),
      }),
    })),
  };
}

/** Throws `bad-request` for the first population that a table can't have. */
function checkPopulations(all: readonly Population[], columns: readonly TableColumn[]): void {
  for (const { population, placement } of populationsInTable(all, columns)) {
    if (!('problem' in placement) || placement.problem.kind === 'needs') continue;
    const { name } = population;
    const why = problemWords(plainEnglish, placement.problem);
    throw new CodedError('bad-request', `The population "${name}": ${why}`, { subject: name });
  }
}

/**
 * Saves row counts of populations by groups. Throws `bad-request` with the option as subject, and
 * errors of saving.
 */
export async function savePopulationsAsProgram(
  table: ProgramTable,
  {
    by: byColumns = [],
    measures: measureColumns = [],
    statistics: statisticIds,
    ...destination
  }: Destination & {
    by: readonly (string | number)[] | undefined;
    measures: readonly (string | number)[] | undefined;
    statistics: readonly ColumnStatisticId[] | undefined;
  },
): Promise<{ path: string; rows: number; bytes: number }> {
  const { columns } = await openCompletely(table);
  const by = byColumns.map(column => columnOf(columns, column, 'by'));
  const measures = measureColumns.map(column => columnOf(columns, column, 'measures'));
  for (const column of measures)
    if (columns[column]?.kind !== 'number')
      throw badOption('measures', `columns of numbers, and "${columns[column]?.name ?? ''}" has texts`);
  const statistics = statisticIds ?? (measures.length > 0 ? (['mean'] as const) : []);
  const saved = { by, measures, statistics: [...statistics], ...destination };
  const { path, rows, bytes } = await savePopulationTable(table, columns, saved);
  return { path, rows, bytes };
}

/** What to write into a table of populations, and where. */
type PopulationTableOptions = Omit<
  EngineRequests['savePopulations']['params'],
  'table' | 'filters' | 'header'
>;

/**
 * Saves a table of populations, of the rows that the session counts. Throws `bad-request` if a
 * population has a problem.
 */
export async function savePopulationTable(
  { session, kind, signal }: ProgramTable,
  columns: readonly TableColumn[],
  saved: PopulationTableOptions,
): Promise<{ path: string; rows: number; bytes: number }> {
  const { by, measures, statistics, areas } = saved;
  const name = (column: number) => columns[column]?.name ?? '';
  const header = [
    'Population',
    ...by.map(name),
    ...['Count', 'OfParent', 'OfAll', ...(areas ? ['PerMm2'] : [])],
    ...measures.flatMap(column => statistics.map(id => `${name(column)} (${id})`)),
  ];
  // Populations that were valid when they were set may have lost columns since.
  const populations = session.get(sessionPopulations);
  checkPopulations(populations.listOf(kind), columns);
  await populations.sendToEngine(kind);
  const { filters = [] } = (await session.find(countedRows)?.counted(kind, signal)) ?? {};
  return session.tables.request(kind, 'savePopulations', { ...saved, filters, header }, signal);
}
