import type { Disposable } from '../../base/disposable';
import type { Filter } from '../../columns/viewSpec';
import type { RequestsOf } from '../../protocol/declarations';
import type { AnyHandler, PageDeclaration } from '../../protocol/declarations';
import type { RequestHandlers } from '../../protocol/rpc';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from '../../session/node/resultSession';
import type { AddedToPanel, TablePanelSide, TableStart } from '../tablePage';

type Declared = Pick<PageDeclaration, 'passedOn' | 'requests'>;

/** Additions of a subject to table panels: src/workbench/editor/tablePanelParts.ts lists them. */
export interface TablePanelPart<D extends Declared> {
  /** Requests of the page besides the table's own. */
  readonly declaration: D;
  open(panel: OpenedPanel): PanelAddition<RequestHandlers<RequestsOf<D['requests']>>>;
}

/** Those that `AddedToPanel` names: one that is missing doesn't compile. */
export type TablePanelParts = { readonly [N in keyof AddedToPanel]: TablePanelPart<AddedToPanel[N]> };

/** The same, without the types of requests. */
export interface AnyPanelPart {
  readonly declaration: Declared;
  open(panel: OpenedPanel): PanelAddition<Readonly<Record<string, AnyHandler>>>;
}

type PanelEvents = TablePanelSide['events'];

/** The panel's interface for its parts. */
export interface OpenedPanel {
  session: ResultSession;
  kind: TableKind;
  /** Prefix of the names of saved files. */
  stem: string;
  /** Whether saved files begin with a byte order mark. */
  mark: () => boolean;
  /** Aborted when the panel closes. */
  signal: AbortSignal;
  /** Sends an event to the page; lost without one. */
  send<E extends keyof PanelEvents>(name: E, value: PanelEvents[E]): void;
}

/** A subject's part of an open panel. */
export interface PanelAddition<Handlers> extends Partial<Disposable> {
  /** For its requests that aren't passed on to the engine. */
  readonly handlers: Handlers;
  /** Initial data for the page. */
  start?(): Partial<TableStart>;
  /** Filters for statistics of groups of rows, besides the page's. */
  counted?(signal: AbortSignal): Promise<CountedRows>;
}

export interface CountedRows {
  filters: Filter[];
  /** Images whose rows are left out, if any. */
  excludedImages?: number;
}
