import type { TableColumn } from '../../../columns/tableSummary';
import { element, fill, iconButton } from '../../../pages/page/widgets/element';
import type { TableText } from '../../../pages/page/pageText';
import { withHidden, withMoved, withPinned, type ColumnLayout } from '../grid/columnLayout';
import { columnName } from '../../../pages/page/columnName';
import { openPopover } from '../../../pages/page/widgets/popover';

/** Columns listed at once; the search finds the others. */
const MAX_LISTED = 300;

export interface ColumnsMenuOptions {
  text: TableText;
  columns: readonly TableColumn[];
  layout: ColumnLayout;
  onChange: (layout: ColumnLayout) => void;
  /** Back to the file's own order, widths too. */
  onReset: () => ColumnLayout;
}

/** All columns: shown or hidden, pinned or not, and in what order. */
export class ColumnsMenu {
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
