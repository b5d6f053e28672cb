import type { Disposable } from '../../base/disposable';
import { FrameQueue } from '../../pages/page/widgets/timing';
import type { PlotSize } from './plotFrame';

/** An element for a drawing, which is drawn again when the element's size or the theme changes. */
export class RedrawnElement implements Disposable {
  private readonly drawing: FrameQueue;
  private readonly sizes: ResizeObserver;
  private readonly theme: MutationObserver;

  constructor(
    private readonly container: HTMLElement,
    private readonly minSize: PlotSize,
    draw: () => void,
  ) {
    this.drawing = new FrameQueue(draw);
    const drawAgain = () => this.drawing.schedule();
    this.sizes = new ResizeObserver(drawAgain);
    this.theme = new MutationObserver(drawAgain);
    this.sizes.observe(container);
    this.theme.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  }

  /** In pixels. */
  get size(): PlotSize {
    const { clientWidth, clientHeight } = this.container;
    return {
      width: Math.max(this.minSize.width, clientWidth),
      height: Math.max(this.minSize.height, clientHeight),
    };
  }

  dispose(): void {
    this.sizes.disconnect();
    this.theme.disconnect();
  }
}
