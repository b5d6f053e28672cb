import type { PagePort } from '../../pages/page/pagePort';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { TableGrid } from './grid/tableGrid';
import type { TableMessages } from './state/tableMessages';
import type { TableModel } from './tableModel';
import type { TableViewState } from './tableViewState';

/** Dependencies that the models of the table page's store have in common. */
export interface ModelParts {
  model: TableModel;
  panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'request' | 'send'>;
  /** The saved view; methods that change the state save it there. */
  port: Pick<PagePort<TableViewState>, 'view' | 'updateView'>;
  messages: TableMessages;
  /** Undefined until the first rows are loaded, and in an empty table. */
  grid: () => TableGrid | undefined;
}
