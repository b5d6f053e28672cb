import type { Disposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { TableFiltered } from '../../masks/masksPage';
import type { ResultSession } from './resultSession';

export interface ShownInViewOptions {
  session: Pick<ResultSession, 'shown' | 'onDidChangeShown'>;
  /** Which objects of an image match the table's filters. */
  shownObjects: (image: number, signal: AbortSignal) => Promise<{ shown: ArrayBuffer | null }>;
  send: (filtered: TableFiltered | null) => void;
  onFailure: (error: unknown) => void;
}

/**
 * Tells the masks page that the table's filters have changed and, with it, which objects of the image in view match them: the
 * page repaints without a request.
 */
export class ShownInView implements Disposable {
  /** The image in view, once the page has said so. */
  image: number | undefined;
  private latest = new AbortController();
  private readonly subscription: Disposable;

  constructor(private readonly options: ShownInViewOptions) {
    this.subscription = options.session.onDidChangeShown(({ waitUntil }) => waitUntil(this.changed()));
  }

  dispose(): void {
    this.latest.abort();
    this.subscription.dispose();
  }

  private async changed(): Promise<void> {
    const { session, shownObjects, send, onFailure } = this.options;
    this.latest.abort();
    const { signal } = (this.latest = new AbortController());
    const { shown } = session;
    const { image } = this;
    const filtered = shown && { rowCount: shown.rowCount, total: shown.total };
    if (!filtered || image === undefined) {
      send(filtered);
      return;
    }
    try {
      const { shown: objects } = await shownObjects(image, signal);
      if (!signal.aborted) send({ ...filtered, ...(objects && { shown: { image, objects } }) });
    } catch (error) {
      if (signal.aborted) return;
      if (!isCoded(error, 'cancelled')) onFailure(error);
      // The page requests them itself, and shows the error.
      send(filtered);
    }
  }
}
