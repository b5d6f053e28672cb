import type { OpenResults } from '../../app/results/openResults';
import type { MasksMenuCommand } from '../../protocol/menuCommands';
import { command } from './command';

/** Entries of the pages' own context menus: the active page knows what its menu was opened on, and runs them. */
export function menuCommands({ results }: { results: OpenResults }) {
  // VS Code passes the context of a page as a plain object, so each call counts as a program's.
  const inPage = (name: MasksMenuCommand) =>
    command({
      options: {},
      program: () => {
        results.activeView?.runInPage(name);
        return Promise.resolve();
      },
    });
  return {
    zoomToObject: inPage('zoomToObject'),
    showOnlyClass: inPage('showOnlyClass'),
    copyMeasurements: inPage('copyMeasurements'),
    exportSelectedObjects: inPage('exportSelectedObjects'),
    fitMasks: inPage('fitMasks'),
    saveMasksView: inPage('saveMasksView'),
    showMasksShortcuts: inPage('showMasksShortcuts'),
  };
}
