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

/** The selected object with its partner, and the object hovered elsewhere. */
export class ComparedSelection {
  private readonly selected = signal<ComparedRef | undefined>(undefined);
  private readonly pointed = signal<ObjectOfSide | null>(null);
  /** The open image at the last announcement of an outcome. */
  private namedImage = -1;
  /** Number of selections so far. */
  private begun = 0;

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

  /** The object that is pointed at in a table, or in the masks of a side, where it is in view. */
  readonly hovered = computed((): ComparedRef | undefined => {
    const { value: found } = this.pointed;
    return found && this.options.images.pair.value?.[found.side] === found.image
      ? { side: found.side, object: found.object }
      : undefined;
  });

  /** A selection that takes a while begins. Returns whether it is still the latest. */
  begin(): () => boolean {
    const request = ++this.begun;
    return () => request === this.begun;
  }

  /**
   * Selects an object with its partner. The table of pairs follows, unless it made the selection.
   */
  select(ref: ComparedRef | undefined, byTable = false): void {
    const { panel, images } = this.options;
    const isLatest = this.begin();
    this.selected.value = ref;
    const pair = images.pair.peek();
    // A failure is reported where the object's facts are shown, too.
    if (ref) this.tellOutcome(ref, isLatest).catch(() => undefined);
    if (ref && pair) panel.send('select', { images: { a: pair.a, b: pair.b }, ...this.pair.peek(), byTable });
    else if (!byTable) panel.send('select', null);
  }

  /**
   * Selects an object at a point of the image: A's first, then B's that aren't their partners; a
   * click on a selected one goes to the next. A selection made meanwhile stays.
   */
  async selectAt(x: number, y: number): Promise<void> {
    const { panel, images, objects, look, messages } = this.options;
    const pair = images.pair.peek();
    if (!pair) return;
    const isLatest = this.begin();
    const at = async (side: ComparedSide): Promise<ComparedRef[]> => {
      if (!look.isShown(side).peek()) return [];
      const found = await panel.request('comparedObjectsAt', { side, image: pair[side], x, y });
      const shown = objects.shown.peek()?.[side];
      return found.objects.filter(object => !shown || shown[object] === 1).map(object => ({ side, object }));
    };
    try {
      const [ofA, ofB] = [await at('a'), await at('b')];
      if (!isLatest()) return;
      const partners = new Set(ofA.map(ref => objects.partnerOf(ref)));
      const found = [...ofA, ...ofB.filter(({ object }) => !partners.has(object))];
      const now = this.selected.peek();
      const before = found.findIndex(ref => ref.side === now?.side && ref.object === now.object);
      this.select(found[(before + 1) % Math.max(1, found.length)]);
    } catch (error) {
      messages.failed(error);
    }
  }

  /** An object is pointed at elsewhere. */
  hover(found: ObjectOfSide | null): void {
    this.pointed.value = found;
  }

  /** Another image comes into view, where nothing is selected. */
  forget(): void {
    this.begin();
    this.selected.value = undefined;
  }

  /** The image that the page begins with needn't be named. */
  imageKnown(): void {
    this.namedImage = this.options.images.opened.peek();
  }

  /** Announces the outcome of an object, once known, unless another one is selected by then. */
  private async tellOutcome(ref: ComparedRef, isLatest: () => boolean): Promise<void> {
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
    const inImage = image === this.namedImage ? [] : [images.nameOf(images.position.peek())];
    this.namedImage = image;
    messages.say([...inImage, name, outcomeWords(ref.side, flags), ...iou].join(', '));
  }
}
