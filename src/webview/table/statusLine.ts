import type { LinkReport } from '../../protocol/linkEngine';
import type { TableSummary } from '../../protocol/tableEngine';
import { element, fill, icon } from '../element';
import { linkSummary } from '../linkSummary';
import type { PageText } from '../pageText';

const DELIMITERS: Record<string, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' };

/** The line below the grid: how much there is, what is selected, what is odd about the file, and how it is linked. */
export class StatusLine {
  readonly root = element('footer', { class: 'status-line' });
  private readonly selection = element('span', { class: 'status-item' });
  private readonly link = element('span', { class: 'status-item link', hidden: true });
  private readonly notice = element('span', { class: 'status-item notice', hidden: true });

  constructor(
    private readonly text: PageText,
    table: TableSummary,
  ) {
    const delimiter = DELIMITERS[table.delimiter];
    fill(
      this.root,
      element('span', { class: 'status-item' }, text.count('rows', table.rowCount)),
      element('span', { class: 'status-item minor' }, text.count('columns', table.columns.length)),
      this.selection,
      this.notice,
      element('span', { class: 'status-gap' }),
      raggedItem(table, text),
      this.link,
      delimiter && element('span', { class: 'status-item minor' }, text.get(delimiter)),
    );
  }

  setLink(report: LinkReport): void {
    const { line, warning, details } = linkSummary(report, this.text);
    this.link.hidden = false;
    this.link.classList.toggle('warning', warning);
    this.link.title = details.join('\n');
    fill(this.link, icon(warning ? 'warning' : 'link'), element('span', { class: 'status-words' }, line));
  }

  /** `fileRow` is the only row's number from 0. */
  setSelection(count: number, fileRow: number | undefined): void {
    if (count > 1) this.selection.textContent = this.text.get('selectedRows', count);
    else if (count === 1 && fileRow !== undefined) {
      this.selection.textContent = this.text.get('selectedRowsOne', fileRow + 1);
    } else this.selection.textContent = '';
  }

  /** What just happened: stays until the next thing happens. */
  setNotice(words: string, failed = false): void {
    this.notice.hidden = words === '';
    this.notice.classList.toggle('error', failed);
    fill(
      this.notice,
      icon(failed ? 'error' : 'check'),
      element('span', { class: 'status-words', title: words }, words),
    );
  }
}

function raggedItem(table: TableSummary, text: PageText): HTMLElement | null {
  const { count, first } = table.raggedRows;
  if (count === 0) return null;
  const named = first.map(row => text.number(row + 1)).join(', ');
  const rows = count > first.length ? text.get('raggedMore', named) : named;
  return element(
    'span',
    { class: 'status-item warning', title: text.get('raggedHint', rows) },
    icon('warning'),
    text.count('ragged', count),
  );
}
