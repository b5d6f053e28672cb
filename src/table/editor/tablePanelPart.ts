import type { Disposable } from '../../base/disposable';
import type { Filter } from '../../columns/viewSpec';
import type { RequestsOf } from '../../protocol/declarations';
import type { AnyHandler, PageDeclaration } from '../../protocol/declarations';
import type { RequestHandlers } from '../../protocol/rpc';
import type { TableKind } from '../../service/resultParts';
import type { ResultSession } from '../../session/node/resultSession';
import type { AddedToPanel, TablePanelSide, TableStart } from '../tablePage';

type Declared = Pick<PageDeclaration, 'passedOn' | 'requests'>;

/** A subject's part of table panels. All are listed in src/workbench/editor/tablePanelParts.ts. */
export interface TablePanelPart<D extends Declared> {
  /** Requests of the page that the subject adds. */
  readonly declaration: D;
  open(panel: OpenedPanel): PanelAddition<RequestHandlers<RequestsOf<D['requests']>>>;
}

/** The parts that `AddedToPanel` names; a missing one doesn't compile. */
export type TablePanelParts = { readonly [N in keyof AddedToPanel]: TablePanelPart<AddedToPanel[N]> };

/** A part without the types of its requests. */
export interface AnyPanelPart {
  readonly declaration: Declared;
  open(panel: OpenedPanel): PanelAddition<Readonly<Record<string, AnyHandler>>>;
}

type PanelEvents = TablePanelSide['events'];

/** What a panel offers to its parts. */
export interface OpenedPanel {
  session: ResultSession;
  kind: TableKind;
  /** Prefix of the names of saved files. */
  stem: string;
  /** Whether saved files start with a byte order mark. */
  byteOrderMark: () => boolean;
  /** Aborts when the panel closes. */
  signal: AbortSignal;
  /** Sends an event to the page. The event is lost while there is no page. */
  send<E extends keyof PanelEvents>(name: E, value: PanelEvents[E]): void;
}

/** A subject's part of an open panel. */
export interface PanelAddition<Handlers> extends Partial<Disposable> {
  /** Handlers of the subject's requests that the engine doesn't handle. */
  readonly handlers: Handlers;
  /** Initial data for the page. */
  start?(): Partial<TableStart>;
  /** Filters for statistics of groups, in addition to the page's. */
  countedRows?(signal: AbortSignal): Promise<CountedRows>;
}

export interface CountedRows {
  filters: Filter[];
  /** Number of images whose rows are left out, if any. */
  excludedImages?: number;
}
