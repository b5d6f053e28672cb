import { t } from '../../pages/page/l10n';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { CutName, Icon } from '../../pages/page/widgets/parts';
import { openColumnSettings } from './columnSettings';
import type { ImageColumnsModel, SheetCell } from './imageColumnsModel';
import { type ImagePartProps, roleNames } from './imageWords';

/** Height of a row in pixels, as in imageColumns.css. */
const ROW_HEIGHT = 24;
/** Number of rows drawn above and below the visible ones. */
const EXTRA_ROWS = 8;
/** Widths in pixels. */
const MIN_COLUMN_WIDTH = 96;
const MAX_COLUMN_WIDTH = 280;
const CHARACTER_WIDTH = 7.5;
const PADDING = 24;
/** Number of values that the width of a column is computed from. */
const MAX_MEASURED_VALUES = 300;

/**
 * The sheet of images, their values, and why they are excluded. The grid has the focus, with an
 * active cell.
 */
export function ImageSheet({ images }: ImagePartProps) {
  const grid = useRef<HTMLDivElement>(null);
  const viewport = useSignal({ top: 0, height: 600 });
  useEffect(() => watchViewport(grid.current, viewport), [viewport]);
  useEffect(() => watchKeys(images), [images]);
  // Scrolls to the active cell, once for each move.
  const { row, column } = images.active.value;
  useEffect(() => keepInView(grid.current, row, column), [row, column]);
  const metadata = images.metadata.value;
  if (!metadata) return null;
  const { columns, images: paths } = metadata;
  const hasReasons = images.hasReasons.value;
  const names = [...columns.map(({ name }) => name), ...(hasReasons ? [t('Excluded')] : [])];
  const reasons = images.reasons.value;
  const widths = [
    widthOf([t('Image'), ...paths.slice(0, MAX_MEASURED_VALUES)], MAX_COLUMN_WIDTH * 1.5),
    ...columns.map(({ name, values, role }) =>
      widthOf([`${name}${role ? roleNames[role]() : ''} mmmm`, ...values.slice(0, MAX_MEASURED_VALUES)]),
    ),
    ...(hasReasons ? [MAX_COLUMN_WIDTH] : []),
  ];
  const columnLayout = { gridTemplateColumns: widths.map(width => `${width}px`).join(' ') };
  const firstImage = Math.max(0, Math.floor(viewport.value.top / ROW_HEIGHT) - EXTRA_ROWS);
  const imagesEnd = Math.min(
    paths.length,
    Math.ceil((viewport.value.top + viewport.value.height) / ROW_HEIGHT) + EXTRA_ROWS,
  );
  const shownImages = Array.from({ length: Math.max(0, imagesEnd - firstImage) }, (_, at) => firstImage + at);
  const { top, bottom, left, right } = images.selected.value;
  const canEdit = names.length > 0;
  return (
    <div
      class="image-sheet"
      role="grid"
      aria-label={t('Image Columns')}
      aria-rowcount={paths.length + 1}
      aria-colcount={names.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={canEdit ? `image-cell-${row}-${column}` : undefined}
      tabIndex={0}
      ref={grid}
      onKeyDown={event => handleKey(event, images)}
      onPaste={event => {
        if (isInput(event.target) || !canEdit) return;
        images.paste(event.clipboardData?.getData('text/plain') ?? '');
        event.preventDefault();
      }}
    >
      <div class="image-row image-header" role="row" aria-rowindex={1} style={columnLayout}>
        <span class="image-name" role="columnheader" aria-colindex={1}>
          {t('Image')}
        </span>
        {names.map((name, at) => {
          const imageColumn = columns[at];
          return (
            <span key={at} role="columnheader" aria-colindex={at + 2}>
              {imageColumn ? (
                <button
                  type="button"
                  class="image-column"
                  title={t('Settings of {0}', name)}
                  aria-haspopup="dialog"
                  onClick={({ currentTarget }) => openColumnSettings(images, at, currentTarget)}
                >
                  <span class="image-column-name">{name}</span>
                  {imageColumn.role && <span class="image-role">{roleNames[imageColumn.role]()}</span>}
                  <Icon name="chevron-down" />
                </button>
              ) : (
                <span class="image-column">{name}</span>
              )}
            </span>
          );
        })}
      </div>
      {!canEdit && (
        <div class="image-message" role="row">
          <span role="gridcell">
            {t('These images have no columns yet.')}{' '}
            {t('Add a column, read values from file names, or join a sample sheet.')}
          </span>
        </div>
      )}
      <div class="image-rows" role="rowgroup" style={{ height: `${paths.length * ROW_HEIGHT}px` }}>
        {shownImages.map(image => {
          const exclusionReason = reasons.get(image);
          return (
            <div
              key={image}
              class={exclusionReason === undefined ? 'image-row' : 'image-row excluded'}
              role="row"
              aria-rowindex={image + 2}
              style={{ ...columnLayout, top: `${image * ROW_HEIGHT}px` }}
            >
              <span
                class="image-name"
                role="rowheader"
                aria-colindex={1}
                title={paths[image]}
                onMouseDown={({ shiftKey }) => images.goTo({ row: image, column: 0 }, shiftKey)}
              >
                <CutName name={paths[image] ?? ''} />
              </span>
              {names.map((_, at) => {
                const isActive = image === row && at === column;
                const isSelected = image >= top && image <= bottom && at >= left && at <= right;
                const value = columns[at] ? (columns[at].values[image] ?? '') : (exclusionReason ?? '');
                return (
                  <span
                    key={at}
                    id={`image-cell-${image}-${at}`}
                    class={`image-cell${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`}
                    role="gridcell"
                    aria-colindex={at + 2}
                    aria-selected={isSelected}
                    title={value}
                    onMouseDown={event => pressCell(event, images, { row: image, column: at })}
                    onMouseEnter={({ buttons }) =>
                      buttons === 1 &&
                      images.typing.peek() === undefined &&
                      images.goTo({ row: image, column: at }, true)
                    }
                    onDblClick={() => images.edit()}
                  >
                    {isActive && images.typing.value !== undefined ? (
                      <CellInput images={images} label={names[at] ?? ''} />
                    ) : (
                      value
                    )}
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The input in the active cell. */
function CellInput({ images, label }: { images: ImageColumnsModel; label: string }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    const end = input.current?.value.length ?? 0;
    input.current?.setSelectionRange(end, end);
  }, []);
  const commitAndMove = (move: SheetCell) => {
    const grid = input.current?.closest<HTMLElement>('.image-sheet');
    images.commit();
    const { row, column } = images.active.peek();
    images.goTo({ row: row + move.row, column: column + move.column });
    grid?.focus();
  };
  return (
    <input
      ref={input}
      class="image-cell-input"
      aria-label={label}
      spellcheck={false}
      value={images.typing}
      onInput={({ currentTarget }) => images.edit(currentTarget.value)}
      onBlur={() => images.commit()}
      onKeyDown={event => {
        event.stopPropagation();
        const step = event.shiftKey ? -1 : 1;
        if (event.key === 'Enter') commitAndMove({ row: step, column: 0 });
        else if (event.key === 'Tab') commitAndMove({ row: 0, column: step });
        else if (event.key === 'Escape') {
          images.cancel();
          event.currentTarget.closest<HTMLElement>('.image-sheet')?.focus();
        } else return;
        event.preventDefault();
      }}
    />
  );
}

function pressCell(event: MouseEvent, images: ImageColumnsModel, cell: SheetCell): void {
  if (isInput(event.target) || event.button !== 0) return;
  const { row, column } = images.active.peek();
  // A click on another cell accepts the typed text, as Enter does.
  if (row !== cell.row || column !== cell.column) images.commit();
  images.goTo(cell, event.shiftKey);
}

/**
 * Handles undo, copy and cut while the focus is in the sheet. The page handles the same keys for
 * its view and table, on the document; a listener on the window comes first.
 */
function watchKeys(images: ImageColumnsModel): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (ctrlKey === metaKey || altKey || isInput(target)) return;
    if (!(target instanceof Element) || !target.closest('.image-columns')) return;
    const pressed = event.key.toLowerCase();
    const isInSheet = target.classList.contains('image-sheet');
    if (pressed === 'z') {
      if (shiftKey) images.redo();
      else images.undo();
    } else if (pressed === 'y' && ctrlKey) images.redo();
    else if (isInSheet && (pressed === 'c' || pressed === 'x')) {
      images.copy();
      if (pressed === 'x') images.clear();
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}

/** Handles keys in the grid; a character starts typing in the active cell. */
function handleKey(event: KeyboardEvent, images: ImageColumnsModel): void {
  if (event.target !== event.currentTarget) return;
  const isControl = event.ctrlKey || event.metaKey;
  if (images.typing.peek() !== undefined) {
    // The input of the cell isn't rendered yet.
    if (isControl || event.altKey || [...event.key].length !== 1) return;
    images.edit(`${images.typing.peek() ?? ''}${event.key}`);
  } else if (isControl && !event.altKey) {
    if (!handleControlKey(event, images)) return;
  } else if (event.altKey || !handlePlainKey(event, images)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Handles a key pressed with Ctrl or Cmd; returns whether it has a meaning. */
function handleControlKey({ key: pressed, shiftKey }: KeyboardEvent, images: ImageColumnsModel): boolean {
  const { row, column } = images.active.peek();
  switch (pressed.toLowerCase()) {
    case 'a':
      images.selectAll();
      return true;
    case 'd':
      images.fillDown();
      return true;
    case 'home':
      images.goTo({ row: 0, column: 0 }, shiftKey);
      return true;
    case 'end':
      images.goTo({ row: Infinity, column: Infinity }, shiftKey);
      return true;
    case 'arrowdown':
      images.goTo({ row: Infinity, column }, shiftKey);
      return true;
    case 'arrowup':
      images.goTo({ row: 0, column }, shiftKey);
      return true;
    case 'arrowright':
      images.goTo({ row, column: Infinity }, shiftKey);
      return true;
    case 'arrowleft':
      images.goTo({ row, column: 0 }, shiftKey);
      return true;
    default:
      return false;
  }
}

/** Number of rows that Page Up and Page Down move by. */
const PAGE_ROWS = 20;

/** Handles a key without Ctrl, Cmd or Alt; returns whether it has a meaning. */
function handlePlainKey({ key: pressed, shiftKey }: KeyboardEvent, images: ImageColumnsModel): boolean {
  const { row, column } = images.active.peek();
  const moves: Record<string, SheetCell> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: Infinity },
    PageUp: { row: row - PAGE_ROWS, column },
    PageDown: { row: row + PAGE_ROWS, column },
  };
  const destination = moves[pressed];
  if (destination) images.goTo(destination, shiftKey);
  else if (pressed === 'Enter' || pressed === 'F2') images.edit();
  else if (pressed === 'Delete' || pressed === 'Backspace') images.clear();
  else if ([...pressed].length === 1) images.edit(pressed);
  else return false;
  return true;
}

function isInput(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement;
}

function watchViewport(
  grid: HTMLElement | null,
  viewport: Signal<{ top: number; height: number }>,
): () => void {
  if (!grid) return () => undefined;
  const update = () => (viewport.value = { top: grid.scrollTop, height: grid.clientHeight });
  const observer = new ResizeObserver(update);
  observer.observe(grid);
  grid.addEventListener('scroll', update, { passive: true });
  update();
  return () => {
    observer.disconnect();
    grid.removeEventListener('scroll', update);
  };
}

/** Scrolls as little as needed; the header and the names of images stay visible. */
function keepInView(grid: HTMLElement | null, row: number, column: number): void {
  const header = grid?.querySelector<HTMLElement>('.image-header');
  if (!grid || !header) return;
  const top = row * ROW_HEIGHT;
  const visibleHeight = grid.clientHeight - header.offsetHeight;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + ROW_HEIGHT > grid.scrollTop + visibleHeight)
    grid.scrollTop = top + ROW_HEIGHT - visibleHeight;
  const [name, ...cells] = [...header.children] as HTMLElement[];
  const cell = cells[column];
  if (!name || !cell) return;
  const left = cell.offsetLeft;
  if (left - name.offsetWidth < grid.scrollLeft) grid.scrollLeft = left - name.offsetWidth;
  else if (left + cell.offsetWidth > grid.scrollLeft + grid.clientWidth)
    grid.scrollLeft = left + cell.offsetWidth - grid.clientWidth;
}

function widthOf(texts: readonly string[], max = MAX_COLUMN_WIDTH): number {
  const maxLength = Math.max(0, ...texts.map(({ length }) => length));
  return Math.round(Math.max(MIN_COLUMN_WIDTH, Math.min(max, maxLength * CHARACTER_WIDTH + PADDING)));
}
