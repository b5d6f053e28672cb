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

/** Statistics of the selected objects; shapes follow later. */
interface KnownStatistics {
  columns: readonly SelectedColumn[];
  shapes?: ShapeStatistics;
}

/** Significant digits of a mean or a standard deviation. */
const DIGITS = 5;

/**
 * The columns whose numbers aren't among those measured from masks, and the names of the others by
 * the measurement that has the same numbers: as many values, and as many digits of mean and
 * standard deviation as are shown.
 */
export function shownOnce(
  columns: readonly SelectedColumn[],
  shapes: ShapeStatistics | undefined,
): { columns: readonly SelectedColumn[]; same: ReadonlyMap<ShapeMeasure, readonly string[]> } {
  const same = new Map<ShapeMeasure, string[]>();
  const others = columns.filter(column => {
    const measure = shapes && shapeMeasures.find(each => isSame(shapes[each], column));
    if (measure) same.set(measure, [...(same.get(measure) ?? []), column.name]);
    return !measure;
  });
  return { columns: others, same };
}

function isSame(a: MeanAndSpread, b: MeanAndSpread): boolean {
  // One value, or the same one everywhere, is easily the same by chance.
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
  private readonly found = signal<KnownStatistics | undefined>(undefined);
  private pending: AbortController | undefined;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    private readonly selected: ReadonlySignal<readonly ObjectsOfImage[]>,
    private readonly fail: (error: unknown) => void,
  ) {
    selected.subscribe(() => void this.load());
  }

  /** Those of the previous selection until the new ones arrive. */
  get now(): ReadonlySignal<KnownStatistics | undefined> {
    return this.found;
  }

  /** Loads them anew: rows and objects were linked again. */
  async load(): Promise<void> {
    this.pending?.abort();
    const selected = this.selected.peek();
    if (selected.length === 0) return;
    const { signal: outdated } = (this.pending = new AbortController());
    const selection = selected.map(({ image, objects }) => ({ image, objects: [...objects] }));
    const params = { selection };
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
