import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComparedImageScores, ComparedSide } from '../../comparison';
import type { ObjectOfSide, ShownComparedImage, ShownSide } from '../../comparisonPage';
import type { ComparedOrder, SavedView } from './comparisonViewState';
import type { ListedOutcome } from './outcomes';
import type { ScoresModel } from './scoresModel';

/** The compared images, by position in ComparisonScores.images, and the image in view. */
export class ImagesModel {
  private readonly sortOrder: Signal<ComparedOrder>;
  private readonly openedOnA = signal(-1);

  constructor(
    private readonly sides: Record<ComparedSide, ShownSide>,
    private readonly scores: ScoresModel,
    private readonly view: SavedView,
  ) {
    this.sortOrder = signal(view.saved.sort ?? 'order');
  }

  get sort(): ReadonlySignal<ComparedOrder> {
    return this.sortOrder;
  }

  /** Position on A of the last opened image; −1 before any was opened. */
  get opened(): ReadonlySignal<number> {
    return this.openedOnA;
  }

  /** Position of the image in view; −1 if no image could be compared. */
  readonly position = computed(() => {
    const images = this.scores.latest.value?.images ?? [];
    const position = images.findIndex(({ a }) => a === this.openedOnA.value);
    return position < 0 ? (images.length > 0 ? 0 : -1) : position;
  });

  /** The pair of images in view; undefined if no image could be compared. */
  readonly pair = computed(() => this.scores.latest.value?.images[this.position.value]);

  /** Identifies the images in view: equal for equal images, even if their scores differ. */
  readonly inView = computed(() => {
    const pair = this.pair.value;
    return pair ? `${pair.a} ${pair.b}` : '';
  });

  /** Positions in the order of the list. */
  readonly order = computed(() => {
    const images = this.scores.latest.value?.images ?? [];
    const positions = images.map((_, position) => position);
    const order = this.sortOrder.value;
    if (order === 'order') return positions;
    // Images without objects have no score, and come last.
    const score = (position: number) => {
      const image = images[position];
      if (!image || order === 'worst') return image?.scores.f1 ?? 2;
      if (order === 'parted') return -image.split - image.merged;
      return order === 'onlyA' ? -image.scores.fn : -image.scores.fp;
    };
    return positions.sort((a, b) => score(a) - score(b));
  });

  /** Size of the image in view in pixels; if a side's file has no size, that of the other side. */
  readonly size = computed(() => {
    const pair = this.pair.value;
    const imageOfSide = (side: ComparedSide) => pair && this.imageOf(side, pair[side]);
    const withSize = [imageOfSide('a'), imageOfSide('b')].find(
      image => image && image.width > 0 && image.height > 0,
    );
    return { width: withSize?.width ?? 1, height: withSize?.height ?? 1 };
  });

  /** An image of a side by its position there. */
  imageOf(side: ComparedSide, position: number): ShownComparedImage | undefined {
    return this.sides[side].images[position];
  }

  /** The name of a compared image. */
  nameOf(position: number): string {
    const pair = this.scores.latest.value?.images[position];
    return pair ? (this.imageOf('a', pair.a)?.name ?? '') : '';
  }

  /** Position of the compared image of an object; −1 if the image wasn't compared. */
  positionOf({ side, image }: ObjectOfSide): number {
    return (this.scores.latest.peek()?.images ?? []).findIndex(({ [side]: position }) => position === image);
  }

  sortBy(sort: ComparedOrder): void {
    this.sortOrder.value = sort;
    this.view.save({ sort });
  }

  /** Opens the saved image. */
  restore(): void {
    this.openedOnA.value = this.view.saved.image ?? -1;
  }

  /** Opens the pair with this position on A. */
  open(image: number): void {
    this.openedOnA.value = image;
  }

  /** The image `step` rows below in the list, or above if negative; undefined beyond its ends. */
  neighbor(step: number): number | undefined {
    const order = this.order.peek();
    return order[order.indexOf(this.position.peek()) + step];
  }

  /** The next image in the list with objects of an outcome, cyclically; else the image in view. */
  nextWith(list: ListedOutcome, step: 1 | -1): number {
    const order = this.order.peek();
    const current = this.position.peek();
    const row = order.indexOf(current);
    for (let n = 1; n < order.length; n++) {
      const position = order[(row + n * step + order.length) % order.length] ?? current;
      const image = this.scores.latest.peek()?.images[position];
      if (image && countOf(image, list) > 0) return position;
    }
    return current;
  }
}

/** The number of an image's objects with a list's outcome. */
function countOf({ scores, split, merged }: ComparedImageScores, list: ListedOutcome): number {
  return { matched: scores.tp, onlyA: scores.fn, onlyB: scores.fp, split, merged }[list];
}
