import { type ReadonlySignal, signal } from '@preact/signals';
import { Emitter } from '../../../base/event';

/** A population of the table. Its share of objects is a measure. */
export interface NamedPopulation {
  name: string;
  /** Columns whose numbers the population needs, by name. */
  columns: readonly string[];
  /** The population's definition in words. */
  words?: () => string;
}

/**
 * The table's populations. Groups, plots, plates and comparisons measure their shares. Empty unless
 * another part of the extension sets them.
 */
export class NamedPopulations {
  private readonly populations = signal<readonly NamedPopulation[]>([]);
  readonly all: ReadonlySignal<readonly NamedPopulation[]> = this.populations;
  private readonly changed = new Emitter<{ from: string; to: string } | undefined>();
  /** Populations or their rows changed. If one was renamed: its former and its new name. */
  readonly onDidChange = this.changed.event;

  /**
   * Adds details, such as columns, to the populations that were set, or removes those that the
   * table can't have.
   */
  refine(all: readonly NamedPopulation[]): void {
    this.populations.value = all;
  }

  /** A population's definition in words, else its name. */
  wordsOf(name: string): string {
    return (
      this.populations
        .peek()
        .find(population => population.name === name)
        ?.words?.() ?? name
    );
  }

  set(all: readonly NamedPopulation[], renamed?: { from: string; to: string }): void {
    this.populations.value = all;
    this.changed.fire(renamed);
  }
}
