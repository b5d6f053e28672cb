import { computed, signal } from '@preact/signals';
import { conditionsOfTable } from '../../study/page/conditionsInTable';
import { t } from '../../pages/page/l10n';
import type { TableContribution } from '../../table/page/contribution';
import type { PlateModel } from './plateModel';
import type { platesLater } from './platesLater';
import { CLOSED_PLATES, type PlatesState, renamedChoices, savedPlates, undonePlates } from './platesSaved';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    plates: typeof platesLater;
  }
}

/** Plates in place of the rows of a table: what they are made of comes once they are opened. */
export const platesInTable: TableContribution = {
  saved: savedPlates,
  undo: undonePlates,
  open: parts => {
    const { model: table, start, port, view } = parts;
    const state = signal<PlatesState>({ ...CLOSED_PLATES, ...view.plates });
    const isOpen = computed(() => state.value.open);
    let model: PlateModel | undefined;
    const change = (plates: PlatesState) => {
      state.value = plates;
      port.updateView({ plates });
    };
    const show = (open: boolean) => change({ ...state.peek(), open });
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
          toggle: () => show(!isOpen.peek()),
        },
      ],
      overRows: [
        {
          label: t('Plates'),
          isOpen,
          close: () => show(false),
          content: ({ plates: { PlatePart, plateModel, plateActions } }) => {
            model ??= plateModel(parts, state, change);
            const conditions = parts.added.get(conditionsOfTable);
            return (
              <PlatePart
                model={model}
                images={conditions.images}
                columns={() => table.table.columns}
                actions={plateActions(parts, model, conditions)}
              />
            );
          },
        },
      ],
      columnsRenamed: names => change(renamedChoices(state.peek(), names)),
      restore: ({ plates }, open) => {
        if (!plates) return;
        change({ ...plates, open: open || isOpen.peek() });
        model?.chosen();
      },
    };
  },
};
