import { PartKey } from '../../base/parts';
import { showFailure } from '../../host/editor/messages';
import { backgroundImages } from '../../linking/editor/linkingInHost';
import { ClassColorChoices } from '../../results/node/resultChoices';
import type { ContributeToResults, ShownPanel } from '../../session/editor/contribution';
import { chooseTableOfMasks } from '../../session/editor/resultCommands';
import type { ResultSource } from '../../session/node/resultSource';
import type { ObjectsOfImage } from '../../archives/masksSummary';
import { maskParts } from '../node/shownClasses';
import { MasksPanel } from './masksPanel';

/** Actions on the masks of a page that other subjects provide. */
interface MasksActions {
  /** Exports the masks, or only `selected` objects. */
  exportMasks?: (source: ResultSource, selected?: readonly ObjectsOfImage[]) => Promise<void>;
  /** Compares the masks with others. */
  compareMasks?: (source: ResultSource) => Promise<void>;
}

export const masksActions = new PartKey<MasksActions>('masksActions');

/** Contributes panels of masks. */
export const masksInHost: ContributeToResults = ({ context, settings, choices, results, parts }) => {
  const actions = parts.add<MasksActions>(masksActions, {});
  const pairing = parts.get(backgroundImages);
  const classColors = new ClassColorChoices(context.globalState);
  const panelOf = (shown: ShownPanel) => {
    const { session, openPart } = shown;
    const { source } = session;
    return new MasksPanel({
      ...shown,
      pairing,
      settings: () => settings.ofPage('masks'),
      choices,
      classColors,
      exportMasks: selected => void actions.exportMasks?.(source, selected).catch(showFailure),
      compareMasks: () => void actions.compareMasks?.(source).catch(showFailure),
      ensureTableInView: () => {
        if (!results.isInView(source, 'objects')) openPart('objects');
      },
      chooseTable: () => void chooseTableOfMasks(results, session).catch(showFailure),
    });
  };
  return { sessionParts: maskParts, panels: { masks: panelOf } };
};
