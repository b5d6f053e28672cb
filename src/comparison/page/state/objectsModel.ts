import { t } from '../../../pages/page/l10n';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ObjectFacts } from '../../../archives/masksSummary';
import type { ComparedSide } from '../../comparison';
import type { ComparisonPanelPort, ShownPairs } from '../../comparisonPage';
import type { SavedView } from './comparisonViewState';
import type { ImagesModel } from './imagesModel';
import type { ComparisonMessages } from './comparisonMessages';
import {
  type ListedOutcome,
  listedOutcomes,
  objectsOfList,
  type OutcomesOfImage,
  outcomeNames,
} from './outcomes';
import type { ScoresModel } from './scoresModel';

/** An object of the image in view. */
export interface ComparedRef {
  side: ComparedSide;
  object: number;
}

type ShownObjects = Record<ComparedSide, Uint8Array<ArrayBuffer>>;

interface ObjectsModelOptions {
  panel: ComparisonPanelPort;
  view: SavedView;
  messages: ComparisonMessages;
  scores: ScoresModel;
  images: ImagesModel;
  filtered: ShownPairs | null;
}

/** Maximum number of cached facts. */
const MAX_FACTS = 2000;

/** The objects of the image in view: their outcomes, and facts about them. */
export class ObjectsModel {
  private readonly loadedOutcomes = signal<OutcomesOfImage | undefined>(undefined);
  private readonly shownList: Signal<ListedOutcome>;
  private readonly filteredPairs: Signal<ShownPairs | null>;
  private readonly shownByFilters = signal<ShownObjects | undefined>(undefined);
  private readonly factsCache: RequestedValues<ObjectFacts>;
  private readonly iouCache: RequestedValues<number>;
  private filtering = new AbortController();

  constructor(private readonly options: ObjectsModelOptions) {
    const { view, filtered, messages } = options;
    this.shownList = signal(view.saved.list ?? 'onlyA');
    this.filteredPairs = signal(filtered);
    const failed = (error: unknown) => messages.failed(error);
    this.factsCache = new RequestedValues(failed);
    this.iouCache = new RequestedValues(failed);
  }

  get outcomes(): ReadonlySignal<OutcomesOfImage | undefined> {
    return this.loadedOutcomes;
  }

  /** The outcome whose objects are listed. */
  get list(): ReadonlySignal<ListedOutcome> {
    return this.shownList;
  }

  /** Number of rows that match the filters of the pairs table; null without filters. */
  get filtered(): ReadonlySignal<ShownPairs | null> {
    return this.filteredPairs;
  }

  /**
   * A byte for each object: 1 if its row matches the filters, else 0; undefined without filters.
   */
  get shown(): ReadonlySignal<ShownObjects | undefined> {
    return this.shownByFilters;
  }

  /**
   * The objects of each outcome that match the filters of the pairs table; undefined until loaded.
   */
  readonly lists = computed((): Record<ListedOutcome, ComparedRef[]> | undefined => {
    const outcomes = this.loadedOutcomes.value;
    if (!outcomes) return undefined;
    const shown = this.shownByFilters.value;
    const objectsOf = (name: ListedOutcome): ComparedRef[] => {
      const objects = objectsOfList(outcomes, name);
      return shown ? objects.filter(({ side, object }) => shown[side][object] === 1) : objects;
    };
    return Object.fromEntries(listedOutcomes.map(name => [name, objectsOf(name)])) as Record<
      ListedOutcome,
      ComparedRef[]
    >;
  });

  /** The partner of an object on the other side; undefined without one. */
  partnerOf({ side, object }: ComparedRef): number | undefined {
    const partner = this.loadedOutcomes.value?.[side].partners[object];
    return partner === undefined || partner < 0 ? undefined : partner;
  }

  /** Outcome flags of an object; undefined until loaded. */
  flagsOf({ side, object }: ComparedRef): number | undefined {
    return this.loadedOutcomes.value?.[side].flags[object];
  }

  /** Facts about an object; requested on first use. */
  facts(side: ComparedSide, object: number): RequestedValue<ObjectFacts> {
    const image = this.options.images.pair.peek()?.[side] ?? -1;
    return this.factsCache.get(`${side} ${image} ${object}`, () =>
      this.options.panel.request('comparedFacts', { side, image, object }),
    );
  }

  /** IoU of an object of A and one of B; requested on first use. */
  iou(a: number, b: number): RequestedValue<number> {
    const image = this.options.images.position.peek();
    return this.iouCache.get(
      `${image} ${a} ${b}`,
      async () => (await this.options.panel.request('comparedIou', { image, a, b })).iou,
    );
  }

  showList(list: ListedOutcome): void {
    const { view, messages } = this.options;
    this.shownList.value = list;
    view.save({ list });
    const objects = this.lists.peek()?.[list];
    messages.say(objects ? t('{0}: {1}', outcomeNames[list](), objects.length) : outcomeNames[list]());
  }

  /** Loads the outcomes of the objects in view. */
  async load(abortSignal: AbortSignal): Promise<void> {
    const image = this.options.images.position.peek();
    const outcomes =
      image < 0
        ? undefined
        : {
            a: await this.outcomesOf('a', image, abortSignal),
            b: await this.outcomesOf('b', image, abortSignal),
          };
    if (abortSignal.aborted) return;
    this.loadedOutcomes.value = outcomes;
    void this.loadShown();
  }

  /** Updates the objects after a change of the pairs table's filters. */
  async filteredByTable(filtered: ShownPairs | null): Promise<void> {
    this.filteredPairs.value = filtered;
    await this.loadShown();
  }

  /** Drops the outcomes, as another comparison may count objects differently. */
  forgetOutcomes(): void {
    this.loadedOutcomes.value = undefined;
  }

  /** Drops everything, as another image comes into view. */
  forget(): void {
    this.loadedOutcomes.value = undefined;
    this.shownByFilters.value = undefined;
    this.forgetFacts();
  }

  /** Drops the facts, as another image of B may be in view. */
  forgetFacts(): void {
    this.factsCache.clear();
    this.iouCache.clear();
  }

  /**
   * Loads which objects match the filters of the pairs table. A later call aborts an earlier one.
   */
  private async loadShown(): Promise<void> {
    const { panel, images, messages } = this.options;
    this.filtering.abort();
    const { signal: abortSignal } = (this.filtering = new AbortController());
    const pair = images.pair.peek();
    if (!pair || !this.filteredPairs.peek()) {
      this.shownByFilters.value = undefined;
      return;
    }
    try {
      const { a, b } = await panel.request('shownObjects', { a: pair.a, b: pair.b }, abortSignal);
      if (abortSignal.aborted) return;
      this.shownByFilters.value = a && b ? { a: new Uint8Array(a), b: new Uint8Array(b) } : undefined;
    } catch (error) {
      if (!abortSignal.aborted) messages.failed(error);
    }
  }

  private async outcomesOf(side: ComparedSide, image: number, abortSignal: AbortSignal) {
    const { panel, scores } = this.options;
    const threshold = scores.threshold.peek();
    const flags: number[] = [];
    const partners: number[] = [];
    for (let from = 0, isLast = false; !isLast; from = flags.length) {
      const part = await panel.request('comparedObjects', { side, image, threshold, from }, abortSignal);
      for (const flag of new Uint8Array(part.outcomes)) flags.push(flag);
      for (const partner of new Int32Array(part.partners)) partners.push(partner);
      isLast = part.isLast;
    }
    return { flags: Uint8Array.from(flags), partners: Int32Array.from(partners) };
  }
}

interface RequestedValue<T> {
  current: ReadonlySignal<T | undefined>;
  promise: Promise<T>;
}

/** Values by key, requested on first use, and again after a failure. */
class RequestedValues<T> {
  private readonly values = new Map<string, RequestedValue<T>>();

  constructor(private readonly onFailure: (error: unknown) => void) {}

  get(key: string, request: () => Promise<T>): RequestedValue<T> {
    const cached = this.values.get(key);
    if (cached) return cached;
    const current = signal<T | undefined>(undefined);
    const promise = request();
    promise.then(
      result => (current.value = result),
      (error: unknown) => {
        this.values.delete(key);
        this.onFailure(error);
      },
    );
    if (this.values.size >= MAX_FACTS) this.values.clear();
    const requested = { current, promise };
    this.values.set(key, requested);
    return requested;
  }

  clear(): void {
    this.values.clear();
  }
}
