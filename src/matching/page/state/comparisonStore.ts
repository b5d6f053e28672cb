import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type { ObjectFacts } from '../../../masks/masksSummary';
import type { CompareTextKey } from '../../../pages/compareTexts';
import type { PageText } from '../../../pages/page/pageText';
import { type PackedJson, unpackJson } from '../../../protocol/packed';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type {
  ClassMode,
  ClassPair,
  ComparedImageScores,
  ComparedSide,
  ComparisonScores,
  CurvePoint,
} from '../../comparison';
import type {
  ObjectOfSide,
  ComparisonPageSide,
  ComparisonPanelSide,
  ComparisonStart,
  ComparisonState,
  ShownComparedImage,
  ShownPairs,
  ShownSide,
} from '../../comparisonPage';
import { ImageBeneath } from './imageBeneath';
import {
  type ListedOutcome,
  listedOutcomes,
  objectsBecame,
  type OutcomesOfImage,
  outcomeWords,
} from './outcomes';

export type CompareText = PageText<CompareTextKey>;
/** What a view is a function of. */
export interface ComparisonProps {
  store: ComparisonStore;
  text: CompareText;
}

export type AskedComparison = RpcEndpoint<ComparisonPageSide, ComparisonPanelSide>;

/** An object of the image in view. */
export interface ComparedRef {
  side: ComparedSide;
  object: number;
}

/** What of the page outlives a tab switch and a reload. */
export interface ComparisonViewState {
  threshold: number;
  /** Positions on A of the image in view. */
  image: number;
  list: ListedOutcome;
  hidden: ComparedSide[];
  isColored: boolean;
  isImageShown: boolean;
  sort: ComparedOrder;
}

/** The order of the list of images, by what comes first. */
export type ComparedOrder = 'order' | 'worst' | 'onlyA' | 'onlyB' | 'parted';

/** What the store changes besides itself. */
interface StoreParts {
  start: ComparisonStart;
  text: CompareText;
  panel: Pick<AskedComparison, 'request' | 'send'>;
  saved: Partial<ComparisonViewState>;
  save: (changes: Partial<ComparisonViewState>) => void;
}

/** Facts of objects that stay in memory. */
const MAX_FACTS = 2000;

/** All that the page of a comparison knows, and what can be done on it. */
export class ComparisonStore {
  readonly title: string;
  readonly sides: { a: ShownSide; b: ShownSide };
  readonly beneath: ImageBeneath;
  private readonly current = signal<ComparisonState>({
    unpairedA: [],
    unpairedB: [],
    skipped: [],
    classes: 'all',
    classPairs: [],
    region: null,
    byHand: [],
    canUndo: false,
  });
  private readonly at: ReturnType<typeof signal<number>>;
  private readonly points = signal<CurvePoint[]>([]);
  private readonly latest = signal<ComparisonScores | undefined>(undefined);
  /** Of the image in view: its position on A. */
  private readonly imageOfA = signal(-1);
  private readonly became = signal<OutcomesOfImage | undefined>(undefined);
  private readonly listed = signal<ListedOutcome>('onlyA');
  private readonly letThrough = signal<ShownPairs | null>(null);
  /** Of the image in view: for each object 1 if its row matches the filters of the table of pairs; undefined without filters. */
  private readonly matching = signal<Record<ComparedSide, Uint8Array<ArrayBuffer>> | undefined>(undefined);
  private readonly selection = signal<ComparedRef | undefined>(undefined);
  private readonly pointed = signal<ObjectOfSide | null>(null);
  private readonly known = new RequestedValues<ObjectFacts>(error => this.failed(error, 'loadFailed'));
  private readonly knownIous = new RequestedValues<number>(error => this.failed(error, 'loadFailed'));
  private readonly visible = { a: signal(true), b: signal(true) };
  private readonly colors = signal(true);
  private readonly order = signal<ComparedOrder>('order');
  private readonly tool = signal(false);
  private readonly words = signal('');
  private readonly problem = signal<string | undefined>(undefined);
  private readonly working = signal(false);
  private readonly share = signal<number | undefined>(undefined);
  /** Whether images were compared since the curve and scores were loaded. */
  private isOutdated = true;
  private loading = new AbortController();
  private filtering = new AbortController();
  /** The image in which the object was of which it was said last what became of it. */
  private toldImage = -1;
  /** How often something was selected. */
  private selections = 0;
  private changing = new AbortController();

  constructor(private readonly parts: StoreParts) {
    const { start, saved } = parts;
    this.title = start.title;
    this.sides = unpackJson(start.sides);
    this.current.value = unpackJson(start.state);
    this.at = signal<number>(saved.threshold ?? start.threshold);
    this.letThrough.value = start.filtered;
    this.listed.value = saved.list ?? 'onlyA';
    for (const side of saved.hidden ?? []) this.visible[side].value = false;
    this.colors.value = saved.isColored ?? true;
    this.order.value = saved.sort ?? 'order';
    this.beneath = new ImageBeneath({
      panel: parts.panel,
      pair: this.pair,
      isShown: saved.isImageShown ?? true,
      save: isImageShown => parts.save({ isImageShown }),
      failed: error => this.failed(error, 'loadFailed'),
    });
  }

  get state(): ReadonlySignal<ComparisonState> {
    return this.current;
  }

  /** 0.5, 0.55, …, 0.95. */
  get threshold(): ReadonlySignal<number> {
    return this.at as ReadonlySignal<number>;
  }

  get curve(): ReadonlySignal<CurvePoint[]> {
    return this.points;
  }

  /** Undefined until the first has arrived. */
  get scores(): ReadonlySignal<ComparisonScores | undefined> {
    return this.latest;
  }

  get outcomes(): ReadonlySignal<OutcomesOfImage | undefined> {
    return this.became;
  }

  get list(): ReadonlySignal<ListedOutcome> {
    return this.listed;
  }

  get selected(): ReadonlySignal<ComparedRef | undefined> {
    return this.selection;
  }

  /** How many rows the filters of the table of pairs let through; null without filters. */
  get filtered(): ReadonlySignal<ShownPairs | null> {
    return this.letThrough;
  }

  /** Which objects of the image in view are in these rows, 1 or 0 for each; undefined where all are shown. */
  get shownObjects(): ReadonlySignal<Record<ComparedSide, Uint8Array<ArrayBuffer>> | undefined> {
    return this.matching;
  }

  get isColored(): ReadonlySignal<boolean> {
    return this.colors;
  }

  get sort(): ReadonlySignal<ComparedOrder> {
    return this.order;
  }

  /** Whether a drag draws the region to judge. */
  get draws(): ReadonlySignal<boolean> {
    return this.tool;
  }

  /** What screen readers say. */
  get said(): ReadonlySignal<string> {
    return this.words;
  }

  get failure(): ReadonlySignal<string | undefined> {
    return this.problem;
  }

  get isComparing(): ReadonlySignal<boolean> {
    return this.working;
  }

  /** How much has been compared again, 0…1; undefined where that isn't known. */
  get comparedShare(): ReadonlySignal<number | undefined> {
    return this.share;
  }

  isShown(side: ComparedSide): ReadonlySignal<boolean> {
    return this.visible[side];
  }

  /** Whether A is ground truth; between two jobs some scores have other names. */
  get hasTruth(): boolean {
    return this.sides.a.isTruth;
  }

  /** The compared image in view: its position in ComparisonScores.images. */
  readonly position = computed(() => {
    const images = this.latest.value?.images ?? [];
    const found = images.findIndex(({ a }) => a === this.imageOfA.value);
    return found < 0 ? (images.length > 0 ? 0 : -1) : found;
  });

  /** The pair of images in view; undefined where none could be compared. */
  readonly pair = computed(() => this.latest.value?.images[this.position.value]);

  /** Which images are in view, whatever is known of them: the same text for the same ones. */
  readonly imagesInView = computed(() => {
    const pair = this.pair.value;
    return pair ? `${pair.a} ${pair.b}` : '';
  });

  /** Positions of the compared images in the order of the list. */
  readonly imageOrder = computed(() => {
    const images = this.latest.value?.images ?? [];
    const positions = images.map((_, at) => at);
    const order = this.order.value;
    if (order === 'order') return positions;
    // Images without any object have no score and come last.
    const score = (at: number) => {
      const image = images[at];
      if (!image || order === 'worst') return image?.scores.f1 ?? 2;
      if (order === 'parted') return -image.split - image.merged;
      return order === 'onlyA' ? -image.scores.fn : -image.scores.fp;
    };
    return positions.sort((one, other) => score(one) - score(other));
  });

  /**
   * The objects of each outcome in the image in view, but for those that the table of pairs filters out. Undefined until it is
   * known what became of them.
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

  /** The selected object and its partner. */
  readonly selectedPair = computed((): Partial<Record<ComparedSide, number>> => {
    const { value: ref } = this.selection;
    if (!ref) return {};
    const partner = this.partnerOf(ref);
    return ref.side === 'a'
      ? { a: ref.object, ...(partner !== undefined && { b: partner }) }
      : { b: ref.object, ...(partner !== undefined && { a: partner }) };
  });

  /** The object that is pointed at in a table, or in the masks of a side, where it is in view. */
  readonly hovered = computed((): ComparedRef | undefined => {
    const { value: found } = this.pointed;
    return found && this.pair.value?.[found.side] === found.image
      ? { side: found.side, object: found.object }
      : undefined;
  });

  image(side: ComparedSide, position: number): ShownComparedImage | undefined {
    return this.sides[side].images[position];
  }

  /** The name of a compared image, by its position. */
  nameOf(position: number): string {
    const pair = this.latest.value?.images[position];
    return pair ? (this.image('a', pair.a)?.name ?? '') : '';
  }

  /** Pixels of the image in view; of a side whose file tells none, those of the other. */
  readonly size = computed(() => {
    const pair = this.pair.value;
    const of = (side: ComparedSide) => pair && this.image(side, pair[side]);
    const found = [of('a'), of('b')].find(image => image && image.width > 0 && image.height > 0);
    return { width: found?.width ?? 1, height: found?.height ?? 1 };
  });

  /** Loads what the page begins with. */
  async begin(): Promise<void> {
    const { saved, start, panel } = this.parts;
    this.imageOfA.value = saved.image ?? -1;
    const threshold = this.threshold.peek();
    if (threshold !== start.threshold) panel.send('threshold', { threshold });
    await this.load();
    this.toldImage = this.imageOfA.peek();
    if (start.selected) await this.selectedInTable(start.selected);
  }

  async setThreshold(value: number): Promise<void> {
    if (value === this.at.peek()) return;
    this.at.value = value;
    this.parts.save({ threshold: value });
    this.parts.panel.send('threshold', { threshold: value });
    await this.load();
  }

  async openImage(position: number): Promise<void> {
    const pair = this.latest.peek()?.images[position];
    // Not of what was opened last: the first image is in view before any was opened.
    if (!pair || pair.a === this.pair.peek()?.a) return;
    batch(() => {
      this.imageOfA.value = pair.a;
      this.became.value = undefined;
      this.matching.value = undefined;
      this.selection.value = undefined;
      this.problem.value = undefined;
    });
    this.selections++;
    this.forgetObjects();
    this.parts.save({ image: pair.a });
    this.say(this.nameOf(position));
    await this.load();
  }

  /** The image so many further in the list. */
  async go(step: number): Promise<void> {
    const order = this.imageOrder.peek();
    const next = order[order.indexOf(this.position.peek()) + step];
    if (next !== undefined) await this.openImage(next);
  }

  sortImages(sort: ComparedOrder): void {
    this.order.value = sort;
    this.parts.save({ sort });
  }

  showList(list: ListedOutcome): void {
    this.listed.value = list;
    this.parts.save({ list });
    const { text } = this.parts;
    const objects = this.lists.peek()?.[list];
    this.say(objects ? text.get('countOfList', text.get(list), objects.length) : text.get(list));
  }

  /**
   * Selects the object so many further in the list in view. After the last of an image comes the first of the next image that has
   * any, and after the last image the first one.
   */
  async nextObject(step: 1 | -1): Promise<void> {
    // The objects of the image that is opened aren't known yet.
    const lists = this.lists.peek();
    if (!lists) return;
    const list = this.listed.peek();
    const objects = lists[list];
    const { [objects[0]?.side ?? 'a']: selected } = this.selectedPair.peek();
    const at = objects.findIndex(({ object }) => object === selected);
    const next = objects[at < 0 && step < 0 ? objects.length - 1 : at + step];
    if (next) return this.select(next);
    await this.openImage(this.nextImageWith(list, step));
    this.select(this.lists.peek()?.[list].at(step > 0 ? 0 : -1) ?? this.selection.peek());
  }

  /** Selects an object with its partner. The table of pairs follows, unless it is there that it was selected. */
  select(ref: ComparedRef | undefined, byTable = false): void {
    this.selections++;
    this.selection.value = ref;
    const pair = this.pair.peek();
    // A failure is told where what is known of the object is shown, too.
    if (ref) this.tellOutcome(ref).catch(() => undefined);
    if (ref && pair) {
      const images = { a: pair.a, b: pair.b };
      this.parts.panel.send('select', { images, ...this.selectedPair.peek(), byTable });
    } else if (!byTable) this.parts.panel.send('select', null);
  }

  /** A row was selected in the table of pairs: shows its image, and selects its objects there. */
  async selectedInTable(found: ObjectOfSide | null): Promise<void> {
    const request = ++this.selections;
    if (!found) return this.select(undefined, true);
    const position = this.positionOf(found);
    if (position < 0) return;
    if (position !== this.position.peek()) {
      const opening = this.openImage(position);
      const opened = this.selections;
      await opening;
      if (opened !== this.selections) return;
    } else if (request !== this.selections) return;
    this.select({ side: found.side, object: found.object }, true);
  }

  /** An object is pointed at elsewhere. */
  hover(found: ObjectOfSide | null): void {
    this.pointed.value = found;
  }

  /** The filters of the table of pairs let other rows through. */
  async filteredByTable(filtered: ShownPairs | null): Promise<void> {
    this.letThrough.value = filtered;
    await this.loadShown();
  }

  /**
   * Selects what is at a point of the image: A's objects first, then B's that aren't partners of them; a click on one that is selected
   * goes on to the next. Whatever is selected meanwhile stays.
   */
  async selectAt(x: number, y: number): Promise<void> {
    const pair = this.pair.peek();
    if (!pair) return;
    const request = ++this.selections;
    try {
      const at = async (side: ComparedSide): Promise<ComparedRef[]> => {
        if (!this.visible[side].peek()) return [];
        const { objects } = await this.parts.panel.request('comparedObjectsAt', {
          side,
          image: pair[side],
          x,
          y,
        });
        const shown = this.matching.peek()?.[side];
        return objects.filter(object => !shown || shown[object] === 1).map(object => ({ side, object }));
      };
      const [ofA, ofB] = [await at('a'), await at('b')];
      if (request !== this.selections) return;
      const partners = new Set(ofA.map(ref => this.partnerOf(ref)));
      const found = [...ofA, ...ofB.filter(({ object }) => !partners.has(object))];
      const now = this.selection.peek();
      const before = found.findIndex(ref => ref.side === now?.side && ref.object === now.object);
      this.select(found[(before + 1) % Math.max(1, found.length)]);
    } catch (error) {
      this.failed(error, 'loadFailed');
    }
  }

  toggleSide(side: ComparedSide): void {
    this.visible[side].value = !this.visible[side].peek();
    this.parts.save({ hidden: (['a', 'b'] as const).filter(each => !this.visible[each].peek()) });
  }

  toggleColors(): void {
    this.colors.value = !this.colors.peek();
    this.parts.save({ isColored: this.colors.peek() });
  }

  /** A drag draws the region to judge, or moves the image. */
  toggleTool(on = !this.tool.peek()): void {
    this.tool.value = on;
  }

  /** Leaves the tool, else clears the selection. */
  escape(): void {
    if (this.tool.peek()) this.toggleTool(false);
    else this.select(undefined);
  }

  /** What is known of an object of the image in view; requested when it is first wanted. */
  facts(side: ComparedSide, object: number): ReadonlySignal<ObjectFacts | undefined> {
    return this.knownFacts(side, object).value;
  }

  /** IoU of an object of A and one of B in the image in view; requested when it is first wanted. */
  iou(a: number, b: number): ReadonlySignal<number | undefined> {
    return this.knownIou(a, b).value;
  }

  /** The object of the other side that one is matched with. */
  partnerOf({ side, object }: ComparedRef): number | undefined {
    const partner = this.became.value?.[side].partners[object];
    return partner === undefined || partner < 0 ? undefined : partner;
  }

  async setClasses(classes: ClassMode): Promise<void> {
    await this.compareAgain({ classes });
  }

  /** Matches a class of A with one of B, or with none. */
  async mapClass(a: string, b: string | undefined): Promise<void> {
    const others = this.current.peek().classPairs.filter(pair => pair.a !== a && pair.b !== b);
    await this.compareAgain({ classPairs: b === undefined ? others : [...others, { a, b }] });
  }

  /** Judges only what is inside of a polygon, in every image; null for all. */
  async judge(region: number[] | null): Promise<void> {
    this.tool.value = false;
    await this.compareAgain({ region });
  }

  /** Pairs two images by their positions on their sides. */
  async pairImages(a: number, b: number): Promise<void> {
    await this.change(() => this.parts.panel.request('pairImages', { a, b }, this.changing.signal));
  }

  /**
   * Makes areas of label images with one label objects each, or one again. The panel loads the page anew then: what is selected
   * would be another object.
   */
  async separateAreas(separates: boolean): Promise<void> {
    if (this.working.peek()) return;
    this.working.value = true;
    this.share.value = undefined;
    this.changing = new AbortController();
    try {
      await this.parts.panel.request('separateAreas', { separates }, this.changing.signal);
    } catch (error) {
      this.failed(error, 'compareFailed');
    } finally {
      this.working.value = false;
    }
  }

  async undoPairing(): Promise<void> {
    if (!this.current.peek().canUndo) return;
    await this.change(() => this.parts.panel.request('undoPairing', {}, this.changing.signal));
  }

  /** So much has been compared again. */
  progressed({ done, total }: { done: number; total: number }): void {
    this.share.value = total > 0 ? done / total : undefined;
  }

  /** Ends comparing again; what was compared before stays. */
  cancel(): void {
    this.changing.abort();
  }

  /** Opens the pairs as a table. */
  async openPairs(): Promise<void> {
    try {
      await this.parts.panel.request('openPairs', {});
    } catch (error) {
      this.failed(error, 'loadFailed');
    }
  }

  async saveAll(): Promise<void> {
    await this.saving(() => this.parts.panel.request('saveAll', { threshold: this.threshold.peek() }));
  }

  /** Saves a drawing that is made when it is wanted. */
  async saveDrawing(name: string, type: 'png' | 'svg', make: () => Promise<ArrayBuffer>): Promise<void> {
    await this.saving(async () => {
      const data = await make();
      return await this.parts.panel.request('saveDrawing', { name: `${name}.${type}`, type, data });
    });
  }

  failed(error: unknown, text: 'loadFailed' | 'compareFailed' | 'saveFailed' | 'imageDamaged'): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.parts.panel.send('failure', { message: reason });
    const words = this.parts.text;
    this.problem.value = text === 'imageDamaged' ? words.get('imageDamaged') : words.get(text, reason);
  }

  private async saving(save: () => Promise<{ saved: string | null }>): Promise<void> {
    try {
      const { saved } = await save();
      if (saved !== null) this.say(this.parts.text.get('saved', saved));
    } catch (error) {
      this.failed(error, 'saveFailed');
    }
  }

  private async compareAgain(
    changes: Partial<{ classes: ClassMode; classPairs: ClassPair[]; region: number[] | null }>,
  ): Promise<void> {
    const { classes, classPairs, region } = this.current.peek();
    await this.change(() =>
      this.parts.panel.request(
        'compareAgain',
        { classes, classPairs, region, ...changes },
        this.changing.signal,
      ),
    );
  }

  /** Changes how is compared, and loads what became of it. One change after the other. */
  private async change(request: () => Promise<PackedJson<ComparisonState>>): Promise<void> {
    if (this.working.peek()) return;
    this.working.value = true;
    this.share.value = undefined;
    this.changing = new AbortController();
    try {
      const state = unpackJson(await request());
      this.isOutdated = true;
      batch(() => {
        this.current.value = state;
        this.became.value = undefined;
        this.problem.value = undefined;
      });
      await this.load();
    } catch (error) {
      this.failed(error, 'compareFailed');
    } finally {
      this.working.value = false;
    }
  }

  /** Loads what isn't known of what is in view. A later call ends an earlier one, and loads that too. */
  private async load(): Promise<void> {
    this.loading.abort();
    const { signal: ended } = (this.loading = new AbortController());
    const { panel } = this.parts;
    const threshold = this.threshold.peek();
    const { isOutdated } = this;
    try {
      // Its points stay as they were where only the threshold changes.
      const points = isOutdated
        ? (await panel.request('comparisonCurve', {}, ended)).points
        : this.points.peek();
      const known = this.latest.peek();
      const latest =
        isOutdated || known?.threshold !== threshold
          ? await panel.request('comparisonScores', { threshold }, ended)
          : known;
      if (ended.aborted) return;
      // Another image of B may be in view.
      if (isOutdated) this.forgetObjects();
      this.isOutdated = false;
      const images = this.imagesInView.peek();
      batch(() => {
        this.points.value = points;
        this.latest.value = latest;
        // What has the same number in the image that is shown instead, as where a pair is undone, is another object.
        if (this.selection.peek() && images !== this.imagesInView.peek()) this.select(undefined);
      });
      const image = this.position.peek();
      const outcomes = image < 0 ? undefined : await this.outcomesOf(image, threshold, ended);
      if (ended.aborted) return;
      this.became.value = outcomes;
      void this.loadShown();
      const ref = this.selection.peek();
      if (ref && ref.object >= (outcomes?.[ref.side].flags.length ?? 0)) this.select(undefined);
    } catch (error) {
      if (!ended.aborted) this.failed(error, 'loadFailed');
    }
  }

  /** The next image in the order of the list that has objects of an outcome: its position in ComparisonScores.images. */
  private nextImageWith(list: ListedOutcome, step: 1 | -1): number {
    const order = this.imageOrder.peek();
    const now = this.position.peek();
    // How many of an image's objects the table of pairs shows is known only of the one in view.
    if (this.letThrough.peek()) return now;
    const from = order.indexOf(now);
    for (let n = 1; n < order.length; n++) {
      const position = order[(from + n * step + order.length) % order.length] ?? now;
      const image = this.latest.peek()?.images[position];
      if (image && countOf(image, list) > 0) return position;
    }
    return now;
  }

  /** Loads which objects in view the table of pairs shows. A later call ends an earlier one. */
  private async loadShown(): Promise<void> {
    this.filtering.abort();
    const { signal: ended } = (this.filtering = new AbortController());
    const pair = this.pair.peek();
    if (!pair || !this.letThrough.peek()) {
      this.matching.value = undefined;
      return;
    }
    try {
      const { a, b } = await this.parts.panel.request('shownObjects', { a: pair.a, b: pair.b }, ended);
      if (ended.aborted) return;
      this.matching.value = a && b ? { a: new Uint8Array(a), b: new Uint8Array(b) } : undefined;
    } catch (error) {
      if (!ended.aborted) this.failed(error, 'loadFailed');
    }
  }

  /** Says what became of an object, once it is known, unless another one is selected by then. */
  private async tellOutcome(ref: ComparedRef): Promise<void> {
    const { selections } = this;
    const { text } = this.parts;
    const { a, b } = this.selectedPair.peek();
    const idOf = async (side: ComparedSide, object: number) => String((await this.factsOf(side, object)).id);
    const isPair = a !== undefined && b !== undefined;
    const name = isPair
      ? text.get('objectPair', await idOf('a', a), await idOf('b', b))
      : text.get(ref.side === 'a' ? 'objectOfA' : 'objectOfB', await idOf(ref.side, ref.object));
    const iou = isPair ? [text.get('iouOf', text.fixed(await this.iouOf(a, b), 3))] : [];
    const flags = this.became.peek()?.[ref.side].flags[ref.object];
    if (selections !== this.selections || flags === undefined) return;
    const image = this.imageOfA.peek();
    const inImage = image === this.toldImage ? [] : [this.nameOf(this.position.peek())];
    this.toldImage = image;
    this.say([...inImage, name, outcomeWords(text, ref.side, flags), ...iou].join(', '));
  }

  private async factsOf(side: ComparedSide, object: number): Promise<ObjectFacts> {
    return this.knownFacts(side, object).promise;
  }

  private async iouOf(a: number, b: number): Promise<number> {
    return this.knownIou(a, b).promise;
  }

  private knownFacts(side: ComparedSide, object: number): RequestedValue<ObjectFacts> {
    const image = this.pair.peek()?.[side] ?? -1;
    return this.known.get(`${side} ${image} ${object}`, () =>
      this.parts.panel.request('comparedFacts', { side, image, object }),
    );
  }

  private knownIou(a: number, b: number): RequestedValue<number> {
    const image = this.position.peek();
    return this.knownIous.get(
      `${image} ${a} ${b}`,
      async () => (await this.parts.panel.request('comparedIou', { image, a, b })).iou,
    );
  }

  /** The compared image that an object is in: its position in ComparisonScores.images; −1 if it wasn't compared. */
  private positionOf({ side, image }: ObjectOfSide): number {
    return (this.latest.peek()?.images ?? []).findIndex(({ [side]: at }) => at === image);
  }

  private forgetObjects(): void {
    this.known.clear();
    this.knownIous.clear();
  }

  private async outcomesOf(image: number, threshold: number, ended: AbortSignal): Promise<OutcomesOfImage> {
    const of = async (side: ComparedSide) => {
      const flags: number[] = [];
      const partners: number[] = [];
      for (let from = 0, isLast = false; !isLast; from = flags.length) {
        const part = await this.parts.panel.request(
          'comparedObjects',
          { side, image, threshold, from },
          ended,
        );
        for (const flag of new Uint8Array(part.outcomes)) flags.push(flag);
        for (const partner of new Int32Array(part.partners)) partners.push(partner);
        isLast = part.isLast;
      }
      return { flags: Uint8Array.from(flags), partners: Int32Array.from(partners) };
    };
    return { a: await of('a'), b: await of('b') };
  }

  /** The same words twice are said twice. */
  private say(words: string): void {
    this.words.value = this.words.peek() === words ? `${words}\u00a0` : words;
  }
}

/** How many objects of an image became what a list has. */
function countOf({ scores, split, merged }: ComparedImageScores, list: ListedOutcome): number {
  return { matched: scores.tp, onlyA: scores.fn, onlyB: scores.fp, split, merged }[list];
}

interface RequestedValue<T> {
  value: ReadonlySignal<T | undefined>;
  promise: Promise<T>;
}

/** Values by key, each requested when it is first wanted, and again after a failure. */
class RequestedValues<T> {
  private readonly values = new Map<string, RequestedValue<T>>();

  constructor(private readonly onFailure: (error: unknown) => void) {}

  get(key: string, request: () => Promise<T>): RequestedValue<T> {
    const known = this.values.get(key);
    if (known) return known;
    const value = signal<T | undefined>(undefined);
    const promise = request();
    promise.then(
      found => (value.value = found),
      (error: unknown) => {
        this.values.delete(key);
        this.onFailure(error);
      },
    );
    if (this.values.size >= MAX_FACTS) this.values.clear();
    const requested = { value, promise };
    this.values.set(key, requested);
    return requested;
  }

  clear(): void {
    this.values.clear();
  }
}

/** The name to propose for a drawing of the view. */
export function viewName(store: ComparisonStore): string {
  const name = store.nameOf(store.position.peek()).split('/').at(-1) ?? '';
  return `${name.replace(/\.\w{1,5}$/, '') || store.title} comparison`;
}

/** A ratio in words; "–" where it is missing. */
export function shareWords(ratio: number | null | undefined, text: CompareText): string {
  return ratio === null || ratio === undefined ? '–' : text.fixed(ratio, 3);
}
