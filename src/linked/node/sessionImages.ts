import type { OpenedBackgroundImage } from '../../images/backgroundImageInfo';
import { Emitter, type Event } from '../../base/event';
import type { Disposable } from '../../base/disposable';
import type { BackgroundImageRequests } from '../../images/backgroundImageRequests';
import { SharedValues } from '../../base/node/sharedWork';

export interface SessionImagesOptions {
  /** Path of the image file on disk. */
  path: (signal: AbortSignal) => Promise<string>;
  request: <M extends 'openBackgroundImage' | 'closeBackgroundImage'>(
    method: M,
    params: BackgroundImageRequests[M]['params'],
    signal?: AbortSignal,
  ) => Promise<BackgroundImageRequests[M]['result']>;
}

/** The images of an image file that is shown by itself, each opened once for all panels: one for each size of its pages. */
export class SessionImages implements Disposable {
  private readonly opened = new SharedValues<number | undefined, OpenedBackgroundImage>();
  private readonly numbers = new Set<number>();
  private readonly closedEmitter = new Emitter<void>();
  private closings = 0;

  constructor(private readonly options: SessionImagesOptions) {}

  /** The images are no longer open: what was known of them is to be requested again. */
  get onDidClose(): Event<void> {
    return this.closedEmitter.event;
  }

  /** Opens the file's first image, or the one that begins at a page, from 0. Throws what opening a background image throws. */
  open(page: number | undefined, signal: AbortSignal): Promise<OpenedBackgroundImage> {
    return this.opened.get(page, shared => this.read(page, shared), signal);
  }

  /**
   * Closes the images. What opens from now on is read from the file as it is then, also if one could not be closed;
   * throws what closing it throws.
   */
  async close(): Promise<void> {
    this.closings++;
    const numbers = [...this.numbers];
    this.numbers.clear();
    this.opened.clear();
    const closing = numbers.map(backgroundImage =>
      this.options.request('closeBackgroundImage', { backgroundImage }),
    );
    await Promise.allSettled(closing);
    this.closedEmitter.fire();
    await Promise.all(closing);
  }

  /** The engine crashed and closed them. */
  engineLost(): void {
    if (this.numbers.size === 0) return;
    this.numbers.clear();
    this.opened.clear();
    this.closedEmitter.fire();
  }

  dispose(): void {
    this.closedEmitter.dispose();
  }

  private async read(page: number | undefined, signal: AbortSignal): Promise<OpenedBackgroundImage> {
    const path = await this.options.path(signal);
    // Events about progress name the page.
    const part = page === undefined ? {} : { page, image: page };
    const { closings } = this;
    const opened = await this.options.request('openBackgroundImage', { path, ...part }, signal);
    const { backgroundImage } = opened;
    if (closings === this.closings) {
      this.numbers.add(backgroundImage);
      return opened;
    }
    // All were closed meanwhile, and the file is to be read as it is now. That fails too where the engine is gone.
    await this.options.request('closeBackgroundImage', { backgroundImage }).catch(() => undefined);
    return this.open(page, signal);
  }
}
