import { t } from '../../../pages/page/l10n';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ComparedSide } from '../../comparison';
import type { ComparisonPanelPort, ObjectOfSide } from '../../comparisonPage';
import type { ImagesModel } from './imagesModel';
import type { LookModel } from './lookModel';
import type { ComparisonMessages } from './comparisonMessages';
import type { ComparedRef, ObjectsModel } from './objectsModel';
import { outcomeWords } from './outcomes';

interface ComparedSelectionOptions {
  panel: ComparisonPanelPort;
  messages: ComparisonMessages;
  images: ImagesModel;
  objects: ObjectsModel;
  look: LookModel;
}

/** The selected object with its partner, and the object hovered in another view. */
export class ComparedSelection {
  private readonly selected = signal<ComparedRef | undefined>(undefined);
  private readonly hoveredElsewhere = signal<ObjectOfSide | null>(null);
  /** Position of the image that was last announced. */
  private announcedImage = -1;
  /** Counts selections. */
  private selectionCount = 0;

  constructor(private readonly options: ComparedSelectionOptions) {}

  get object(): ReadonlySignal<ComparedRef | undefined> {
    return this.selected;
  }

  /** The selected object and its partner. */
  readonly pair = computed((): Partial<Record<ComparedSide, number>> => {
    const { value: ref } = this.selected;
    if (!ref) return {};
    const partner = this.options.objects.partnerOf(ref);
    return ref.side === 'a'
      ? { a: ref.object, ...(partner !== undefined && { b: partner }) }
      : { b: ref.object, ...(partner !== undefined && { a: partner }) };
  });

  /** The object hovered in a table, or in the masks of a side, if its image is in view. */
  readonly hovered = computed((): ComparedRef | undefined => {
    const { value: object } = this.hoveredElsewhere;
    return object && this.options.images.pair.value?.[object.side] === object.image
      ? { side: object.side, object: object.object }
      : undefined;
  });

  /**
   * Starts a selection that takes a while. The returned function says whether it is still the
   * latest.
   */
  begin(): () => boolean {
    const request = ++this.selectionCount;
    return () => request === this.selectionCount;
  }

  /** Selects an object with its partner. The pairs table follows, unless it made the selection. */
  select(ref: ComparedRef | undefined, byTable = false): void {
    const { panel, images } = this.options;
    const isLatest = this.begin();
    this.selected.value = ref;
    const pair = images.pair.peek();
    // A failure is ignored here: the request for the object's facts reports it.
    if (ref) this.announceOutcome(ref, isLatest).catch(() => undefined);
    if (ref && pair) panel.send('select', { images: { a: pair.a, b: pair.b }, ...this.pair.peek(), byTable });
    else if (!byTable) panel.send('select', null);
  }

  /**
   * Selects an object at a point of the image: first objects of A, then those of B that aren't
   * their partners. Clicks at a point go from one to the next. A later selection wins.
   */
  async selectAt(x: number, y: number): Promise<void> {
    const { panel, images, objects, look, messages } = this.options;
    const pair = images.pair.peek();
    if (!pair) return;
    const isLatest = this.begin();
    const objectsOf = async (side: ComparedSide): Promise<ComparedRef[]> => {
      if (!look.isShown(side).peek()) return [];
      const response = await panel.request('comparedObjectsAt', { side, image: pair[side], x, y });
      const shown = objects.shown.peek()?.[side];
      return response.objects
        .filter(object => !shown || shown[object] === 1)
        .map(object => ({ side, object }));
    };
    try {
      const [objectsOfA, objectsOfB] = [await objectsOf('a'), await objectsOf('b')];
      if (!isLatest()) return;
      const partners = new Set(objectsOfA.map(ref => objects.partnerOf(ref)));
      const candidates = [...objectsOfA, ...objectsOfB.filter(({ object }) => !partners.has(object))];
      const current = this.selected.peek();
      const currentIndex = candidates.findIndex(
        ref => ref.side === current?.side && ref.object === current.object,
      );
      this.select(candidates[(currentIndex + 1) % Math.max(1, candidates.length)]);
    } catch (error) {
      messages.failed(error);
    }
  }

  /** Shows an object that is hovered in another view. */
  hover(object: ObjectOfSide | null): void {
    this.hoveredElsewhere.value = object;
  }

  /** Clears the selection, as another image comes into view. */
  forget(): void {
    this.begin();
    this.selected.value = undefined;
  }

  /** Doesn't announce the first image of the page. */
  skipFirstImage(): void {
    this.announcedImage = this.options.images.opened.peek();
  }

  /** Announces the outcome of an object, unless another one is selected in the meantime. */
  private async announceOutcome(ref: ComparedRef, isLatest: () => boolean): Promise<void> {
    const { images, objects, messages } = this.options;
    const { a, b } = this.pair.peek();
    const idOf = async (side: ComparedSide, object: number) =>
      String((await objects.facts(side, object).promise).id);
    const isPair = a !== undefined && b !== undefined;
    const name = isPair
      ? t('A {0} – B {1}', await idOf('a', a), await idOf('b', b))
      : ref.side === 'a'
        ? t('A {0}', await idOf(ref.side, ref.object))
        : t('B {0}', await idOf(ref.side, ref.object));
    const iou = isPair ? [t('IoU {0}', t.fixed(await objects.iou(a, b).promise, 3))] : [];
    const flags = objects.flagsOf(ref);
    if (!isLatest() || flags === undefined) return;
    const image = images.opened.peek();
    const inImage = image === this.announcedImage ? [] : [images.nameOf(images.position.peek())];
    this.announcedImage = image;
    messages.say([...inImage, name, outcomeWords(ref.side, flags), ...iou].join(', '));
  }
}
