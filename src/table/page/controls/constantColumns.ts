import { findRowColumns } from '../../../columns/rowColumns';
import { columnName, type TableText } from '../../../pages/page/pageText';
import type { PagePort } from '../../../pages/page/pagePort';
import { element, fill } from '../../../pages/page/widgets/element';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import { shownColumns } from '../grid/columnLayout';
import type { TableGrid } from '../grid/tableGrid';
import type { TableModel } from '../tableModel';
import type { TableMessages } from '../state/tableMessages';
import { firstLayout, type TableViewState } from '../tableViewState';
import type { TablePopovers } from './tablePopovers';

interface ConstantColumnsParts {
  model: TableModel;
  port: PagePort<TableViewState>;
  view: TableViewState;
  line: ConstantLine;
  popovers: TablePopovers;
  messages: TableMessages;
  grid: () => TableGrid | undefined;
  /** The columns on the screen are others now. */
  onLayout: () => void;
}

/**
 * Columns that say the same in every row are in a line above the grid, unless the user arranged the columns before. Which they
 * are is known once all rows have been read.
 */
export class ConstantColumns {
  constructor(private readonly parts: ConstantColumnsParts) {}

  /** Finds out which they are, and lays the columns out before there is a grid. */
  async load(): Promise<void> {
    const { model, port, view, line, popovers, messages } = this.parts;
    if (model.table.reading) return;
    try {
      await line.load();
    } catch (error) {
      messages.failed('rowsFailed', error);
    }
    if (!port.view.isArranged) {
      view.layout = firstLayout(model.table, line.columns);
      port.updateView({ layout: view.layout });
    }
    line.show(popovers.layout.hidden);
  }

  /** All rows of a table that is already shown have been read. */
  async loadForGrid(): Promise<void> {
    const { popovers, grid, onLayout } = this.parts;
    const before = shownColumns(popovers.layout).join();
    await this.load();
    const { layout } = popovers;
    if (shownColumns(layout).join() === before) return;
    grid()?.setLayout(layout);
    onLayout();
  }
}

/** Characters of a value that are shown. */
const MAX_SHOWN = 200;

/** A column that says the same in every row; null where it is empty. */
interface Constant {
  column: number;
  text: string | null;
}

interface ConstantLineOptions {
  model: TableModel;
  text: TableText;
  /** Those that the panel found already. */
  sent: readonly Constant[] | undefined;
  /** The user wants to see one as a column. */
  onShow: (column: number) => void;
  /** The user wants to see those for which the line has no room. */
  onMore: (anchor: Element) => void;
}

/** What columns that aren't in the grid say in every row, in a line above it: as many as it has room for. */
export class ConstantLine {
  readonly root: HTMLElement;
  private readonly list: HTMLElement;
  private readonly more: HTMLButtonElement;
  private readonly queue = new FrameQueue(() => this.fit());
  private constants: readonly Constant[] = [];
  private sent: readonly Constant[] | undefined;

  constructor(private readonly options: ConstantLineOptions) {
    const { text, sent, onMore } = options;
    this.sent = sent;
    this.list = element('ul', { class: 'constants', 'aria-label': text.get('constants') });
    this.more = element('button', {
      type: 'button',
      class: 'constant',
      title: text.get('moreConstantsHint'),
    });
    this.more.addEventListener('click', () => onMore(this.more));
    this.root = element('div', { class: 'constant-line', hidden: true }, this.list, this.more);
    new ResizeObserver(() => this.fit()).observe(this.root);
  }

  /** Columns that say the same in every row, as far as is known. */
  get columns(): number[] {
    return this.constants.map(({ column }) => column);
  }

  /** Finds out which columns there are; later, as the table may have changed, again. */
  async load(): Promise<void> {
    const { sent } = this;
    this.sent = undefined;
    this.constants = sent ?? (await this.options.model.request('tableConstants', {})).constants;
  }

  /** Lists those that aren't columns of the grid. */
  show(hidden: readonly number[]): void {
    const { model, text, onShow } = this.options;
    const listed = this.constants.filter(({ column }) => hidden.includes(column));
    const { columns } = model.table;
    const imageColumn = findRowColumns(columns).image;
    this.root.hidden = listed.length === 0;
    fill(
      this.list,
      ...listed.map(({ column, text: value }) => {
        const name = columnName(columns, column, text);
        const shown = value?.slice(0, MAX_SHOWN) ?? text.get('missingValue');
        const button = element(
          'button',
          { type: 'button', class: 'constant', title: text.get('showConstant', name, shown) },
          element('span', { class: 'constant-name' }, name),
          // The names of images differ at their ends.
          element('span', { class: `constant-value ${column === imageColumn ? 'keeps-end' : ''}` }, shown),
        );
        button.addEventListener('click', () => onShow(column));
        return element('li', {}, button);
      }),
    );
    this.queue.schedule();
  }

  /** Hides those that wrap to a second line, and says how many these are. */
  private fit(): void {
    const { list, more } = this;
    const items = [...list.children].filter(child => child instanceof HTMLElement);
    const setHidden = (from: number) => {
      for (const [at, item] of items.entries()) item.hidden = at >= from;
      more.hidden = from === items.length;
      more.textContent = more.hidden ? '' : this.options.text.get('moreConstants', items.length - from);
    };
    const onFirstLine = () => {
      for (const item of items) item.hidden = false;
      const top = items[0]?.offsetTop;
      const next = items.findIndex(item => item.offsetTop !== top);
      return next < 0 ? items.length : next;
    };
    setHidden(items.length);
    const all = onFirstLine();
    setHidden(all);
    // The button takes room as well.
    if (all < items.length) setHidden(onFirstLine());
  }
}
