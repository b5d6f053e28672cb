import { t } from '../../pages/page/l10n';
import type { TableContribution } from '../../table/page/contribution';
import type { populationsLater } from './populationsLater';
import { PopulationsModel, populationsOfTable } from './populationsModel';
import { savedPopulationsPart, undonePopulations } from './populationsSaved';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    populations: typeof populationsLater;
  }
}

/** The tree of populations beside the rows. */
export const populationsInTable: TableContribution = {
  saved: savedPopulationsPart,
  undo: undonePopulations,
  open: parts => {
    const model = new PopulationsModel(parts);
    parts.added.add(populationsOfTable, model);
    // Rows of an aggregate table are no objects.
    if (parts.start.kind === 'aggregate') return {};
    return {
      buttons: [
        {
          icon: 'type-hierarchy-sub',
          label: t('Populations'),
          place: 'views',
          isOpen: model.isOpen,
          toggle: () => model.toggle(),
        },
      ],
      side: {
        name: t('Populations'),
        isOpen: model.isOpen,
        width: model.width,
        content: ({ populations: { PopulationsPart } }) => <PopulationsPart model={model} parts={parts} />,
      },
      begin: () => model.begin(),
      columnsRenamed: names => model.columnsRenamed(names),
      restore: ({ populations }, open) => {
        if (populations) model.restore(populations, open);
      },
    };
  },
};
