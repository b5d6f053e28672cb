import { type ReadonlySignal, signal } from '@preact/signals';
import { Emitter } from '../../../base/event';

/** A population of the table, whose share is a measure. */
export interface NamedPopulation {
  name: string;
  /** Names of the columns of which it needs numbers. */
  columns: readonly string[];
  /** Its definition in words. */
  words?: () => string;
}

/**
 * The table's populations, for groups, plots, plates and comparisons, which measure their shares.
 * Empty if no subject makes any.
 */
export class NamedPopulations {
  private readonly now = signal<readonly NamedPopulation[]>([]);
  readonly all: ReadonlySignal<readonly NamedPopulation[]> = this.now;
  private readonly changed = new Emitter<{ from: string; to: string } | undefined>();
  /** They, or their rows, are others; where one has another name, from which and to which. */
  readonly onDidChange = this.changed.event;

  /** More facts about the same ones, without those that the table can't have. */
  refine(all: readonly NamedPopulation[]): void {
    this.now.value = all;
  }

  /** The definition of one in words, if its name isn't enough. */
  wordsOf(name: string): string {
    return (
      this.now
        .peek()
        .find(each => each.name === name)
        ?.words?.() ?? name
    );
  }

  set(all: readonly NamedPopulation[], renamed?: { from: string; to: string }): void {
    this.now.value = all;
    this.changed.fire(renamed);
  }
}
