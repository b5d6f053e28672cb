import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparisonScores, CurvePoint } from '../../comparison';
import type { ComparisonPanelPort } from '../../comparisonPage';
import type { SavedView } from './comparisonViewState';

interface LoadedScores {
  points: CurvePoint[];
  latest: ComparisonScores;
}

/** The scores at a threshold, and the curve over all thresholds. */
export class ScoresModel {
  private readonly currentThreshold: Signal<number>;
  private readonly points = signal<CurvePoint[]>([]);
  private readonly loaded = signal<ComparisonScores | undefined>(undefined);
  /** Whether images were compared since curve and scores were loaded. */
  private isOutdated = true;

  constructor(
    private readonly panel: ComparisonPanelPort,
    private readonly view: SavedView,
    private readonly sharedThreshold: number,
  ) {
    this.currentThreshold = signal(view.saved.threshold ?? sharedThreshold);
  }

  /** 0.5, 0.55, …, 0.95. */
  get threshold(): ReadonlySignal<number> {
    return this.currentThreshold;
  }

  get curve(): ReadonlySignal<CurvePoint[]> {
    return this.points;
  }

  /** The latest scores; undefined until loaded. */
  get latest(): ReadonlySignal<ComparisonScores | undefined> {
    return this.loaded;
  }

  /** Sends the saved threshold to the panel. */
  restore(): void {
    const threshold = this.currentThreshold.peek();
    if (threshold !== this.sharedThreshold) this.panel.send('threshold', { threshold });
  }

  setThreshold(threshold: number): void {
    this.currentThreshold.value = threshold;
    this.view.save({ threshold });
    this.panel.send('threshold', { threshold });
  }

  /** Marks the scores as outdated, since images were compared again. */
  outdate(): void {
    this.isOutdated = true;
  }

  /** Requests missing data; returns whether images were compared since the last request. */
  async request(abortSignal: AbortSignal): Promise<LoadedScores & { areNew: boolean }> {
    const { panel, isOutdated: areNew } = this;
    const threshold = this.currentThreshold.peek();
    // The curve doesn't depend on the threshold.
    const points = areNew
      ? (await panel.request('comparisonCurve', {}, abortSignal)).points
      : this.points.peek();
    const loadedScores = this.loaded.peek();
    const latest =
      areNew || loadedScores?.threshold !== threshold
        ? await panel.request('comparisonScores', { threshold }, abortSignal)
        : loadedScores;
    return { points, latest, areNew };
  }

  show({ points, latest }: LoadedScores): void {
    this.isOutdated = false;
    this.points.value = points;
    this.loaded.value = latest;
  }
}
