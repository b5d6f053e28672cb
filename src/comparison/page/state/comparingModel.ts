import { t } from '../../../pages/page/l10n';
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type PackedJson, unpackJson } from '../../../protocol/packed';
import type { ClassMode, ClassPair } from '../../comparison';
import type { ComparisonPanelPort, ComparisonState } from '../../comparisonPage';
import type { ComparisonMessages } from './comparisonMessages';

interface ComparingModelOptions {
  panel: ComparisonPanelPort;
  messages: ComparisonMessages;
  state: ComparisonState;
  /** Discards loaded facts when images were compared again, in one update with the new state. */
  discardLoaded: () => void;
  /** Loads the outcomes of images. */
  load: () => Promise<void>;
}

/** Changes the settings of a comparison and compares images again, one change after the other. */
export class ComparingModel {
  private readonly current: Signal<ComparisonState>;
  private readonly busy = signal(false);
  private readonly progress = signal<number | undefined>(undefined);
  private changing = new AbortController();

  constructor(private readonly options: ComparingModelOptions) {
    this.current = signal(options.state);
  }

  get state(): ReadonlySignal<ComparisonState> {
    return this.current;
  }

  get isBusy(): ReadonlySignal<boolean> {
    return this.busy;
  }

  /** Progress of comparing again, 0…1; undefined if unknown. */
  get share(): ReadonlySignal<number | undefined> {
    return this.progress;
  }

  async setClasses(classes: ClassMode): Promise<void> {
    await this.compareAgain({ classes });
  }

  /** Matches a class of A with a class of B, or with no class. */
  async mapClass(a: string, b: string | undefined): Promise<void> {
    const others = this.current.peek().classPairs.filter(pair => pair.a !== a && pair.b !== b);
    await this.compareAgain({ classPairs: b === undefined ? others : [...others, { a, b }] });
  }

  /** Compares only the inside of a polygon, in each image; null for whole images. */
  async compareRegion(region: number[] | null): Promise<void> {
    await this.compareAgain({ region });
  }

  /** Pairs two images by their positions. */
  async pairImages(a: number, b: number): Promise<void> {
    await this.change(abortSignal => this.options.panel.request('pairImages', { a, b }, abortSignal));
  }

  /** Accepts all pairs by name of images from different analyzed files. */
  async pairDoubtful(): Promise<void> {
    await this.change(abortSignal => this.options.panel.request('pairDoubtful', {}, abortSignal));
  }

  async undoPairing(): Promise<void> {
    if (!this.current.peek().canUndo) return;
    await this.change(abortSignal => this.options.panel.request('undoPairing', {}, abortSignal));
  }

  /**
   * Makes separate areas with the same label separate objects, or one object again. The panel then
   * reloads the page, as selections would mean other objects.
   */
  async separateAreas(separates: boolean): Promise<void> {
    await this.work(async abortSignal => {
      await this.options.panel.request('separateAreas', { separates }, abortSignal);
    });
  }

  /** Updates the progress of comparing again. */
  progressed({ done, total }: { done: number; total: number }): void {
    this.progress.value = total > 0 ? done / total : undefined;
  }

  /** Stops comparing again; the previous comparison is shown. */
  cancel(): void {
    this.changing.abort();
  }

  private async compareAgain(
    changes: Partial<{ classes: ClassMode; classPairs: ClassPair[]; region: number[] | null }>,
  ): Promise<void> {
    const { classes, classPairs, region } = this.current.peek();
    const choice = { classes, classPairs, region, ...changes };
    await this.change(abortSignal => this.options.panel.request('compareAgain', choice, abortSignal));
  }

  private async change(
    request: (abortSignal: AbortSignal) => Promise<PackedJson<ComparisonState>>,
  ): Promise<void> {
    await this.work(async abortSignal => {
      const state = unpackJson(await request(abortSignal));
      batch(() => {
        this.current.value = state;
        this.options.discardLoaded();
      });
      await this.options.load();
    });
  }

  private async work(change: (abortSignal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    this.progress.value = undefined;
    this.changing = new AbortController();
    try {
      await change(this.changing.signal);
    } catch (error) {
      this.options.messages.failed(error, t.later("Couldn't compare. {0}"));
    } finally {
      this.busy.value = false;
    }
  }
}
