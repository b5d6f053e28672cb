import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparedImageScores, ComparedSide } from '../../comparison';
import type { ObjectOfSide, ShownComparedImage, ShownSide } from '../../comparisonPage';
import type { ComparedOrder, SavedView } from './comparisonViewState';
import type { ListedOutcome } from './outcomes';
import type { ScoresModel } from './scoresModel';

/** The compared images, by their positions in ComparisonScores.images, and the one in view. */
export class ImagesModel {
  private readonly by: Signal<ComparedOrder>;
  private readonly imageOfA = signal(-1);

  constructor(
    private readonly sides: Record<ComparedSide, ShownSide>,
    private readonly scores: ScoresModel,
    private readonly view: SavedView,
  ) {
    this.by = signal(view.saved.sort ?? 'order');
  }

  get sort(): ReadonlySignal<ComparedOrder> {
    return this.by;
  }

  /** The position on A of the image that was opened last; −1 before any. */
  get opened(): ReadonlySignal<number> {
    return this.imageOfA;
  }

  /** The compared image in view; −1 where none could be compared. */
  readonly position = computed(() => {
    const images = this.scores.latest.value?.images ?? [];
    const found = images.findIndex(({ a }) => a === this.imageOfA.value);
    return found < 0 ? (images.length > 0 ? 0 : -1) : found;
  });

  /** The pair of images in view; undefined where none could be compared. */
  readonly pair = computed(() => this.scores.latest.value?.images[this.position.value]);

  /**
   * Identity of the images in view: equal text for equal images, with or without facts about them.
   */
  readonly inView = computed(() => {
    const pair = this.pair.value;
    return pair ? `${pair.a} ${pair.b}` : '';
  });

  /** Positions in the order of the list. */
  readonly order = computed(() => {
    const images = this.scores.latest.value?.images ?? [];
    const positions = images.map((_, at) => at);
    const order = this.by.value;
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

  /** Pixels of the image in view; if a side's file has no size, the other side's. */
  readonly size = computed(() => {
    const pair = this.pair.value;
    const of = (side: ComparedSide) => pair && this.of(side, pair[side]);
    const found = [of('a'), of('b')].find(image => image && image.width > 0 && image.height > 0);
    return { width: found?.width ?? 1, height: found?.height ?? 1 };
  });

  /** An image of a side by its position there. */
  of(side: ComparedSide, position: number): ShownComparedImage | undefined {
    return this.sides[side].images[position];
  }

  /** The name of a compared image. */
  nameOf(position: number): string {
    const pair = this.scores.latest.value?.images[position];
    return pair ? (this.of('a', pair.a)?.name ?? '') : '';
  }

  /** The compared image that an object is in; −1 if it wasn't compared. */
  positionOf({ side, image }: ObjectOfSide): number {
    return (this.scores.latest.peek()?.images ?? []).findIndex(({ [side]: at }) => at === image);
  }

  sortBy(sort: ComparedOrder): void {
    this.by.value = sort;
    this.view.save({ sort });
  }

  /** Begins with the saved image. */
  restore(): void {
    this.imageOfA.value = this.view.saved.image ?? -1;
  }

  /** Brings the pair with this position on A into view. */
  open(image: number): void {
    this.imageOfA.value = image;
  }

  /** The image `step` places further in the list; undefined past its ends. */
  further(step: number): number | undefined {
    const order = this.order.peek();
    return order[order.indexOf(this.position.peek()) + step];
  }

  /**
   * The next image in the list that has objects of an outcome, cyclically; else the one in view.
   */
  nextWith(list: ListedOutcome, step: 1 | -1): number {
    const order = this.order.peek();
    const now = this.position.peek();
    const from = order.indexOf(now);
    for (let n = 1; n < order.length; n++) {
      const position = order[(from + n * step + order.length) % order.length] ?? now;
      const image = this.scores.latest.peek()?.images[position];
      if (image && countOf(image, list) > 0) return position;
    }
    return now;
  }
}

/** The number of an image's objects with a list's outcome. */
function countOf({ scores, split, merged }: ComparedImageScores, list: ListedOutcome): number {
  return { matched: scores.tp, onlyA: scores.fn, onlyB: scores.fp, split, merged }[list];
}
