import { t } from '../../../pages/page/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { findRowColumns } from '../../../columns/rowColumns';
import { columnName } from '../../../pages/page/columnName';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { TableStore } from '../state/tableStore';
import { openColumnsMenu } from './tablePopovers';

/** Characters shown of a value. */
const MAX_SHOWN = 200;

/**
 * The values of constant columns, which aren't in the grid: a line above it, with as many as fit.
 */
export function ConstantLine({ store }: { store: TableStore }) {
  const { columns, table } = store;
  const listed = columns.hiddenConstants.value;
  const tableColumns = table.table.columns;
  const imageColumn = findRowColumns(tableColumns.map(({ name }) => name)).image;
  const line = useRef<HTMLDivElement>(null);
  const fitQueue = useRef<FrameQueue | undefined>(undefined);
  useLayoutEffect(() => {
    const { current: root } = line;
    if (!root) return;
    const apply = () => fit(root, count => t('{0} more', count));
    fitQueue.current = new FrameQueue(apply);
    new ResizeObserver(apply).observe(root);
  }, []);
  useLayoutEffect(() => fitQueue.current?.schedule());
  return (
    <div class="constant-line" hidden={listed.length === 0} ref={line}>
      <ul class="constants" aria-label={t('The same in every row')}>
        {listed.map(({ column, text: value }) => {
          const name = columnName(tableColumns, column);
          const shown = value?.slice(0, MAX_SHOWN) ?? t('(missing)');
          return (
            <li key={column}>
              <button
                type="button"
                class="constant"
                title={t('{0}: {1}. Click to show the column.', name, shown)}
                onClick={() => columns.show(column)}
              >
                <span class="constant-name">{name}</span>
                {/* Image names differ at their ends. */}
                <span class={column === imageColumn ? 'constant-value keeps-end' : 'constant-value'}>
                  {shown}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <button
        type="button"
        class="constant"
        title={t('More columns that are the same in every row. Click to list the columns.')}
        onClick={({ currentTarget }) => openColumnsMenu(store, currentTarget)}
      />
    </div>
  );
}

/** Hides values that wrap to a second line; the button after the line counts them. */
function fit({ children: [list, more] }: HTMLElement, words: (count: number) => string): void {
  if (!list || !(more instanceof HTMLElement)) return;
  const items = [...list.children].filter(child => child instanceof HTMLElement);
  const hideFrom = (firstHidden: number) => {
    for (const [index, item] of items.entries()) item.hidden = index >= firstHidden;
    more.hidden = firstHidden === items.length;
    more.textContent = more.hidden ? '' : words(items.length - firstHidden);
  };
  const countOnFirstLine = () => {
    for (const item of items) item.hidden = false;
    const top = items[0]?.offsetTop;
    const next = items.findIndex(item => item.offsetTop !== top);
    return next < 0 ? items.length : next;
  };
  hideFrom(items.length);
  const firstLineCount = countOnFirstLine();
  hideFrom(firstLineCount);
  // The button takes space as well.
  if (firstLineCount < items.length) hideFrom(countOnFirstLine());
}
