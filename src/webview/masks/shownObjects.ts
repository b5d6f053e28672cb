import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';

/** Asks which objects of an image the table's filter lets through; the filter may change while an answer is on its way. */
export class ShownObjects {
  private asked = 0;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
    private readonly image: number,
  ) {}

  /** `tell` hears 1 for each object that passes, undefined where all do; nothing when it was asked again meanwhile. */
  async ask(tell: (shown: Uint8Array | undefined) => void, signal: AbortSignal): Promise<void> {
    const asked = ++this.asked;
    const { shown } = await this.panel.request('shownObjects', { image: this.image }, signal);
    if (asked === this.asked) tell(shown ? new Uint8Array(shown) : undefined);
  }
}
