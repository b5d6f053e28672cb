import { Emitter } from '../../base/event';
import { CommonParts } from '../../pages/page/widgets/commonParts';

/** What the texts of each column have in common, as far as they have been seen. */
export class SeenTexts {
  private readonly columns = new Map<number, CommonParts>();
  private readonly changed = new Emitter<number>();

  /** The texts of a column have less in common than was known. */
  get onDidChange() {
    return this.changed.event;
  }

  of(column: number): CommonParts {
    const known = this.columns.get(column) ?? new CommonParts();
    this.columns.set(column, known);
    return known;
  }

  learn(column: number, texts: Iterable<string>): void {
    const parts = this.of(column);
    let isChanged = false;
    for (const text of texts) isChanged = parts.add(text) || isChanged;
    if (isChanged) this.changed.fire(column);
  }
}
