import { fileColumn } from './columnLayout';

const MOVING_KEYS = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Tab',
]);

/** Distance from the edge of the rows, in pixels, at which a drag scrolls. */
const EDGE = 24;

export interface GridInputOptions {
  root: HTMLElement;
  reveal: (position: number) => void;
  /**
   * The user moved to a cell, to a row number, or within the same column. `extend`: with Shift, or
   * by dragging.
   */
  onMove: (position: number, column: number | 'row' | 'same', extend: boolean) => void;
  onSelectAll: () => void;
  /** Ctrl+Home or Ctrl+End. The grid's own handling fails with a million rows. */
  onJump: (toEnd: boolean, extend: boolean) => void;
  /**
   * Finishes a jump that is waiting for its rows, as a key was pressed. Returns whether there was
   * one.
   */
  endJump: () => boolean;
  /** A cell should be opened: Enter, or a double-click. */
  onOpenCell: (position: number, column: number, by: 'key' | 'pointer') => void;
  /** Alt+Down on a header. */
  onOpenFilter: (column: number, header: Element) => void;
}

/**
 * Handles input in the grid's body and headers. Keys and focus are handled here, as the grid
 * reports a moved focus late and without its cause. The grid also restores the focus when it
 * redraws rows; that isn't a move.
 */
export class GridInput {
  /** Set by a key that moves the focus, until the focus has moved. */
  private keyMove: { extend: boolean } | undefined;
  private dragging: { wholeRows: boolean; lastPosition: number; pointerY: number } | undefined;
  private frame: number | undefined;

  constructor(private readonly options: GridInputOptions) {
    const { root } = options;
    root.addEventListener('mousedown', event => this.press(event));
    root.addEventListener('mousemove', event => this.drag(event));
    addEventListener('mouseup', () => (this.dragging = undefined));
    root.addEventListener('keydown', event => this.onKey(event), { capture: true });
    root.addEventListener('focusin', event => this.onFocus(event));
    root.addEventListener('focusout', event => {
      const to = event.relatedTarget;
      if (to instanceof Node && !root.contains(to)) this.keyMove = undefined;
    });
    root.addEventListener('dblclick', event => {
      const [position, column] = [positionOf(event.target), columnOfCell(event.target)];
      if (position !== undefined && column !== undefined) options.onOpenCell(position, column, 'pointer');
    });
  }

  private press(event: MouseEvent): void {
    const position = positionOf(event.target);
    if (event.button !== 0 || position === undefined) return;
    const wholeRows = isRowNumber(event.target);
    this.options.onMove(position, columnOfCell(event.target) ?? 'row', event.shiftKey);
    this.dragging = { wholeRows, lastPosition: position, pointerY: event.clientY };
  }

  private drag(event: MouseEvent): void {
    if (!this.dragging) return;
    if (event.buttons !== 1) {
      this.dragging = undefined;
      return;
    }
    this.dragging.pointerY = event.clientY;
    const position = positionOf(event.target);
    const column = columnOfCell(event.target);
    if (position !== undefined && (this.dragging.wholeRows || column !== undefined)) {
      this.dragging.lastPosition = position;
      this.options.onMove(position, this.dragging.wholeRows ? 'row' : (column ?? 'same'), true);
    }
    this.frame ??= requestAnimationFrame(() => this.scrollAtEdge());
  }

  /** Scrolls on while the pointer is held at an edge of the rows. */
  private scrollAtEdge(): void {
    this.frame = undefined;
    const { dragging } = this;
    const body = this.options.root
      .querySelector('.ag-body-viewport, .ag-grid-viewport')
      ?.getBoundingClientRect();
    if (!dragging || !body) return;
    const step = dragging.pointerY > body.bottom - EDGE ? 1 : dragging.pointerY < body.top + EDGE ? -1 : 0;
    const next = dragging.lastPosition + step;
    if (step === 0 || next < 0) return;
    this.options.reveal(next);
    if (!this.options.root.querySelector(`.ag-row[row-index="${next}"]`)) return;
    dragging.lastPosition = next;
    this.options.onMove(next, 'same', true);
    this.frame = requestAnimationFrame(() => this.scrollAtEdge());
  }

  private onKey(event: KeyboardEvent): void {
    if (this.options.endJump()) {
      // The key is meant for the cell that has the focus now.
      event.preventDefault();
      event.stopPropagation();
      document.activeElement?.dispatchEvent(new KeyboardEvent(event.type, event));
      return;
    }
    this.keyMove = MOVING_KEYS.has(event.key) ? { extend: event.shiftKey && event.key !== 'Tab' } : undefined;
    const header = columnOfHeader(event.target);
    if (header !== undefined && event.altKey && event.key === 'ArrowDown') {
      event.preventDefault();
      event.stopPropagation();
      const cell = event.target instanceof Element ? event.target.closest('.ag-header-cell') : null;
      if (cell) this.options.onOpenFilter(header, cell);
      return;
    }
    const position = positionOf(event.target);
    if (position === undefined) return;
    const column = columnOfCell(event.target);
    const control = event.ctrlKey || event.metaKey;
    if (control && (event.key === 'End' || event.key === 'Home')) {
      this.keyMove = undefined;
      this.options.onJump(event.key === 'End', event.shiftKey);
    } else if (event.key === 'Enter' && column !== undefined)
      this.options.onOpenCell(position, column, 'key');
    else if (event.key.toLowerCase() === 'a' && control) this.options.onSelectAll();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private onFocus(event: FocusEvent): void {
    const position = positionOf(event.target);
    if (!this.keyMove || position === undefined) return;
    const { extend } = this.keyMove;
    this.keyMove = undefined;
    this.options.onMove(position, columnOfCell(event.target) ?? 'row', extend);
  }
}

/** Position of the row that contains an element of the grid's body. */
export function positionOf(target: EventTarget | null): number | undefined {
  const index = target instanceof Element ? target.closest('.ag-row')?.getAttribute('row-index') : undefined;
  return index === undefined || index === null ? undefined : Number(index);
}

/**
 * The file column of the cell that contains an element; undefined for row numbers and outside
 * cells.
 */
export function columnOfCell(target: EventTarget | null): number | undefined {
  const id = target instanceof Element ? target.closest('.ag-cell')?.getAttribute('col-id') : undefined;
  return id === undefined || id === null ? undefined : fileColumn(id);
}

/** Whether an element is in the column of row numbers. */
function isRowNumber(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.ag-cell.row-number') !== null;
}

/** The file column of the header that contains an element. */
export function columnOfHeader(target: EventTarget | null): number | undefined {
  const id =
    target instanceof Element ? target.closest('.ag-header-cell')?.getAttribute('col-id') : undefined;
  return id === undefined || id === null ? undefined : fileColumn(id);
}
