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
  objectsBecame,
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

/** Facts of objects that stay in memory. */
const MAX_FACTS = 2000;

/** The objects of the image in view: outcomes, and facts about each. */
export class ObjectsModel {
  private readonly became = signal<OutcomesOfImage | undefined>(undefined);
  private readonly listed: Signal<ListedOutcome>;
  private readonly letThrough: Signal<ShownPairs | null>;
  private readonly matching = signal<ShownObjects | undefined>(undefined);
  private readonly knownFacts: RequestedValues<ObjectFacts>;
  private readonly knownIous: RequestedValues<number>;
  private filtering = new AbortController();

  constructor(private readonly options: ObjectsModelOptions) {
    const { view, filtered, messages } = options;
    this.listed = signal(view.saved.list ?? 'onlyA');
    this.letThrough = signal(filtered);
    const failed = (error: unknown) => messages.failed(error);
    this.knownFacts = new RequestedValues(failed);
    this.knownIous = new RequestedValues(failed);
  }

  get outcomes(): ReadonlySignal<OutcomesOfImage | undefined> {
    return this.became;
  }

  /** The outcome whose objects are listed. */
  get list(): ReadonlySignal<ListedOutcome> {
    return this.listed;
  }

  /** How many rows of the table of pairs match its filters; null without filters. */
  get filtered(): ReadonlySignal<ShownPairs | null> {
    return this.letThrough;
  }

  /** For each object 1 if it is in these rows, else 0; undefined where all are shown. */
  get shown(): ReadonlySignal<ShownObjects | undefined> {
    return this.matching;
  }

  /**
   * The objects of each outcome that the table of pairs doesn't filter out; undefined until known.
   */
  readonly lists = computed((): Record<ListedOutcome, ComparedRef[]> | undefined => {
    const outcomes = this.became.value;
    if (!outcomes) return undefined;
    const shown = this.matching.value;
    const objectsOf = (name: ListedOutcome): ComparedRef[] => {
      const objects = objectsBecame(outcomes, name);
      return shown ? objects.filter(({ side, object }) => shown[side][object] === 1) : objects;
    };
    return Object.fromEntries(listedOutcomes.map(name => [name, objectsOf(name)])) as Record<
      ListedOutcome,
      ComparedRef[]
    >;
  });

  /** The object of the other side that one is matched with. */
  partnerOf({ side, object }: ComparedRef): number | undefined {
    const partner = this.became.value?.[side].partners[object];
    return partner === undefined || partner < 0 ? undefined : partner;
  }

  /** Outcome flags of an object; undefined until known. */
  flagsOf({ side, object }: ComparedRef): number | undefined {
    return this.became.value?.[side].flags[object];
  }

  /** Facts about an object; requested on first use. */
  facts(side: ComparedSide, object: number): RequestedValue<ObjectFacts> {
    const image = this.options.images.pair.peek()?.[side] ?? -1;
    return this.knownFacts.get(`${side} ${image} ${object}`, () =>
      this.options.panel.request('comparedFacts', { side, image, object }),
    );
  }

  /** IoU of an object of A and one of B; requested when it is first wanted. */
  iou(a: number, b: number): RequestedValue<number> {
    const image = this.options.images.position.peek();
    return this.knownIous.get(
      `${image} ${a} ${b}`,
      async () => (await this.options.panel.request('comparedIou', { image, a, b })).iou,
    );
  }

  showList(list: ListedOutcome): void {
    const { view, messages } = this.options;
    this.listed.value = list;
    view.save({ list });
    const objects = this.lists.peek()?.[list];
    messages.say(objects ? t('{0}: {1}', outcomeNames[list](), objects.length) : outcomeNames[list]());
  }

  /** Loads the outcomes of the objects in view. */
  async load(ended: AbortSignal): Promise<void> {
    const image = this.options.images.position.peek();
    const outcomes =
      image < 0
        ? undefined
        : { a: await this.outcomesOf('a', image, ended), b: await this.outcomesOf('b', image, ended) };
    if (ended.aborted) return;
    this.became.value = outcomes;
    void this.loadShown();
  }

  /** The filters of the table of pairs let other rows through. */
  async filteredByTable(filtered: ShownPairs | null): Promise<void> {
    this.letThrough.value = filtered;
    await this.loadShown();
  }

  /** Objects may be counted differently: drops outcomes. */
  forgetOutcomes(): void {
    this.became.value = undefined;
  }

  /** Another image comes into view. */
  forget(): void {
    this.became.value = undefined;
    this.matching.value = undefined;
    this.forgetFacts();
  }

  /** Another image of B may be in view. */
  forgetFacts(): void {
    this.knownFacts.clear();
    this.knownIous.clear();
  }

  /** Loads which objects in view the table of pairs shows. A later call ends an earlier one. */
  private async loadShown(): Promise<void> {
    const { panel, images, messages } = this.options;
    this.filtering.abort();
    const { signal: ended } = (this.filtering = new AbortController());
    const pair = images.pair.peek();
    if (!pair || !this.letThrough.peek()) {
      this.matching.value = undefined;
      return;
    }
    try {
      const { a, b } = await panel.request('shownObjects', { a: pair.a, b: pair.b }, ended);
      if (ended.aborted) return;
      this.matching.value = a && b ? { a: new Uint8Array(a), b: new Uint8Array(b) } : undefined;
    } catch (error) {
      if (!ended.aborted) messages.failed(error);
    }
  }

  private async outcomesOf(side: ComparedSide, image: number, ended: AbortSignal) {
    const { panel, scores } = this.options;
    const threshold = scores.threshold.peek();
    const flags: number[] = [];
    const partners: number[] = [];
    for (let from = 0, isLast = false; !isLast; from = flags.length) {
      const part = await panel.request('comparedObjects', { side, image, threshold, from }, ended);
      for (const flag of new Uint8Array(part.outcomes)) flags.push(flag);
      for (const partner of new Int32Array(part.partners)) partners.push(partner);
      isLast = part.isLast;
    }
    return { flags: Uint8Array.from(flags), partners: Int32Array.from(partners) };
  }
}

interface RequestedValue<T> {
  now: ReadonlySignal<T | undefined>;
  promise: Promise<T>;
}

/** Values by key, each requested when it is first wanted, and again after a failure. */
class RequestedValues<T> {
  private readonly values = new Map<string, RequestedValue<T>>();

  constructor(private readonly onFailure: (error: unknown) => void) {}

  get(key: string, request: () => Promise<T>): RequestedValue<T> {
    const known = this.values.get(key);
    if (known) return known;
    const now = signal<T | undefined>(undefined);
    const promise = request();
    promise.then(
      found => (now.value = found),
      (error: unknown) => {
        this.values.delete(key);
        this.onFailure(error);
      },
    );
    if (this.values.size >= MAX_FACTS) this.values.clear();
    const requested = { now, promise };
    this.values.set(key, requested);
    return requested;
  }

  clear(): void {
    this.values.clear();
  }
}
