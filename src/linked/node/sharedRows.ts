import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { SelectedRows, TableShown } from '../../table/tablePage';

/** Other rows of the table are shown. A listener that needs time makes `setShown` wait for it. */
export interface ShownChange {
  waitUntil(promise: Promise<void>): void;
}

/** Rows of the objects table that table and masks know together: those its filters let through, and those selected on the masks. */
export class SharedRows implements Disposable {
  private shownRows: TableShown | null = null;
  private selectedRows: SelectedRows | undefined;
  private readonly shownEmitter = new Emitter<ShownChange>();
  private readonly selectedEmitter = new Emitter<SelectedRows>();

  /** Which rows the table's filters let through; null for all. */
  get shown(): TableShown | null {
    return this.shownRows;
  }

  /** Other rows are shown, not only in another order. */
  get onDidChangeShown(): Event<ShownChange> {
    return this.shownEmitter.event;
  }

  /** Rows last selected on the masks; the table makes a filter of them. */
  get selected(): SelectedRows | undefined {
    return this.selectedRows;
  }

  get onDidSelect(): Event<SelectedRows> {
    return this.selectedEmitter.event;
  }

  /** Set by the table. Resolves when all listeners have handled the change. */
  async setShown(shown: TableShown | null): Promise<void> {
    const isSame = sameRows(shown, this.shownRows);
    this.shownRows = shown;
    if (isSame) return;
    const handled: Promise<void>[] = [];
    this.shownEmitter.fire({ waitUntil: promise => handled.push(promise) });
    await Promise.all(handled);
  }

  /** Set by the masks. */
  select(rows: SelectedRows): void {
    this.selectedRows = rows;
    this.selectedEmitter.fire(rows);
  }

  /** The table is another one from now on, or has to be opened again. */
  reset(): void {
    this.selectedRows = undefined;
    void this.setShown(null);
  }

  dispose(): void {
    this.shownEmitter.dispose();
    this.selectedEmitter.dispose();
  }
}

function sameRows(a: TableShown | null, b: TableShown | null): boolean {
  if (!a || !b) return a === b;
  const of = ({ view, rowCount, total }: TableShown) =>
    JSON.stringify([view.filters ?? [], view.upTo, rowCount, total]);
  return of(a) === of(b);
}
