import type { PagePort } from '../../pages/page/pagePort';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { TableGrid } from './grid/tableGrid';
import type { TableMessages } from './state/tableMessages';
import type { TableModel } from './tableModel';
import type { TableViewState } from './tableViewState';

/** Dependencies of the models in the table page's store: the table, and the store's outputs. */
export interface ModelParts {
  model: TableModel;
  panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'request' | 'send'>;
  /** The saved view: each verb that changes it saves it. */
  port: Pick<PagePort<TableViewState>, 'view' | 'updateView'>;
  messages: TableMessages;
  /** Undefined until the first rows arrive, and while the table is empty. */
  grid: () => TableGrid | undefined;
}
