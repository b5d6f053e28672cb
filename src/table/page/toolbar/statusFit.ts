import { FrameQueue } from '../../../pages/page/widgets/frameQueue';

/** The class of the line while its parts are measured at full width. */
const MEASURING = 'measuring';

/** Shortens a line until it fits, by adding one class after the other; each shortens or hides a part of it. */
export class StatusFit {
  private readonly queue = new FrameQueue(() => this.apply());

  constructor(
    private readonly root: HTMLElement,
    private readonly steps: readonly string[],
  ) {
    new ResizeObserver(() => this.apply()).observe(root);
  }

  /** A part of the line has changed. */
  changed(): void {
    this.queue.schedule();
  }

  private apply(): void {
    const { root, steps } = this;
    root.classList.add(MEASURING);
    root.classList.remove(...steps);
    for (const step of steps) {
      if (root.scrollWidth <= root.clientWidth) break;
      root.classList.add(step);
    }
    root.classList.remove(MEASURING);
  }
}
