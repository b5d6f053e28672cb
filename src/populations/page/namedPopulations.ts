import type { TableColumn } from '../../columns/tableSummary';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import { numericColumns } from '../gate';
import { pathOf, type Population, populationNamed, populationsInTable } from '../population';
import { populationWords } from './gateWords';

/** Populations that a table can have, as measures know them. */
export function namedPopulations(
  all: readonly Population[],
  columnsNow: () => readonly TableColumn[],
): NamedPopulation[] {
  const columns = columnsNow();
  const columnsOf = (name: string) => {
    const own = populationNamed(all, name);
    return own ? numericColumns(own.gate) : [];
  };
  const nameOf = (column: number | string) =>
    typeof column === 'number' ? (columns[column]?.name ?? '') : column;
  return populationsInTable(all, columns).flatMap(({ of: { name }, found }) =>
    'problem' in found
      ? []
      : {
          name,
          columns: pathOf(all, name).flatMap(columnsOf).map(nameOf),
          words: () => populationWords(all, name, columnsNow()),
        },
  );
}
