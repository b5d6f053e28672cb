import type { TableColumn } from '../../columns/tableSummary';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import { columnsBehind, type Population, populationsInTable } from '../population';
import { populationWords } from './gateWords';

/** The populations without a problem, for use in measures. */
export function namedPopulations(
  all: readonly Population[],
  columnsNow: () => readonly TableColumn[],
): NamedPopulation[] {
  const columns = columnsNow();
  return populationsInTable(all, columns).flatMap(({ population: { name }, placement }) =>
    'problem' in placement
      ? []
      : {
          name,
          get columns() {
            return columnsBehind(all, name, columns);
          },
          words: () => populationWords(all, name, columnsNow()),
        },
  );
}
