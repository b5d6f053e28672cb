import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { View } from '../tiles/viewTransform';
import type { ImageModel } from './imageModel';
import type { InspectorSizes } from './inspectorPlace';
import type { MasksViewState } from './masksViewState';

/** What dragging on the image does. */
export type DragTool = 'move' | 'rectangle' | 'lasso';

/** The state of the screen besides the masks: the zoom, the active tool, the inspector. */
export class LayoutModel {
  /** Whether an image is on the screen: false if it can't be read, or the archive has none. */
  readonly hasImage: ReadonlySignal<boolean>;
  /** Screen pixels per image pixel; undefined without an image. */
  readonly scale: ReadonlySignal<number | undefined>;
  private readonly open: Signal<boolean>;
  private readonly overview: Signal<boolean>;
  private readonly sizes: Signal<InspectorSizes>;
  private readonly activeTool = signal<DragTool>('move');
  private readonly zoom = signal<number | undefined>(undefined);
  private readonly hasContent = signal(false);

  constructor(
    private readonly image: ImageModel,
    private readonly port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>,
    imageCount: number,
  ) {
    const { details, minimap, inspectorSizes } = port.view;
    this.open = signal(details ?? true);
    this.overview = signal(minimap ?? true);
    this.sizes = signal(inspectorSizes ?? {});
    this.hasImage = computed(() => imageCount > 0 && !image.summary.value?.failure);
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

  /** Whether an overview map is shown while only a part of the image is visible. */
  get minimap(): ReadonlySignal<boolean> {
    return this.overview;
  }

  get tool(): ReadonlySignal<DragTool> {
    return this.activeTool;
  }

  /** Whether anything is on the screen; the list of images waits for it. */
  get isShown(): ReadonlySignal<boolean> {
    return this.hasContent;
  }

  toggleDetails(): void {
    this.open.value = !this.open.value;
    this.port.updateView({ details: this.open.value });
  }

  /** Hides the inspector as it has no content; its saved visibility stays. */
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
    this.activeTool.value = tool;
  }

  /** Activates a tool, or deactivates it if active. */
  toggleTool(tool: DragTool): void {
    this.use(this.activeTool.value === tool ? 'move' : tool);
  }

  /** The view of the image changed. `fitted`: whether it shows all of the image. */
  viewed(view: View, fitted: boolean, pixelRatio: number): void {
    // Shortcuts move the empty canvas, too, of an image that can't be read.
    if (!this.image.scene.peek()) return;
    this.zoom.value = view.scale * pixelRatio;
    this.port.updateView({ view: fitted ? null : view });
  }

  /** Something is on the screen now. */
  shown(): void {
    this.hasContent.value = true;
  }
}
