import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparisonScores, CurvePoint } from '../../comparison';
import type { ComparisonPanelPort } from '../../comparisonPage';
import type { SavedView } from './comparisonViewState';

interface LoadedScores {
  points: CurvePoint[];
  latest: ComparisonScores;
}

/** The scores at a threshold, and their curve over all. */
export class ScoresModel {
  private readonly at: Signal<number>;
  private readonly points = signal<CurvePoint[]>([]);
  private readonly loaded = signal<ComparisonScores | undefined>(undefined);
  /** Whether images were compared since the curve and scores were loaded. */
  private isOutdated = true;

  constructor(
    private readonly panel: ComparisonPanelPort,
    private readonly view: SavedView,
    private readonly sharedThreshold: number,
  ) {
    this.at = signal(view.saved.threshold ?? sharedThreshold);
  }

  /** 0.5, 0.55, …, 0.95. */
  get threshold(): ReadonlySignal<number> {
    return this.at;
  }

  get curve(): ReadonlySignal<CurvePoint[]> {
    return this.points;
  }

  /** Undefined until the first have arrived. */
  get latest(): ReadonlySignal<ComparisonScores | undefined> {
    return this.loaded;
  }

  /** Sends the saved threshold to the panel. */
  restore(): void {
    const threshold = this.at.peek();
    if (threshold !== this.sharedThreshold) this.panel.send('threshold', { threshold });
  }

  setThreshold(threshold: number): void {
    this.at.value = threshold;
    this.view.save({ threshold });
    this.panel.send('threshold', { threshold });
  }

  /** Images were compared anew. */
  outdate(): void {
    this.isOutdated = true;
  }

  /** Requests missing data; returns whether images were compared since. */
  async request(ended: AbortSignal): Promise<LoadedScores & { areNew: boolean }> {
    const { panel, isOutdated: areNew } = this;
    const threshold = this.at.peek();
    // Its points stay if only the threshold changes.
    const points = areNew ? (await panel.request('comparisonCurve', {}, ended)).points : this.points.peek();
    const known = this.loaded.peek();
    const latest =
      areNew || known?.threshold !== threshold
        ? await panel.request('comparisonScores', { threshold }, ended)
        : known;
    return { points, latest, areNew };
  }

  show({ points, latest }: LoadedScores): void {
    this.isOutdated = false;
    this.points.value = points;
    this.loaded.value = latest;
  }
}
