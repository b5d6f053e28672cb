import { command } from '../../host/editor/command';
import type { PageMenuCommand } from '../../protocol/menuCommands';
import type { OpenResults } from '../node/openResults';

/**
 * The command of a page's context menu entry. It runs in the active page, which knows the target.
 */
export function inPage(results: OpenResults, entry: PageMenuCommand) {
  // VS Code passes the page's context as a plain object, so every call looks like a program's.
  return command({
    options: {},
    program: () => {
      results.activeView?.runInPage(entry);
      return Promise.resolve();
    },
  });
}
