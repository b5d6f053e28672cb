import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PagePort } from '../../../pages/page/pagePort';
import type { View } from '../tiles/viewTransform';
import type { MasksViewState } from './masksViewState';

/** What dragging on the image does. */
export type DragTool = 'move' | 'rectangle' | 'lasso';

/** What is on the screen beside the masks themselves: the view of the image, the tool in use, the inspector. */
export class LayoutModel {
  private readonly open: Signal<boolean>;
  private readonly inUse = signal<DragTool>('move');
  private readonly painted = signal(true);
  private readonly zoom = signal<number | undefined>(undefined);

  constructor(private readonly port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>) {
    this.open = signal(port.view.details ?? true);
  }

  /** Whether the inspector is shown. */
  get details(): ReadonlySignal<boolean> {
    return this.open;
  }

  get tool(): ReadonlySignal<DragTool> {
    return this.inUse;
  }

  /** Whether there is an image on the screen: not where it can't be read. */
  get hasImage(): ReadonlySignal<boolean> {
    return this.painted;
  }

  /** Pixels of the screen per pixel of the image; undefined where there is none. */
  get scale(): ReadonlySignal<number | undefined> {
    return this.zoom;
  }

  toggleDetails(): void {
    this.open.value = !this.open.value;
    this.port.updateView({ details: this.open.value });
  }

  /** There is nothing to show in the inspector; whether it shows stays saved as it was. */
  hideDetails(): void {
    this.open.value = false;
  }

  use(tool: DragTool): void {
    this.inUse.value = tool;
  }

  /** Puts a tool in use, or away where it is in use. */
  toggleTool(tool: DragTool): void {
    this.use(this.inUse.value === tool ? 'move' : tool);
  }

  /** The image comes to the screen. */
  imageCame(): void {
    this.painted.value = true;
  }

  /** A message takes the place of the image. */
  imageWent(): void {
    this.painted.value = false;
    this.zoom.value = undefined;
  }

  /** The view of the image was changed; `fitted`: to all of it. */
  viewed(view: View, fitted: boolean, pixelRatio: number): void {
    this.zoom.value = view.scale * pixelRatio;
    this.port.updateView({ view: fitted ? null : view });
  }
}
