import type { PagePort } from '../../pages/page/pagePort';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { TableGrid } from './grid/tableGrid';
import type { TableMessages } from './state/tableMessages';
import type { TableModel } from './tableModel';
import type { TableViewState } from './tableViewState';

/**
 * What the models of the table page's store are made with: the table, and the ways out of the
 * store.
 */
export interface ModelParts {
  model: TableModel;
  panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'request' | 'send'>;
  /** The saved view: each verb that changes it saves it. */
  port: Pick<PagePort<TableViewState>, 'view' | 'updateView'>;
  messages: TableMessages;
  /** Undefined until the first rows arrive, and while the table is empty. */
  grid: () => TableGrid | undefined;
}
