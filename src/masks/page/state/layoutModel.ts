import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { View } from '../tiles/viewTransform';
import type { ImageModel } from './imageModel';
import type { InspectorSizes } from './inspectorPlace';
import type { MasksViewState } from './masksViewState';

/** The effect of a drag on the image. */
export type DragTool = 'move' | 'rectangle' | 'lasso';

/** The screen besides the masks: the view of the image, the active tool, the inspector. */
export class LayoutModel {
  /** Whether an image is on the screen: false if it can't be read, or the archive has none. */
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

  /** The user's size of the inspector. */
  get inspectorSizes(): ReadonlySignal<InspectorSizes> {
    return this.sizes;
  }

  /** Whether an overview is shown while only a part of the image is visible. */
  get minimap(): ReadonlySignal<boolean> {
    return this.overview;
  }

  get tool(): ReadonlySignal<DragTool> {
    return this.inUse;
  }

  /** Whether the first content is on the screen: listed images wait for it. */
  get isShown(): ReadonlySignal<boolean> {
    return this.begun;
  }

  toggleDetails(): void {
    this.open.value = !this.open.value;
    this.port.updateView({ details: this.open.value });
  }

  /** The inspector has no content; its saved visibility stays. */
  hideDetails(): void {
    this.open.value = false;
  }

  /**
   * Sets the width of the inspector beside the image, or its height below; undefined for the
   * default.
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
