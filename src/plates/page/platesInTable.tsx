import { computed, signal } from '@preact/signals';
import { conditionsOfTable } from '../../study/page/conditionsInTable';
import { t } from '../../pages/page/l10n';
import type { TableContribution, TableShortcut } from '../../table/page/contribution';
import { keyNames } from '../../table/page/keyNames';
import type { PlateModel } from './plateModel';
import type { platesLater } from './platePart';
import { withRenamedPopulation } from '../../study/page/chosenMeasure';
import { CLOSED_PLATES, type PlatesState, renamedChoices, savedPlates, undonePlates } from './platesSaved';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    plates: typeof platesLater;
  }
}

const { enter, pageDown, pageUp, shift, space } = keyNames;

const shortcuts: readonly TableShortcut[] = [
  { keys: [['←'], ['→'], ['↑'], ['↓']], does: t.later('On plates: move among wells') },
  {
    keys: [[space], [shift, space]],
    does: t.later('On plates: filter to the well; with Shift to others too'),
  },
  { keys: [[enter]], does: t.later('On plates: open the images of the well') },
  { keys: [['N'], ['P']], does: t.later('On plates: mark the well as a negative or positive control') },
  { keys: [[pageUp], [pageDown]], does: t.later('On plates: show the plates before or after') },
];

/** Plates shown in place of a table's rows. Their script loads when they are first opened. */
export const platesInTable: TableContribution = {
  saved: savedPlates,
  undo: undonePlates,
  open: parts => {
    const { start, port, view } = parts;
    const state = signal<PlatesState>({ ...CLOSED_PLATES, ...view.plates });
    const isOpen = computed(() => state.value.open);
    let model: PlateModel | undefined;
    const change = (plates: PlatesState) => {
      state.value = plates;
      port.updateView({ plates });
    };
    parts.populations.onDidChange(renamed => {
      const { measure } = state.peek();
      if (renamed && measure) change({ ...state.peek(), measure: withRenamedPopulation(measure, renamed) });
    });
    const show = (open: boolean) => change({ ...state.peek(), open });
    return {
      buttons: [
        {
          icon: 'gripper',
          label: t('Plates'),
          hint: t('Show the values of wells on their plates'),
          place: 'views',
          // A row of an aggregate table may summarize several wells.
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
          content: ({ plates: { PlatePart, PlateModel: Model } }) => {
            model ??= new Model(parts, state, change);
            return <PlatePart parts={parts} model={model} conditions={parts.added.get(conditionsOfTable)} />;
          },
        },
      ],
      shortcuts,
      columnsRenamed: names => change(renamedChoices(state.peek(), names)),
      restore: ({ plates }, open) => {
        if (!plates) return;
        change({ ...plates, open: open || isOpen.peek() });
        void model?.load();
      },
    };
  },
};
