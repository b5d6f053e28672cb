import type { LinkReport } from '../../protocol/linkEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../protocol/tablePage';
import type { PagePort } from '../pagePort';
import type { PageText } from '../pageText';
import { fileLayout, type ColumnLayout } from './columnLayout';
import { ColumnsMenu } from './columnsMenu';
import { openFormatPopover, openLinkPopover } from './filePopovers';
import { FilterMenu } from './filterMenu';
import type { TableGrid } from './tableGrid';
import type { TableModel } from './tableModel';
import type { TableView } from './tableView';

export interface TablePopoversParts {
  model: TableModel;
  text: PageText;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  port: PagePort<TableView>;
  view: TableView;
  grid: () => TableGrid | undefined;
  /** The columns on the screen are others now. */
  onLayout: () => void;
  onLink: (report: LinkReport) => void;
  failed: (key: string, error: unknown) => void;
}

/** The small windows of the table page, each opened at the button or header it belongs to. */
export class TablePopovers {
  constructor(private readonly parts: TablePopoversParts) {}

  filter(column: number, anchor: Element): void {
    const { model, text, failed } = this.parts;
    const onFailure = (error: unknown) => failed('filterFailed', error);
    new FilterMenu({ model, text, onFailure }, column).open(anchor);
  }

  columns(anchor: Element): void {
    const { model, text, port, view, grid, onLayout } = this.parts;
    const { columns } = model.table;
    const apply = (layout: ColumnLayout) => {
      port.keepView({ layout });
      grid()?.setLayout(layout);
      onLayout();
    };
    new ColumnsMenu({
      text,
      columns,
      layout: port.view.layout ?? view.layout,
      onChange: apply,
      onReset: () => {
        const layout = fileLayout(columns.length);
        apply(layout);
        port.keepView({ widths: {} });
        grid()?.setColumns(columns, {});
        return layout;
      },
    }).open(anchor);
  }

  format(anchor: Element): void {
    const { model, text, panel, failed } = this.parts;
    openFormatPopover(anchor, text, model.table, options => {
      // The panel then loads the page anew: columns may be others.
      panel.request('reopen', options).catch((error: unknown) => failed('reopenFailed', error));
    });
  }

  link(anchor: Element, report: LinkReport | undefined): void {
    const { model, text, panel, onLink, failed } = this.parts;
    if (!report) return;
    openLinkPopover(anchor, text, model.table.columns, report, columns => {
      panel
        .request('relink', columns)
        .then(onLink)
        .catch((error: unknown) => failed('linkFailed', error));
    });
  }
}
