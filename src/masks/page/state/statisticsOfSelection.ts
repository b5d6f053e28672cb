import { type ReadonlySignal, signal } from '@preact/signals';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { ObjectsOfImage } from '../../masksSummary';
import type { SelectedColumn, ShapeStatistics } from '../../selectionStatistics';

/** What is known of the selected objects; their shapes take a moment more. */
interface KnownStatistics {
  columns: readonly SelectedColumn[];
  shapes?: ShapeStatistics;
}

/** Count, mean and standard deviation of several selected objects: of their masks, and of their rows of the table. */
export class StatisticsOfSelection {
  private readonly found = signal<KnownStatistics | undefined>(undefined);
  private readonly selected = signal(0);
  private selection: { image: number; objects: number[] }[] = [];
  private pending: AbortController | undefined;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** How many objects are selected together; 0 where there is at most one. */
  get count(): ReadonlySignal<number> {
    return this.selected;
  }

  /** Of the selection before while those of another are on their way. */
  get now(): ReadonlySignal<KnownStatistics | undefined> {
    return this.found;
  }

  /** Other objects are selected now. */
  select(selection: readonly ObjectsOfImage[]): void {
    this.selection = selection.map(({ image, objects }) => ({ image, objects: [...objects] }));
    this.selected.value = selection.reduce((sum, { objects }) => sum + objects.length, 0);
    void this.load();
  }

  /** Loads them anew: rows and objects were linked again. */
  async load(): Promise<void> {
    this.pending?.abort();
    if (this.selection.length === 0) return;
    const { signal: outdated } = (this.pending = new AbortController());
    const params = { selection: this.selection };
    try {
      const { columns } = await this.panel.request('columnsOfSelection', params, outdated);
      if (!outdated.aborted) this.found.value = { columns };
      const shapes = await this.panel.request('shapesOfSelection', params, outdated);
      if (!outdated.aborted) this.found.value = { columns, shapes };
    } catch (error) {
      if (!outdated.aborted) this.fail(error);
    }
  }
}
