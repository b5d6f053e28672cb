import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ObjectPopulation } from '../../../linking/objectPopulations';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { FocusedObject } from './objectFocus';

interface PopulationsOfObjectOptions {
  /** The selected object, else the hovered one. */
  shownObject: ReadonlySignal<FocusedObject | undefined>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>;
  fail: (error: unknown) => void;
}

/**
 * The populations of the selected object. Those of a hovered one aren't shown: content below would
 * move with each object.
 */
export class PopulationsOfObject {
  private readonly loaded = signal<{ row: number; populations: readonly ObjectPopulation[] } | undefined>(
    undefined,
  );
  private readonly row: ReadonlySignal<number | undefined>;
  private pending: AbortController | undefined;

  constructor(private readonly options: PopulationsOfObjectOptions) {
    this.row = computed(() => {
      const { selected, details } = options.shownObject.value ?? {};
      return selected ? details?.row : undefined;
    });
    this.row.subscribe(() => void this.load());
  }

  /** In the order of their tree; undefined without an object that has a row, or until loaded. */
  get shownPopulations(): ReadonlySignal<{ populations: readonly ObjectPopulation[] } | undefined> {
    return this.loaded;
  }

  /** Loads the populations, also after they changed or rows and objects were linked again. */
  async load(): Promise<void> {
    this.pending?.abort();
    const row = this.row.peek();
    if (row !== this.loaded.peek()?.row) this.loaded.value = undefined;
    if (row === undefined) return;
    const { signal: abortSignal } = (this.pending = new AbortController());
    try {
      const { populations } = await this.options.panel.request('populationsOfRow', { row }, abortSignal);
      if (!abortSignal.aborted) this.loaded.value = { row, populations };
    } catch (error) {
      if (!abortSignal.aborted) this.options.fail(error);
    }
  }
}
