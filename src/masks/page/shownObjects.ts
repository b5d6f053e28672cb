import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';

/** Requests which objects of an image match the table's filter, which may change before the response arrives. */
export class ShownObjects {
  private latest = 0;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    private readonly image: number,
  ) {}

  /** Ignores the response to a pending request: the matching objects are known from elsewhere. */
  discardPending(): void {
    this.latest++;
  }

  /** Calls `onShown` with 1 for each matching object, undefined where all match; not if a later request was made meanwhile. */
  async load(onShown: (shown: Uint8Array | undefined) => void, signal: AbortSignal): Promise<void> {
    const request = ++this.latest;
    const { shown } = await this.panel.request('shownObjects', { image: this.image }, signal);
    if (request === this.latest) onShown(shown ? new Uint8Array(shown) : undefined);
  }
}
