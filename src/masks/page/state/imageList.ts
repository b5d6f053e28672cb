import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { MaskImage } from '../../../archives/masksSummary';
import type { ImageModel } from './imageModel';
import { imageOrder, type ImageSort } from './listedImages';
import type { MasksViewState } from './masksViewState';

interface ImageListOptions {
  images: readonly MaskImage[];
  image: ImageModel;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  /** Shows the image at a position in the archive. */
  show: (position: number) => void;
}

/** How the list is sorted, and the text that the paths of its images contain. */
interface ListOrder {
  sort: ImageSort;
  filter: string;
}

/** The sorted and filtered list of the archive's images, and navigation in it. */
export class ImageList {
  /** Row of the current image in the list, from 0; −1 if filtered out. */
  readonly row: ReadonlySignal<number>;
  /** Whether there is an image before and after it. */
  readonly hasPrevious: ReadonlySignal<boolean>;
  readonly hasNext: ReadonlySignal<boolean>;
  private readonly listOrder: Signal<ListOrder>;
  private readonly listed = signal<readonly number[]>([]);
  private readonly open = signal(false);
  private readonly updates = signal(0);

  constructor(private readonly options: ImageListOptions) {
    const { image, port } = options;
    this.listOrder = signal({ sort: port.view.imageSort ?? 'name', filter: port.view.imageFilter ?? '' });
    this.listed.value = this.inOrder();
    this.row = computed(() => this.listed.value.indexOf(image.position.value));
    this.hasPrevious = computed(() => this.neighbor(-1) !== undefined);
    this.hasNext = computed(() => this.neighbor(1) !== undefined);
  }

  /** Positions of the listed images. */
  get order(): ReadonlySignal<readonly number[]> {
    return this.listed;
  }

  /** Whether the list is open over the image, in a panel too narrow to show both. */
  get isOpen(): ReadonlySignal<boolean> {
    return this.open;
  }

  /** Changes with any update of images or their names. */
  get revision(): ReadonlySignal<number> {
    return this.updates;
  }

  get arrangement(): ReadonlySignal<ListOrder> {
    return this.listOrder;
  }

  /** Changes the order of the list, and with it the next and previous image. */
  arrange(order: Partial<ListOrder>): void {
    batch(() => {
      const { sort, filter } = (this.listOrder.value = { ...this.listOrder.peek(), ...order });
      this.options.port.updateView({ imageSort: sort, imageFilter: filter });
      this.listed.value = this.inOrder();
    });
  }

  /**
   * The images were updated. Without `sorted`, rows stay where they are while images are being
   * read.
   */
  changed({ sorted }: { sorted: boolean }): void {
    batch(() => {
      const order = sorted ? this.inOrder() : this.listed.value;
      // In the same order, the list keeps its scroll position.
      if (order.some((position, row) => position !== this.listed.value[row])) this.listed.value = order;
      this.updates.value++;
    });
  }

  /** Shows the image `step` rows below in the list, or above if negative. */
  go(step: number): void {
    const position = this.neighbor(step);
    if (position !== undefined) this.options.show(position);
  }

  /** Shows the image in a row of the list; beyond the ends of the list, the first or last. */
  goTo(row: number): void {
    const order = this.listed.value;
    const position = order[Math.min(order.length - 1, Math.max(0, row))];
    if (position !== undefined) this.options.show(position);
  }

  toggle(): void {
    this.open.value = !this.open.value;
  }

  close(): void {
    this.open.value = false;
  }

  /** The image `step` rows below the current one; from an unlisted image, the first or the last. */
  private neighbor(step: number): number | undefined {
    const order = this.listed.value;
    const row = this.row.value;
    return order[row < 0 ? (step > 0 ? 0 : order.length - 1) : row + step];
  }

  private inOrder(): number[] {
    const { sort, filter } = this.listOrder.peek();
    return imageOrder(this.options.images, sort, filter);
  }
}
