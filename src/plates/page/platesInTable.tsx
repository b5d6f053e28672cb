import type {} from '../platesPage';
import { computed } from '@preact/signals';
import { type ConditionsInTable, conditionsOfTable } from '../../conditions/page/conditionsInTable';
import { t } from '../../pages/page/l10n';
import type { OpenedParts, TableContribution } from '../../table/page/contribution';
import { activeFilters, type PageFilter } from '../../table/page/filterList';
import { NO_MARKS } from '../controls';
import { PlateModel, type PlateModelOptions, type ShownPlate } from './plateModel';
import type { PlatePartProps } from './platePart';
import type { platesLater } from './platesLater';
import { savedPlates, undonePlates } from './platesSaved';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    plates: typeof platesLater;
  }
}

/** Plates in place of the rows of a table. */
export const platesInTable: TableContribution = {
  saved: savedPlates,
  undo: undonePlates,
  open: parts => {
    const { text, model: table, start, filterSets } = parts;
    const model = new PlateModel(platesOfTable(parts));
    filterSets.onDidChange(renamed => model.filterSetsChanged(renamed));
    const isOpen = computed(() => model.state.value.open);
    const conditions = parts.added.get(conditionsOfTable);
    const actions = actionsOf(parts, model, conditions);
    return {
      buttons: [
        {
          icon: 'gripper',
          label: t('Plates'),
          hint: t('Show the values of wells on their plates'),
          place: 'views',
          // Rows of an aggregate table may be of several wells.
          isOffered: computed(() => start.kind !== 'aggregate' && start.ofPairs !== true),
          isOpen,
          toggle: () => (isOpen.peek() ? model.close() : model.open()),
        },
      ],
      overRows: [
        {
          label: t('Plates'),
          isOpen,
          close: () => model.close(),
          content: ({ plates: { PlatePart } }) => (
            <PlatePart
              model={model}
              images={conditions.images}
              text={text}
              columns={() => table.table.columns}
              actions={actions}
            />
          ),
        },
      ],
      begin: () => {
        if (isOpen.peek()) void model.begin();
        table.onDidChange(change => model.dataChanged(change));
      },
      columnsRenamed: names => model.columnsRenamed(names),
      restore: ({ plates }, open) => {
        if (plates) model.restore(plates, open);
      },
    };
  },
};

/** The table as plates see it. */
function platesOfTable({
  model,
  panel,
  port,
  messages,
  rows,
  filters,
  filterSets,
  textsOf,
  view,
}: OpenedParts): PlateModelOptions {
  return {
    source: {
      get table() {
        return model.table;
      },
      get statisticsFilters() {
        return model.statisticsFilters;
      },
    },
    filterSets: filterSets.all,
    panel: {
      plateStart: until => panel.request('plateStart', {}, until),
      tablePlates: (params, until) => panel.request('tablePlates', params, until),
      textsOf,
    },
    state: view.plates,
    save: plates => port.updateView({ plates }),
    log: error => messages.log(error),
    filterTo: (wells, columns) => {
      const isOfWells = ({ filter }: PageFilter) =>
        filter.kind !== 'rowSet' && columns.includes(filter.column) && filter.kind !== 'missing';
      const active = new Set(activeFilters(model.latestFilters).filter(isOfWells));
      filters.set([
        ...model.latestFilters.filter(filter => !active.has(filter)),
        ...wells.map(({ column, values }) => ({ filter: { kind: 'values' as const, column, values } })),
      ]);
    },
    enterRows: () => rows.enterGrid(),
  };
}

/** What plates have the page do. */
function actionsOf(
  parts: OpenedParts,
  plates: PlateModel,
  conditions: ConditionsInTable,
): PlatePartProps['actions'] {
  const { output, messages, panel, plotted } = parts;
  return {
    addColumns: () => conditions.showImages(),
    enter: (plate, well) => void enterWell(parts, plates, plate, well),
    savePlot: (name, type, data) => void output.savePlot(name, type, data),
    pngFailed: error => messages.failed('pngFailed', error),
    say: plotted.say,
    saveWells: async ({ params }, value) => {
      const { marks = NO_MARKS, as = 'value' } = plates.state.peek();
      try {
        const { saved } = await panel.request('savePlates', { ...params, marks, as, value });
        if (saved)
          messages.say(t.count(saved.wells, '1 well saved as {1}', '{0} wells saved as {1}', saved.name));
      } catch (error) {
        messages.failed('saveFailed', error);
      }
    },
  };
}

/** Filters the table to a well, and opens the image of its first object; where there are no masks, shows its rows. */
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
    messages.failed('rowsFailed', error);
  }
}
