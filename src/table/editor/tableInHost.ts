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

/** Results whose table has a saved filter. */
interface LeftFilters {
  /**
   * Makes a result without panels follow the filter of a table whose tab wasn't shown since the
   * window reloaded, until disposed; undefined without one.
   */
  hold(source: ResultSource): Disposable | undefined;
}

export const leftFilters = new PartKey<LeftFilters>('leftFilters');

/** Tables in panels, with additions of other subjects, and functions for programs. */
export const tableInHost =
  (added: TablePanelParts): ContributeToResults =>
  host => {
    const { settings, choices, results, sessions, parts } = host;
    const filters = new TableFilters(host);
    parts.add(leftFilters, filters);
    const panelOf = (kind: TableKind) => (shown: ShownPanel) => {
      const keepFilters = (rows: TableShown | null) => filters.keep(shown.session, rows);
      const own = { choices, keepFilters, settings: () => settings.ofPage('table') };
      // Their requests are theirs to know.
      return new TablePanel({ ...shown, ...own, added: Object.values<AnyPanelPart>(added as never) }, kind);
    };
    return {
      commands: tableCommands({ sessions, results }),
      panels: { objects: panelOf('objects'), aggregate: panelOf('aggregate'), file: panelOf('file') },
    };
  };

/** The filters of objects tables, which masks follow while no table page reports its rows. */
class TableFilters implements LeftFilters {
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

  hold(source: ResultSource): Disposable | undefined {
    const { results } = this.host;
    if (results.sessionOf(source) || !this.kept.of(source) || !hasTableTab()) return undefined;
    const held = new AbortController();
    const released = new Promise<void>(resolve =>
      held.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    void results.use(source, session => {
      void this.restore(session);
      return released;
    });
    return toDisposable(() => held.abort());
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
