import type { LinkReport } from '../../../masks/linkReport';
import type { TableColumn, TableSummary } from '../../../columns/tableSummary';
import { DELIMITERS } from '../../../columns/csv/csvGrammar';
import { element } from '../../../pages/page/widgets/element';
import type { TableText } from '../../../pages/page/pageText';
import { canLinkImages, openImageLinks, type ImageLinksOptions } from '../../../masks/page/links/imageLinks';
import { linkSummary } from '../../../masks/page/links/linkSummary';
import { columnName } from '../../../pages/page/columnName';
import { openPopover } from '../../../pages/page/widgets/popover';
import { delimiterName } from './delimiterName';

export interface FormatPopoverOptions {
  anchor: Element;
  text: TableText;
  table: TableSummary;
  reopen: (options: { delimiter: string; decimalComma: boolean }) => void;
}

/** How the file is written: its delimiter and decimal mark can be corrected; the file is then read again. */
export function openFormatPopover({ anchor, text, table, reopen }: FormatPopoverOptions): void {
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

export interface LinkPopoverOptions {
  anchor: Element;
  text: TableText;
  columns: readonly TableColumn[];
  report: LinkReport;
  relink: (columns: { imageColumn: number; idColumn: number }) => void;
  /** Lets a person say which image is which. */
  images: Omit<ImageLinksOptions, 'anchor' | 'text'>;
}

/** The columns by which rows and objects were matched, to be corrected. */
export function openLinkPopover({ anchor, text, columns, report, relink, images }: LinkPopoverOptions): void {
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
    void openImageLinks({ anchor, text, ...images });
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

/** Most of a cell's text that is shown; a longer one is copied whole all the same. */
export const MAX_SHOWN_TEXT = 200_000;

export interface CellPopoverOptions {
  anchor: Element;
  text: TableText;
  /** Of the column. */
  name: string;
  /** As much of the text as is shown, and the length of all of it. */
  cell: { text: string; length: number };
  copy: () => void;
}

/** A cell's whole text, to be read and copied. */
export function openCellPopover({ anchor, text, name, cell, copy }: CellPopoverOptions): void {
  const body = element('pre', { class: 'cell-text', tabindex: 0, 'aria-label': name }, cell.text);
  const button = element('button', { type: 'button', class: 'button secondary' }, text.get('copyCell'));
  button.addEventListener('click', copy);
  const cut = cell.text.length < cell.length;
  openPopover({
    anchor,
    label: name,
    className: 'cell-popover',
    content: [
      element(
        'div',
        { class: 'popover-head' },
        element('h2', { class: 'popover-title' }, name),
        element('span', { class: 'popover-note' }, text.count('characters', cell.length)),
      ),
      body,
      ...(cut ? [element('p', { class: 'popover-note' }, text.get('cellCut', cell.text.length))] : []),
      button,
    ],
    focus: body,
  });
}
