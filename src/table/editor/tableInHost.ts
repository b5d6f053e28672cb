import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import { PartKey } from '../../base/parts';
import { userMessage } from '../../host/editor/language';
import { showWarningMessage } from '../../host/editor/messages';
import { viewTypes } from '../../host/manifestNames';
import type { TableShown } from '../../linking/shownRows';
import type { TableKind } from '../../service/resultParts';
import type { ContributeToResults, ResultsHost, ShownPanel } from '../../session/editor/contribution';
import type { ResultSource } from '../../session/node/resultSource';
import type { ResultSession } from '../../session/node/resultSession';
import { FiltersInWorkspace, restoreFilters } from '../node/storedFilters';
import { tableCommands } from './tableCommands';
import { TablePanel } from './tablePanel';
import type { AnyPanelPart, TablePanelParts } from './tablePanelPart';

/** Stored filters of tables whose pages aren't loaded. */
interface UnloadedFilters {
  /**
   * Applies the stored filter of a table whose tab wasn't shown since the window was reloaded,
   * until disposed. Undefined if the result is in use already or has no such filter.
   */
  follow(source: ResultSource): Disposable | undefined;
}

export const unloadedFilters = new PartKey<UnloadedFilters>('unloadedFilters');

/** Contributes panels of tables, with parts of other subjects, and commands for programs. */
export const tableInHost =
  (added: TablePanelParts): ContributeToResults =>
  host => {
    const { settings, choices, results, sessions, parts } = host;
    const filters = new TableFilters(host);
    parts.add(unloadedFilters, filters);
    const panelOf = (kind: TableKind) => (shown: ShownPanel) => {
      const storeFilters = (rows: TableShown | null) => filters.store(shown.session, rows);
      const tableDependencies = { choices, storeFilters, settings: () => settings.ofPage('table') };
      // The types of other subjects' requests aren't known here.
      return new TablePanel(
        { ...shown, ...tableDependencies, added: Object.values<AnyPanelPart>(added as never) },
        kind,
      );
    };
    return {
      commands: tableCommands({ sessions, results }),
      panels: { objects: panelOf('objects'), aggregate: panelOf('aggregate'), file: panelOf('file') },
    };
  };

/** The filters of objects tables, which masks follow while no page of the table reports any. */
class TableFilters implements UnloadedFilters {
  private readonly stored: FiltersInWorkspace;
  private lastWrite: Promise<void> = Promise.resolve();

  constructor(private readonly host: ResultsHost) {
    this.stored = new FiltersInWorkspace(host.context.workspaceState);
    host.onDidKeepAccounts(accountIds => void this.stored.keepAccounts(accountIds));
    host.onDidRevive(({ session, part }) => {
      if (part === 'masks') void this.restore(session);
    });
    // A page out of view isn't loaded again until it is shown.
    host.results.onDidBegin(session => {
      session.onDidLoseEngine(() => void this.restore(session));
    });
  }

  store(session: ResultSession, shown: TableShown | null): void {
    // Writes wait for each other, so that the latest filters stay.
    this.lastWrite = this.lastWrite.then(() => this.write(session, shown));
  }

  follow(source: ResultSource): Disposable | undefined {
    const { results } = this.host;
    if (results.sessionOf(source) || !this.stored.of(source) || !hasTableTab()) return undefined;
    const following = new AbortController();
    const released = new Promise<void>(resolve =>
      following.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    void results.use(source, session => {
      void this.restore(session);
      return released;
    });
    return toDisposable(() => following.abort());
  }

  private async write({ source, tables }: ResultSession, shown: TableShown | null): Promise<void> {
    if (source.isOfPairs) return;
    try {
      const { columns } = shown
        ? await tables.open('objects', new AbortController().signal)
        : { columns: [] };
      await this.stored.set(source, shown, columns);
    } catch (error) {
      this.host.log.info(`The table's filters aren't kept: ${String(error)}`);
    }
  }

  /** Makes masks follow the filters of a table whose page VS Code hasn't loaded again yet. */
  private async restore(session: ResultSession): Promise<void> {
    const { source } = session;
    const filters = this.stored.of(source);
    if (!filters) return;
    try {
      if (hasTableTab()) await restoreFilters(session, filters);
      else await this.stored.set(source, null, []);
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

/** Whether a tab of the window has a table, loaded or not. */
function hasTableTab(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      // VS Code adds a prefix to the type.
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.table),
    ),
  );
}
