import { PageMessage } from '../../pages/page/openPage';
import type { TableText } from '../../pages/page/pageText';
import { element, fill } from '../../pages/page/widgets/element';

/** The place of the grid: the grid itself, or a message where there are no rows to show. */
export class GridHolder {
  readonly root = element('main', { class: 'table-main' });
  private readonly message: PageMessage;

  constructor(private readonly text: TableText) {
    this.message = new PageMessage(text);
  }

  /** The table has no columns or no rows at all. */
  showEmpty(kind: 'noColumns' | 'noRows'): void {
    this.message.empty('table', this.text.get(kind), this.text.get(`${kind}Hint`));
    fill(this.root, this.message.root);
  }

  /** The rows can't be read; resolves when the user wants to try again. */
  async showFailure(reason: string): Promise<void> {
    const message = new PageMessage(this.text);
    fill(this.root, message.root);
    await message.failed(reason);
  }

  /** Makes room for the grid, which comes before the message. */
  prepare(): void {
    fill(this.root, this.message.root);
    this.message.root.hidden = true;
  }

  /** Whether no row passes the filters: then a message covers the rows, and the headers stay. */
  setNoMatches(none: boolean): void {
    this.message.root.hidden = !none;
    this.root.classList.toggle('nothing', none);
    if (none) this.message.empty('filter', this.text.get('noMatches'), this.text.get('noMatchesHint'));
  }
}
