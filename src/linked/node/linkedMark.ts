import { sameObject, type ObjectRef } from '../../masks/objectRef';
import type { FoundObject } from '../../masks/masksSummary';
import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';

/** Finds the other side of a row or an object; null while nothing is linked. */
export interface Counterparts {
  objectOfRow(row: number): Promise<FoundObject | null>;
  rowOfObject(object: ObjectRef): Promise<number | null>;
}

/** The object that is pointed at, or the one that is selected, as the table and as the masks know it. The latest wins. */
export class LinkedMark implements Disposable {
  private currentRow: number | null = null;
  private currentObject: ObjectRef | null = null;
  /** Which side it was set by last; the other one follows. */
  private isOfTable = true;
  private changes = 0;
  private readonly rowEmitter = new Emitter<number | null>();
  private readonly objectEmitter = new Emitter<FoundObject | null>();

  constructor(
    private readonly counterparts: Counterparts,
    private readonly onError: (error: unknown) => void,
  ) {}

  get row(): number | null {
    return this.currentRow;
  }

  get object(): ObjectRef | null {
    return this.currentObject;
  }

  /** The mark was set on an object and the table has to follow. */
  get onDidChangeRow(): Event<number | null> {
    return this.rowEmitter.event;
  }

  /** The mark was set on a row and the masks have to follow. */
  get onDidChangeObject(): Event<FoundObject | null> {
    return this.objectEmitter.event;
  }

  /** Set by the table. */
  setRow(row: number | null): Promise<void> {
    this.currentRow = row;
    this.isOfTable = true;
    return this.follow(
      () => (row === null ? Promise.resolve(null) : this.counterparts.objectOfRow(row)),
      found => {
        if (sameObject(this.currentObject, found)) return;
        this.currentObject = found && { image: found.image, object: found.object };
        this.objectEmitter.fire(found);
      },
    );
  }

  /** Set by the masks. */
  setObject(object: ObjectRef | null): Promise<void> {
    this.currentObject = object;
    this.isOfTable = false;
    return this.follow(
      () => (object === null ? Promise.resolve(null) : this.counterparts.rowOfObject(object)),
      row => {
        if (this.currentRow === row) return;
        this.currentRow = row;
        this.rowEmitter.fire(row);
      },
    );
  }

  /** Rows and objects have just been linked, perhaps by other columns: the side that follows finds its counterpart anew. */
  linked(): Promise<void> {
    return this.isOfTable ? this.setRow(this.currentRow) : this.setObject(this.currentObject);
  }

  /** The table is another one: the object is still the same, and finds its row there once they are linked. */
  tableChanged(): void {
    this.changes++;
    this.currentRow = null;
    this.isOfTable = false;
  }

  dispose(): void {
    this.changes++;
    this.rowEmitter.dispose();
    this.objectEmitter.dispose();
  }

  private async follow<T>(find: () => Promise<T>, apply: (found: T) => void): Promise<void> {
    const change = ++this.changes;
    try {
      const found = await find();
      if (change === this.changes) apply(found);
    } catch (error) {
      this.onError(error);
    }
  }
}
