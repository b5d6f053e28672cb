import { type ReadonlySignal, signal } from '@preact/signals';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { ObjectsOfImage } from '../../../archives/masksSummary';
import {
  type MeanAndSpread,
  type SelectedColumn,
  type ShapeMeasure,
  shapeMeasures,
  type ShapeStatistics,
} from '../../../archives/selectionStatistics';

/** Statistics of the selected objects. Those of shapes arrive later. */
interface SelectionStatistics {
  columns: readonly SelectedColumn[];
  shapes?: ShapeStatistics;
}

/** Significant digits of a mean or a standard deviation. */
const DIGITS = 5;

/**
 * Leaves out columns that have the same numbers as a measurement from masks. `duplicates`: their
 * names by measurement. Numbers are the same if count, mean and standard deviation are equal in the
 * digits shown.
 */
export function withoutDuplicates(
  columns: readonly SelectedColumn[],
  shapes: ShapeStatistics | undefined,
): { columns: readonly SelectedColumn[]; duplicates: ReadonlyMap<ShapeMeasure, readonly string[]> } {
  const duplicates = new Map<ShapeMeasure, string[]>();
  const otherColumns = columns.filter(column => {
    const measure = shapes && shapeMeasures.find(shapeMeasure => isSame(shapes[shapeMeasure], column));
    if (measure) duplicates.set(measure, [...(duplicates.get(measure) ?? []), column.name]);
    return !measure;
  });
  return { columns: otherColumns, duplicates };
}

function isSame(a: MeanAndSpread, b: MeanAndSpread): boolean {
  // One value, or a spread of zero, is often equal by chance.
  if (a.count !== b.count || a.mean === null || b.mean === null || !a.sd || !b.sd) return false;
  return (
    a.mean.toPrecision(DIGITS) === b.mean.toPrecision(DIGITS) &&
    a.sd.toPrecision(DIGITS) === b.sd.toPrecision(DIGITS)
  );
}

/**
 * Count, mean and standard deviation of several selected objects: of their masks, and of their
 * table rows.
 */
export class StatisticsOfSelection {
  private readonly loaded = signal<SelectionStatistics | undefined>(undefined);
  private pending: AbortController | undefined;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    private readonly selected: ReadonlySignal<readonly ObjectsOfImage[]>,
    private readonly fail: (error: unknown) => void,
  ) {
    selected.subscribe(() => void this.load());
  }

  /** The previous selection's statistics stay until the new ones arrive. */
  get shownStatistics(): ReadonlySignal<SelectionStatistics | undefined> {
    return this.loaded;
  }

  /** Loads the statistics, also after rows and objects were linked again. */
  async load(): Promise<void> {
    this.pending?.abort();
    const selected = this.selected.peek();
    if (selected.length === 0) return;
    const { signal: abortSignal } = (this.pending = new AbortController());
    const selection = selected.map(({ image, objects }) => ({ image, objects: [...objects] }));
    const params = { selection };
    try {
      const { columns } = await this.panel.request('columnsOfSelection', params, abortSignal);
      if (!abortSignal.aborted) this.loaded.value = { columns };
      const shapes = await this.panel.request('shapesOfSelection', params, abortSignal);
      if (!abortSignal.aborted) this.loaded.value = { columns, shapes };
    } catch (error) {
      if (!abortSignal.aborted) this.fail(error);
    }
  }
}
