import { columnName } from '../../page/columnName';
import type { TableText } from '../../page/pageText';
import { element, fill } from '../../widgets/element';
import type { TableModel } from '../tableModel';

/** Characters of a value that are shown. */
const MAX_SHOWN = 200;

/** A column that says the same in every row; null where it is empty. */
export interface Constant {
  column: number;
  text: string | null;
}

export interface ConstantLineOptions {
  model: TableModel;
  text: TableText;
  /** The user wants to see one as a column. */
  onShow: (column: number) => void;
}

/** What columns that aren't in the grid say in every row, in a line above it. */
export class ConstantLine {
  readonly root: HTMLElement;
  private constants: readonly Constant[] = [];

  constructor(private readonly options: ConstantLineOptions) {
    this.root = element('ul', { class: 'constants', 'aria-label': options.text.get('constants') });
    this.root.hidden = true;
  }

  /** Columns that say the same in every row, as far as is known. */
  get columns(): number[] {
    return this.constants.map(({ column }) => column);
  }

  /** Finds out which columns there are. */
  async load(): Promise<void> {
    const { constants } = await this.options.model.request('tableConstants', {});
    this.constants = constants;
  }

  /** Lists those that aren't columns of the grid. */
  show(hidden: readonly number[]): void {
    const { model, text, onShow } = this.options;
    const listed = this.constants.filter(({ column }) => hidden.includes(column));
    this.root.hidden = listed.length === 0;
    fill(
      this.root,
      ...listed.map(({ column, text: value }) => {
        const name = columnName(model.table.columns, column, text);
        const shown = value?.slice(0, MAX_SHOWN) ?? text.get('missingValue');
        const button = element(
          'button',
          { type: 'button', class: 'constant', title: text.get('showConstant', name, shown) },
          element('span', { class: 'constant-name' }, name),
          element('span', { class: 'constant-value' }, shown),
        );
        button.addEventListener('click', () => onShow(column));
        return element('li', {}, button);
      }),
    );
  }
}
