import { t } from '../../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { DELIMITERS } from '../../../columns/csv/csvGrammar';
import type { HeaderRows, TableColumn } from '../../../columns/tableSummary';
import { openImageLinks } from '../../../linking/page/imageLinks';
import { canLinkImages, linkSummary } from '../../../linking/page/linkSummary';
import type { LinkReport } from '../../../linking/rowLinks';
import { columnName } from '../../../pages/page/columnName';
import { Button, IconButton, LinkButton } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import type { TableStore } from '../state/tableStore';
import { delimiterName } from './statusWords';

interface PopoverProps {
  store: TableStore;
  close: () => void;
}

/** Opens the list of all columns: to show, hide, pin and move them. */
export function openColumnsMenu(store: TableStore, anchor: Element): void {
  openPopover({
    anchor,
    label: t('Columns'),
    className: 'columns-menu',
    view: () => <ColumnsMenu store={store} />,
  });
}

/** Columns listed at once; users search for others. */
const MAX_LISTED = 300;

function ColumnsMenu({ store }: Pick<PopoverProps, 'store'>) {
  const { columns, table } = store;
  const query = useSignal('');
  const { order } = columns.layout.value;
  const listed = order
    .filter(column => columnName(table.table.columns, column).toLowerCase().includes(query.value))
    .slice(0, MAX_LISTED);
  // A row that is moved loses the focus.
  const focused = document.activeElement?.getAttribute('data-key');
  useLayoutEffect(() => {
    const key = document.activeElement?.getAttribute('data-key');
    if (focused && key !== focused)
      document.querySelector<HTMLElement>(`.columns-menu [data-key="${focused}"]`)?.focus();
  });
  return (
    <>
      <div class="popover-head">
        <h2 class="popover-title">{t('Columns')}</h2>
        <IconButton icon="eye" label={t('Show All Columns')} onClick={() => columns.showAll()} />
        <IconButton icon="discard" label={t('Reset Columns')} onClick={() => columns.reset()} />
      </div>
      <input
        type="search"
        class="input"
        placeholder={t('Search columns')}
        aria-label={t('Search columns')}
        autofocus
        onInput={({ currentTarget }) => (query.value = currentTarget.value.toLowerCase())}
      />
      <ul class="column-list">
        {listed.map(column => (
          <ColumnRow key={column} store={store} column={column} />
        ))}
      </ul>
    </>
  );
}

function ColumnRow({ store: { columns, table }, column }: { store: TableStore; column: number }) {
  const { order, pinned } = columns.layout.value;
  const name = columnName(table.table.columns, column);
  const isPinned = pinned.includes(column);
  const move = (icon: string, id: 'moveColumnUp' | 'moveColumnDown', by: number) => (
    <IconButton
      icon={icon}
      label={by < 0 ? t('Move {0} Left', name) : t('Move {0} Right', name)}
      data-key={`${id}-${column}`}
      disabled={order.at(by < 0 ? 0 : -1) === column}
      onClick={() => columns.move(column, by)}
    />
  );
  return (
    <li class="column-row">
      <label class="column-label" title={name}>
        <input
          type="checkbox"
          checked={columns.isShown(column)}
          data-key={`show-${column}`}
          onChange={({ currentTarget }) => columns.toggle(column, currentTarget.checked)}
        />
        <span>{name}</span>
      </label>
      {move('arrow-up', 'moveColumnUp', -1)}
      {move('arrow-down', 'moveColumnDown', 1)}
      <IconButton
        icon={isPinned ? 'pinned' : 'pin'}
        label={isPinned ? t('Unpin {0}', name) : t('Pin {0}', name)}
        aria-pressed={isPinned}
        data-key={`pin-${column}`}
        onClick={() => columns.togglePin(column)}
      />
    </li>
  );
}

/** The header of most files. */
const FIRST_ROW: HeaderRows = { skipped: 0, rows: 1 };

function headerKey({ skipped, rows }: HeaderRows): string {
  return `${skipped} ${rows}`;
}

/**
 * Opens the file's format. Users can correct delimiter, header and decimal mark, and read the file
 * again.
 */
export function openFormat(store: TableStore, anchor: Element): void {
  openPopover({
    anchor,
    label: t('File format'),
    className: 'form-popover',
    view: close => <Format store={store} close={close} />,
  });
}

function Format({ store, close }: PopoverProps) {
  const { table: model } = store;
  const { table } = model;
  const delimiter = useSignal(table.delimiter);
  const decimalComma = useSignal(table.decimalComma === true);
  const header = useSignal(headerKey(table.header ?? FIRST_ROW));
  const headers = [FIRST_ROW, { skipped: 1, rows: 1 }, { skipped: 0, rows: 2 }];
  if (!headers.some(headerRows => headerKey(headerRows) === header.peek()))
    headers.push(table.header ?? FIRST_ROW);
  return (
    <>
      <h2 class="popover-title">{t('File format')}</h2>
      <label for="format-delimiter">{t('Delimiter')}</label>
      <select
        class="input"
        id="format-delimiter"
        autofocus
        value={delimiter.value}
        onChange={({ currentTarget }) => (delimiter.value = currentTarget.value)}
      >
        {DELIMITERS.map(value => (
          <option key={value} value={value}>
            {delimiterName(value).long}
          </option>
        ))}
      </select>
      <label for="format-header">
        {t({ message: 'Header', comment: 'The line of a file that names the columns' })}
      </label>
      <select
        class="input"
        id="format-header"
        value={header.value}
        onChange={({ currentTarget }) => (header.value = currentTarget.value)}
      >
        {headers.map(headerRows => (
          <option key={headerKey(headerRows)} value={headerKey(headerRows)}>
            {headerRows.rows === 1
              ? t('Row {0}', headerRows.skipped + 1)
              : t('Rows {0} to {1}', headerRows.skipped + 1, headerRows.skipped + headerRows.rows)}
          </option>
        ))}
      </select>
      <label class="check-label">
        <input
          type="checkbox"
          checked={decimalComma.value}
          onChange={({ currentTarget }) => (decimalComma.value = currentTarget.checked)}
        />
        <span>{t('decimal comma')}</span>
      </label>
      <Button
        primary
        onClick={() => {
          close();
          store.reopen({
            delimiter: delimiter.value,
            decimalComma: decimalComma.value,
            header: headers.find(headerRows => headerKey(headerRows) === header.value) ?? FIRST_ROW,
          });
        }}
      >
        {t('Reload File')}
      </Button>
    </>
  );
}

/** Opens the columns that link rows with objects, so that users can correct them. */
export function openLink(store: TableStore, anchor: Element, report: LinkReport): void {
  openPopover({
    anchor,
    label: t('How rows and objects are linked'),
    className: 'form-popover',
    view: close => <Link store={store} close={close} anchor={anchor} report={report} />,
  });
}

function Link({ store, close, anchor, report }: PopoverProps & { anchor: Element; report: LinkReport }) {
  const { table: model } = store;
  const { columns } = model.table;
  // Links use the first of several columns with the same name.
  const linked = (columnName: string | undefined) =>
    columns.find(({ name }) => name === columnName)?.index ?? 0;
  const columnAt = (index: number) => {
    const name = columns.find(column => column.index === index)?.name ?? '';
    return { name, index };
  };
  const { chosenColumns } = report;
  const image = useSignal(chosenColumns?.image ?? linked(report.imageColumn));
  const id = useSignal(chosenColumns?.id ?? linked(report.idColumn));
  const { line, details } = linkSummary(report);
  return (
    <>
      <h2 class="popover-title">{t('How rows and objects are linked')}</h2>
      <p>{line}</p>
      {details.map(detail => (
        <p key={detail} class="popover-note">
          {detail}
        </p>
      ))}
      {canLinkImages(report) && (
        <Button
          onClick={() => {
            close();
            openImageLinks({ anchor, source: store.imageLinks });
          }}
        >
          {t('Link Images…')}
        </Button>
      )}
      <label for="link-image">{t('Column with the image name')}</label>
      <ColumnSelect id="link-image" columns={columns} selected={image} autofocus />
      <label for="link-id">{t('Column with the object ID')}</label>
      <ColumnSelect id="link-id" columns={columns} selected={id} />
      <Button
        primary
        onClick={() => {
          close();
          store.relink({ image: columnAt(image.value), id: columnAt(id.value) });
        }}
      >
        {t('Link Again')}
      </Button>
      {chosenColumns && (
        <p class="popover-note">
          {t('You selected these columns.')}{' '}
          <LinkButton
            onClick={() => {
              close();
              store.relink(null);
            }}
          >
            {t({ message: 'Undo', comment: 'Verb' })}
          </LinkButton>
        </p>
      )}
    </>
  );
}

interface ColumnSelectProps {
  id: string;
  columns: readonly TableColumn[];
  selected: { value: number };
  autofocus?: boolean;
}

function ColumnSelect({ id, columns, selected, autofocus = false }: ColumnSelectProps) {
  return (
    <select
      class="input"
      id={id}
      autofocus={autofocus}
      value={selected.value}
      onChange={({ currentTarget }) => (selected.value = Number(currentTarget.value))}
    >
      {columns.map(({ index }) => (
        <option key={index} value={index}>
          {columnName(columns, index)}
        </option>
      ))}
    </select>
  );
}
