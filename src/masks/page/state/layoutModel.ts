import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { View } from '../tiles/viewTransform';
import type { ImageModel } from './imageModel';
import type { InspectorSizes } from './inspectorPlace';
import type { MasksViewState } from './masksViewState';

/** What dragging on the image does. */
export type DragTool = 'move' | 'rectangle' | 'lasso';

/**
 * What is on the screen beside the masks themselves: the view of the image, the tool in use, the
 * inspector.
 */
export class LayoutModel {
  /**
   * Whether there is an image on the screen: not where it can't be read, or the archive has none.
   */
  readonly hasImage: ReadonlySignal<boolean>;
  /** Pixels of the screen per pixel of the image; undefined where there is none. */
  readonly scale: ReadonlySignal<number | undefined>;
  private readonly open: Signal<boolean>;
  private readonly overview: Signal<boolean>;
  private readonly sizes: Signal<InspectorSizes>;
  private readonly inUse = signal<DragTool>('move');
  private readonly zoom = signal<number | undefined>(undefined);
  private readonly begun = signal(false);

  constructor(
    private readonly image: ImageModel,
    private readonly port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>,
    imageCount: number,
  ) {
    const { details, minimap, inspectorSizes } = port.view;
    this.open = signal(details ?? true);
    this.overview = signal(minimap ?? true);
    this.sizes = signal(inspectorSizes ?? {});
    this.hasImage = computed(() => imageCount > 0 && !image.known.value?.failure);
    this.scale = computed(() => (this.hasImage.value ? this.zoom.value : undefined));
  }

  /** Whether the inspector is shown. */
  get details(): ReadonlySignal<boolean> {
    return this.open;
  }

  /** How large the user made the inspector. */
  get inspectorSizes(): ReadonlySignal<InspectorSizes> {
    return this.sizes;
  }

  /** Whether the image is shown in small too, where only a part of it is in view. */
  get minimap(): ReadonlySignal<boolean> {
    return this.overview;
  }

  get tool(): ReadonlySignal<DragTool> {
    return this.inUse;
  }

  /** Whether the first content is on the screen: what is only listed waits for it. */
  get isShown(): ReadonlySignal<boolean> {
    return this.begun;
  }

  toggleDetails(): void {
    this.open.value = !this.open.value;
    this.port.updateView({ details: this.open.value });
  }

  /** There is nothing to show in the inspector; whether it shows stays saved as it was. */
  hideDetails(): void {
    this.open.value = false;
  }

  /**
   * The inspector is as wide as that beside the image, or as high below it; the usual size where
   * undefined.
   */
  resize(side: keyof InspectorSizes, size: number | undefined): void {
    this.sizes.value = { ...this.sizes.value, [side]: size };
    this.port.updateView({ inspectorSizes: this.sizes.value });
  }

  toggleMinimap(): void {
    this.overview.value = !this.overview.value;
    this.port.updateView({ minimap: this.overview.value });
  }

  use(tool: DragTool): void {
    this.inUse.value = tool;
  }

  /** Puts a tool in use, or away where it is in use. */
  toggleTool(tool: DragTool): void {
    this.use(this.inUse.value === tool ? 'move' : tool);
  }

  /** The view of the image was changed; `fitted`: to all of it. */
  viewed(view: View, fitted: boolean, pixelRatio: number): void {
    // Keys move the canvas of an image that can't be read too.
    if (!this.image.scene.peek()) return;
    this.zoom.value = view.scale * pixelRatio;
    this.port.updateView({ view: fitted ? null : view });
  }

  /** There is something to see on the screen. */
  shown(): void {
    this.begun.value = true;
  }
}
