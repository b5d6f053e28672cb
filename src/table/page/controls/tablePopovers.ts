import { DELIMITERS } from '../../../columns/csv/csvGrammar';
import type { TableColumn, TableSummary } from '../../../columns/tableSummary';
import { type ImageLinksSource, openImageLinks } from '../../../masks/page/links/imageLinks';
import { canLinkImages, linkSummary } from '../../../masks/page/links/linkSummary';
import type { LinkReport } from '../../../masks/rowLinks';
import { columnName, type TableText } from '../../../pages/page/pageText';
import type { PagePort } from '../../../pages/page/pagePort';
import { element, fill, iconButton } from '../../../pages/page/widgets/element';
import { openPopover } from '../../../pages/page/widgets/popover';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../tablePage';
import {
  type ColumnLayout,
  fittingLayout,
  type GridSort,
  shownColumns,
  withHidden,
  withMoved,
  withPinned,
} from '../grid/columnLayout';
import { columnActions } from '../grid/headerCell';
import type { TableStore } from '../state/tableStore';
import type { TableViewState } from '../tableViewState';
import { FilterMenu } from './filterMenu';
import { delimiterName } from './statusWords';

interface TablePopoversParts {
  store: TableStore;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  port: PagePort<TableViewState>;
  view: TableViewState;
  /** The layout before the user changes it. */
  firstLayout: () => ColumnLayout;
  /** The columns on the screen are others now. */
  onLayout: () => void;
}

/** The small windows of the table page, each opened at the button or header it belongs to. */
export class TablePopovers {
  constructor(private readonly parts: TablePopoversParts) {}

  filter(column: number, anchor: Element): void {
    const { table: model, text, messages } = this.parts.store;
    const onFailure = (error: unknown) => messages.failed('filterFailed', error);
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
  sort(column: number, direction: GridSort['sort'] | null): void {
    const { grid } = this.parts.store;
    grid?.sortBy(column, direction);
    grid?.focusHeader(column);
  }

  pin(column: number, pinned: boolean): void {
    this.applyLayout(withPinned(this.layout, column, pinned));
    this.parts.store.grid?.focusHeader(column);
  }

  hide(column: number): void {
    this.applyLayout(withHidden(this.layout, column, true));
    this.focusHeader(column);
  }

  /** Shows a hidden column. */
  show(column: number): void {
    this.applyLayout(withHidden(this.layout, column, false));
    this.parts.store.grid?.focusHeader(column);
  }

  columns(anchor: Element): void {
    const { port, store } = this.parts;
    const { table: model, text } = store;
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
        store.grid?.setColumns(columns, {});
        return layout;
      },
    }).open(anchor);
  }

  format(anchor: Element): void {
    const { panel, store } = this.parts;
    const { table: model, text, messages } = store;
    openFormatPopover({
      anchor,
      text,
      table: model.table,
      reopen: options => {
        // The panel then reloads the page: columns may have changed.
        panel.request('reopen', options).catch((error: unknown) => messages.failed('reopenFailed', error));
      },
    });
  }

  link(anchor: Element, report: LinkReport): void {
    const { panel, store } = this.parts;
    const { table: model, text, link, messages } = store;
    const relink = (columns: { imageColumn: number; idColumn: number }) => {
      panel
        .request('relink', columns)
        .then(linked => link.linked(linked))
        .catch((error: unknown) => messages.failed('linkFailed', error));
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
    const { store, port, view } = this.parts;
    return fittingLayout(port.view.layout ?? view.layout, store.table.table.columns.length);
  }

  /** Focuses the header of a column, or the first where that is hidden. */
  private focusHeader(column: number): void {
    const shown = shownColumns(this.layout);
    const target = shown.includes(column) ? column : shown[0];
    if (target !== undefined) this.parts.store.grid?.focusHeader(target);
  }

  private applyLayout(layout: ColumnLayout): void {
    const { port, store, onLayout } = this.parts;
    port.updateView({ layout, isArranged: true });
    store.grid?.setLayout(layout);
    onLayout();
  }
}

/** Columns listed at once; the search finds the others. */
const MAX_LISTED = 300;

interface ColumnsMenuOptions {
  text: TableText;
  columns: readonly TableColumn[];
  layout: ColumnLayout;
  onChange: (layout: ColumnLayout) => void;
  /** Back to the file's own order, widths too. */
  onReset: () => ColumnLayout;
}

/** All columns: shown or hidden, pinned or not, and in what order. */
class ColumnsMenu {
  private readonly list = element('ul', { class: 'column-list' });
  private readonly search: HTMLInputElement;
  private layout: ColumnLayout;

  constructor(private readonly options: ColumnsMenuOptions) {
    const { text } = options;
    this.layout = options.layout;
    this.search = element('input', {
      type: 'search',
      class: 'input',
      placeholder: text.get('searchColumns'),
      'aria-label': text.get('searchColumns'),
    });
    this.search.addEventListener('input', () => this.paint());
  }

  open(anchor: Element): void {
    const { text, onReset } = this.options;
    const reset = iconButton('discard', text.get('resetColumns'), () => {
      this.layout = onReset();
      this.paint();
    });
    const showAll = iconButton('eye', text.get('showAllColumns'), () =>
      this.change({ ...this.layout, hidden: [] }),
    );
    this.paint();
    openPopover({
      anchor,
      label: text.get('columnsMenu'),
      className: 'columns-menu',
      content: [
        element(
          'div',
          { class: 'popover-head' },
          element('h2', { class: 'popover-title' }, text.get('columnsMenu')),
          showAll,
          reset,
        ),
        this.search,
        this.list,
      ],
      focus: this.search,
    });
  }

  private change(layout: ColumnLayout): void {
    this.layout = layout;
    this.options.onChange(layout);
    this.paint();
  }

  private paint(): void {
    const { columns, text } = this.options;
    const query = this.search.value.toLowerCase();
    const found = this.layout.order
      .filter(column => columnName(columns, column, text).toLowerCase().includes(query))
      .slice(0, MAX_LISTED);
    // The pressed button is replaced: focus its successor.
    const focused = document.activeElement?.getAttribute('data-key');
    fill(this.list, ...found.map(column => this.row(column)));
    if (focused) this.list.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus();
  }

  private row(column: number): HTMLElement {
    const { columns, text } = this.options;
    const { layout } = this;
    const name = columnName(columns, column, text);
    const shown = !layout.hidden.includes(column);
    const pinned = layout.pinned.includes(column);
    const box = element('input', { type: 'checkbox', checked: shown, 'data-key': `show-${column}` });
    box.addEventListener('change', () => this.change(withHidden(layout, column, !box.checked)));
    const pin = iconButton(
      pinned ? 'pinned' : 'pin',
      text.get(pinned ? 'unpinColumn' : 'pinColumn', name),
      () => this.change(withPinned(layout, column, !pinned)),
    );
    pin.setAttribute('aria-pressed', String(pinned));
    pin.setAttribute('data-key', `pin-${column}`);
    const move = (iconName: string, label: 'moveColumnUp' | 'moveColumnDown', by: number) => {
      const button = iconButton(iconName, text.get(label, name), () =>
        this.change(withMoved(this.layout, column, by)),
      );
      button.setAttribute('data-key', `${label}-${column}`);
      button.disabled = layout.order.at(by < 0 ? 0 : -1) === column;
      return button;
    };
    return element(
      'li',
      { class: 'column-row' },
      element('label', { class: 'column-label', title: name }, box, element('span', {}, name)),
      move('arrow-up', 'moveColumnUp', -1),
      move('arrow-down', 'moveColumnDown', 1),
      pin,
    );
  }
}

interface FormatPopoverOptions {
  anchor: Element;
  text: TableText;
  table: TableSummary;
  reopen: (options: { delimiter: string; decimalComma: boolean }) => void;
}

/** How the file is written: its delimiter and decimal mark can be corrected; the file is then read again. */
function openFormatPopover({ anchor, text, table, reopen }: FormatPopoverOptions): void {
  const delimiter = element('select', { class: 'input', id: 'format-delimiter' });
  for (const value of DELIMITERS) {
    const selected = value === table.delimiter;
    delimiter.append(element('option', { value, selected }, delimiterName(value, text).long));
  }
  const comma = element('input', { type: 'checkbox', checked: table.decimalComma === true });
  const apply = element('button', { type: 'button', class: 'button' }, text.get('readAgain'));
  const popover = openPopover({
    anchor,
    label: text.get('formatTitle'),
    className: 'form-popover',
    content: [
      element('h2', { class: 'popover-title' }, text.get('formatTitle')),
      element('label', { for: 'format-delimiter' }, text.get('delimiter')),
      delimiter,
      element('label', { class: 'check-label' }, comma, element('span', {}, text.get('decimalComma'))),
      apply,
    ],
    focus: delimiter,
  });
  apply.addEventListener('click', () => {
    popover.close();
    reopen({ delimiter: delimiter.value, decimalComma: comma.checked });
  });
}

interface LinkPopoverOptions {
  anchor: Element;
  text: TableText;
  columns: readonly TableColumn[];
  report: LinkReport;
  relink: (columns: { imageColumn: number; idColumn: number }) => void;
  /** Lets a person say which image is which. */
  images: ImageLinksSource;
}

/** The columns by which rows and objects were matched, to be corrected. */
function openLinkPopover({ anchor, text, columns, report, relink, images }: LinkPopoverOptions): void {
  const select = (id: string, selected: string | undefined) => {
    const made = element('select', { class: 'input', id });
    // Of several columns of that name rows are linked by the first.
    const linked = columns.find(({ name }) => name === selected)?.index;
    for (const { index } of columns)
      made.append(
        element('option', { value: index, selected: index === linked }, columnName(columns, index, text)),
      );
    return made;
  };
  const image = select('link-image', report.imageColumn);
  const id = select('link-id', report.idColumn);
  const apply = element('button', { type: 'button', class: 'button' }, text.get('linkAgain'));
  const byHand = element('button', { type: 'button', class: 'button secondary' }, text.get('linkImages'));
  byHand.addEventListener('click', () => {
    popover.close();
    openImageLinks({ anchor, text, source: images });
  });
  const { line, details } = linkSummary(report, text);
  const popover = openPopover({
    anchor,
    label: text.get('linkTitle'),
    className: 'form-popover',
    content: [
      element('h2', { class: 'popover-title' }, text.get('linkTitle')),
      element('p', {}, line),
      ...details.map(each => element('p', { class: 'popover-note' }, each)),
      ...(canLinkImages(report) ? [byHand] : []),
      element('label', { for: 'link-image' }, text.get('linkImageColumn')),
      image,
      element('label', { for: 'link-id' }, text.get('linkIdColumn')),
      id,
      apply,
    ],
    focus: image,
  });
  apply.addEventListener('click', () => {
    popover.close();
    relink({ imageColumn: Number(image.value), idColumn: Number(id.value) });
  });
}
