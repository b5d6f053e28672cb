import { command } from '../../host/editor/command';
import type { PageMenuCommand } from '../../protocol/menuCommands';
import type { OpenResults } from '../node/openResults';

/** The command of a page's context menu entry: the active page knows its menu's target. */
export function inPage(results: OpenResults, entry: PageMenuCommand) {
  // VS Code passes the context of a page as a plain object, so each call counts as a program's.
  return command({
    options: {},
    program: () => {
      results.activeView?.runInPage(entry);
      return Promise.resolve();
    },
  });
}
