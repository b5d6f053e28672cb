import type {} from '../platesPage';
import type { ConditionsInTable } from '../../study/page/conditionsInTable';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import { activeFilters, type PageFilter } from '../../table/page/filterList';
import { NO_MARKS } from '../controls';
import { PlateModel, type PlateModelOptions, type ShownPlate, type ShownPlates } from './plateModel';
import type { PlatePartProps } from './platePart';

/** The plates of a table, once they are opened. */
export function plateModel(
  parts: OpenedParts,
  state: PlateModelOptions['state'],
  change: PlateModelOptions['change'],
): PlateModel {
  const model = new PlateModel({ ...platesOfTable(parts), state, change });
  parts.populations.onDidChange(renamed => model.populationsChanged(renamed));
  parts.model.onDidChange(changed => model.dataChanged(changed));
  return model;
}

function platesOfTable({
  model,
  panel,
  messages,
  rows,
  filters,
  populations,
  textsOf,
}: OpenedParts): Omit<PlateModelOptions, 'state' | 'change'> {
  return {
    source: {
      get table() {
        return model.table;
      },
      get statisticsFilters() {
        return model.statisticsFilters;
      },
    },
    populations: populations.all,
    panel: {
      plateStart: until => panel.request('plateStart', {}, until),
      tablePlates: (params, until) => panel.request('tablePlates', params, until),
      textsOf,
    },
    log: error => messages.log(error),
    filterTo: (wells, columns) => {
      const isOfWells = ({ filter }: PageFilter) =>
        'column' in filter && columns.includes(filter.column) && filter.kind !== 'missing';
      const active = new Set(activeFilters(model.latestFilters).filter(isOfWells));
      filters.set([
        ...model.latestFilters.filter(filter => !active.has(filter)),
        ...wells.map(({ column, values }) => ({ filter: { kind: 'values' as const, column, values } })),
      ]);
    },
    enterRows: () => rows.enterGrid(),
  };
}

/** Calls of plates to the page. */
export function plateActions(
  parts: OpenedParts,
  plates: PlateModel,
  conditions: ConditionsInTable,
): PlatePartProps['actions'] {
  const { output, messages, plotted } = parts;
  return {
    addColumns: () => conditions.showImages(),
    enter: (plate, well) => void enterWell(parts, plates, plate, well),
    savePlot: (name, type, data) => void output.savePlot(name, type, data),
    pngFailed: error =>
      messages.failed(t.later("Couldn't save the plot as PNG. Save it as SVG instead."), error),
    say: plotted.say,
    saveWells: (shown, value) => void saveWells(parts, plates, shown, value),
  };
}

/** Saves the shown numbers of all wells. */
async function saveWells(
  { panel, messages }: OpenedParts,
  plates: PlateModel,
  { params }: ShownPlates,
  value: string,
): Promise<void> {
  const { marks = NO_MARKS, as = 'value' } = plates.state.peek();
  try {
    const { saved } = await panel.request('savePlates', { ...params, marks, as, value });
    if (saved)
      messages.say(t.count(saved.wells, '1 well saved as {1}', '{0} wells saved as {1}', saved.name));
  } catch (error) {
    messages.failed(t.later("Couldn't save: {0}"), error);
  }
}

/**
 * Filters the table to a well and opens the image of its first object; without masks, shows its
 * rows.
 */
async function enterWell(
  { messages, panel, link, start }: OpenedParts,
  plates: PlateModel,
  plate: ShownPlate,
  well: number,
): Promise<void> {
  if (!plates.isSelected(plate, well)) plates.filterTo(plate, [well], false);
  if (start.kind !== 'objects') {
    plates.leave();
    return;
  }
  try {
    const view = { sort: [], filters: plates.filtersTo(plate, well), columns: [] };
    const { fileRows } = await panel.request('tableRows', { ...view, start: 0, end: 1 });
    const [row] = fileRows;
    if (row === undefined) messages.say(t('No object of this well matches the filters.'), true);
    else {
      link.select(row);
      panel.send('showMasks', {});
    }
  } catch (error) {
    messages.failed(t.later("Couldn't read some rows: {0}"), error);
  }
}
