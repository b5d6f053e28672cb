import type { LinkReport } from '../../../masks/linkReport';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../tablePage';
import type { TableTextKey } from '../../../pages/tableTexts';
import type { PagePort } from '../../../pages/page/pagePort';
import type { TableText } from '../../../pages/page/pageText';
import { columnActions, type SortDirection } from '../grid/columnActions';
import { fittingLayout, shownColumns, withHidden, withPinned, type ColumnLayout } from '../grid/columnLayout';
import { ColumnsMenu } from './columnsMenu';
import { openFormatPopover, openLinkPopover } from './filePopovers';
import { FilterMenu } from '../filters/filterMenu';
import { columnName } from '../../../pages/page/columnName';
import type { TableGrid } from '../grid/tableGrid';
import type { TableModel } from '../tableModel';
import type { TableViewState } from '../tableViewState';

export interface TablePopoversParts {
  model: TableModel;
  text: TableText;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  port: PagePort<TableViewState>;
  view: TableViewState;
  grid: () => TableGrid | undefined;
  /** The layout before the user changes it. */
  firstLayout: () => ColumnLayout;
  /** The columns on the screen are others now. */
  onLayout: () => void;
  onLink: (report: LinkReport) => void;
  failed: (key: TableTextKey, error: unknown) => void;
}

/** The small windows of the table page, each opened at the button or header it belongs to. */
export class TablePopovers {
  constructor(private readonly parts: TablePopoversParts) {}

  filter(column: number, anchor: Element): void {
    const { model, text, failed } = this.parts;
    const onFailure = (error: unknown) => failed('filterFailed', error);
    const sorted = model.sort.find(key => key.column === column);
    const { layout } = this;
    const pinned = layout.pinned.includes(column);
    const actions = columnActions({
      text,
      name: columnName(model.table.columns, column, text),
      sorted: sorted ? (sorted.descending ? 'desc' : 'asc') : null,
      pinned,
      canHide: shownColumns(layout).length > 1,
      sort: direction => this.sort(column, direction),
      pin: pin => this.pin(column, pin),
      hide: () => this.hide(column),
    });
    const onFocusLost = () => this.focusHeader(column);
    new FilterMenu({ model, text, onFailure, onFocusLost }, column).open(anchor, actions);
  }

  /** Sorts by a column alone, and keeps the focus on its header; so do pin and hide. */
  sort(column: number, direction: SortDirection | null): void {
    const { grid } = this.parts;
    grid()?.sortBy(column, direction);
    grid()?.focusHeader(column);
  }

  pin(column: number, pinned: boolean): void {
    this.applyLayout(withPinned(this.layout, column, pinned));
    this.parts.grid()?.focusHeader(column);
  }

  hide(column: number): void {
    this.applyLayout(withHidden(this.layout, column, true));
    this.focusHeader(column);
  }

  /** Shows a hidden column. */
  show(column: number): void {
    this.applyLayout(withHidden(this.layout, column, false));
    this.parts.grid()?.focusHeader(column);
  }

  columns(anchor: Element): void {
    const { model, text, port, grid } = this.parts;
    const { columns } = model.table;
    new ColumnsMenu({
      text,
      columns,
      layout: this.layout,
      onChange: layout => this.applyLayout(layout),
      onReset: () => {
        const layout = this.parts.firstLayout();
        this.applyLayout(layout);
        port.updateView({ widths: {}, isArranged: false });
        grid()?.setColumns(columns, {});
        return layout;
      },
    }).open(anchor);
  }

  format(anchor: Element): void {
    const { model, text, panel, failed } = this.parts;
    openFormatPopover({
      anchor,
      text,
      table: model.table,
      reopen: options => {
        // The panel then reloads the page: columns may have changed.
        panel.request('reopen', options).catch((error: unknown) => failed('reopenFailed', error));
      },
    });
  }

  link(anchor: Element, report: LinkReport | undefined): void {
    const { model, text, panel, onLink, failed } = this.parts;
    if (!report) return;
    const relink = (columns: { imageColumn: number; idColumn: number }) => {
      panel
        .request('relink', columns)
        .then(onLink)
        .catch((error: unknown) => failed('linkFailed', error));
    };
    openLinkPopover({
      anchor,
      text,
      columns: model.table.columns,
      report,
      relink,
      images: {
        read: () => panel.request('imageLinks', {}),
        link: links => panel.request('linkImages', { links }),
        thumbnail: image => panel.request('linkThumbnail', { image }),
      },
    });
  }

  get layout(): ColumnLayout {
    const { model, port, view } = this.parts;
    return fittingLayout(port.view.layout ?? view.layout, model.table.columns.length);
  }

  /** Focuses the header of a column, or the first where that is hidden. */
  private focusHeader(column: number): void {
    const shown = shownColumns(this.layout);
    const target = shown.includes(column) ? column : shown[0];
    if (target !== undefined) this.parts.grid()?.focusHeader(target);
  }

  private applyLayout(layout: ColumnLayout): void {
    const { port, grid, onLayout } = this.parts;
    port.updateView({ layout, isArranged: true });
    grid()?.setLayout(layout);
    onLayout();
  }
}
