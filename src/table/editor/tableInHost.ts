import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import { userMessage } from '../../host/editor/language';
import { showWarningMessage } from '../../host/editor/messages';
import { viewTypes } from '../../host/manifestNames';
import type { TableShown } from '../../linking/shownRows';
import type { TableKind } from '../../service/resultParts';
import type { ContributeToResults, ResultsHost, ShownPanel } from '../../session/editor/contribution';
import type { ResultSession } from '../../session/node/resultSession';
import { FiltersInWorkspace, restoreFilters } from '../node/keptFilters';
import { tableCommands } from './tableCommands';
import { TablePanel } from './tablePanel';

/** Tables in panels, and what programs do with them. */
export const tableInHost: ContributeToResults = host => {
  const { settings, choices, results, sessions } = host;
  const filters = new TableFilters(host);
  const panelOf = (kind: TableKind) => (shown: ShownPanel) => {
    const keepFilters = (rows: TableShown | null) => filters.keep(shown.session, rows);
    return new TablePanel({ ...shown, choices, keepFilters, settings: () => settings.ofPage('table') }, kind);
  };
  return {
    commands: tableCommands({ sessions, results }),
    panels: { objects: panelOf('objects'), aggregate: panelOf('aggregate'), file: panelOf('file') },
  };
};

/** The filters of objects tables, which masks follow while no page of the table says which rows it shows. */
class TableFilters {
  private readonly kept: FiltersInWorkspace;
  private keeping: Promise<void> = Promise.resolve();

  constructor(private readonly host: ResultsHost) {
    this.kept = new FiltersInWorkspace(host.context.workspaceState);
    host.onDidKeepAccounts(accountIds => void this.kept.keepAccounts(accountIds));
    host.onDidRevive(({ session, part }) => {
      if (part === 'masks') void this.restore(session);
    });
    // The page of a table that isn't in view doesn't load again until it is.
    host.results.onDidBegin(session => {
      session.onDidLoseEngine(() => void this.restore(session));
    });
  }

  keep(session: ResultSession, shown: TableShown | null): void {
    // One after the other: the latest holds.
    this.keeping = this.keeping.then(() => this.write(session, shown));
  }

  private async write({ source, tables }: ResultSession, shown: TableShown | null): Promise<void> {
    if (source.isOfPairs) return;
    try {
      const { columns } = shown
        ? await tables.open('objects', new AbortController().signal)
        : { columns: [] };
      await this.kept.set(source, shown, columns);
    } catch (error) {
      this.host.log.info(`The table's filters aren't kept: ${String(error)}`);
    }
  }

  /** Has masks follow the filters of a table whose page VS Code has not loaded again yet. */
  private async restore(session: ResultSession): Promise<void> {
    const { source } = session;
    const kept = this.kept.of(source);
    if (!kept) return;
    try {
      if (hasTableTab()) await restoreFilters(session, kept);
      else await this.kept.set(source, null, []);
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      void showWarningMessage(
        vscode.l10n.t(
          "Couldn't restore the table's filter, so the masks show all objects until the table is shown: {0}",
          userMessage(error),
        ),
      );
    }
  }
}

/** Whether the window has a table in a tab, loaded or not. */
function hasTableTab(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      // VS Code adds something before the type.
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.table),
    ),
  );
}
