import type { Disposable } from '../../base/disposable';
import type { Filter } from '../../columns/viewSpec';
import type { RequestsOf } from '../../protocol/declarations';
import type { AnyHandler, PageDeclaration } from '../../protocol/declarations';
import type { RequestHandlers } from '../../protocol/rpc';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from '../../session/node/resultSession';
import type { AddedToPanel, TablePanelSide, TableStart } from '../tablePage';

type Declared = Pick<PageDeclaration, 'passedOn' | 'requests'>;

/**
 * What a subject adds to the panels of tables: the list is in
 * src/workbench/editor/tablePanelParts.ts.
 */
export interface TablePanelPart<D extends Declared> {
  /** What the page may request beside what is the table's own. */
  readonly declaration: D;
  open(panel: OpenedPanel): PanelAddition<RequestHandlers<RequestsOf<D['requests']>>>;
}

/** Those that `AddedToPanel` names: one that is missing doesn't compile. */
export type TablePanelParts = { readonly [N in keyof AddedToPanel]: TablePanelPart<AddedToPanel[N]> };

/** The same, where nobody needs to know their requests. */
export interface AnyPanelPart {
  readonly declaration: Declared;
  open(panel: OpenedPanel): PanelAddition<Readonly<Record<string, AnyHandler>>>;
}

type PanelEvents = TablePanelSide['events'];

/** What a panel gives to those that add to it. */
export interface OpenedPanel {
  session: ResultSession;
  kind: TableKind;
  /** What names of saved files begin with. */
  stem: string;
  /** Whether saved files begin with a byte order mark. */
  mark: () => boolean;
  /** Aborted when the panel closes. */
  signal: AbortSignal;
  /** Sends an event to the page; lost where there is none. */
  send<E extends keyof PanelEvents>(name: E, value: PanelEvents[E]): void;
}

/** What a subject has added to an open panel. */
export interface PanelAddition<Handlers> extends Partial<Disposable> {
  /** For its requests that aren't passed on to the engine. */
  readonly handlers: Handlers;
  /** What the page begins with. */
  start?(): Partial<TableStart>;
  /** Which rows count in statistics of groups of rows, besides what the page filters. */
  counted?(signal: AbortSignal): Promise<CountedRows>;
}

export interface CountedRows {
  filters: Filter[];
  /** Images whose rows are left out, where there are any. */
  excludedImages?: number;
}
