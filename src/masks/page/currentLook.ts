import type { MaskClass } from '../masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { PagePort } from '../../pages/page/pagePort';
import type { MasksLook } from './masksLook';
import { hiddenNames, type MasksViewState } from './masksViewState';

export interface CurrentLookOptions {
  look: MasksLook;
  /** Whether the masks are hidden, as saved. */
  isHidden: boolean;
  classes: readonly MaskClass[];
  port: Pick<PagePort<MasksViewState>, 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'send'>;
  /** The look has changed. */
  onLook: (look: MasksLook) => void;
  /** Masks are shown that were not, or the other way around. */
  onShown: () => void;
}

/** How the masks look now, and whether they show at all; a change is saved with the view, and the panel is told what is hidden. */
export class CurrentLook {
  private look: MasksLook;
  private hidden: boolean;
  private peeking = false;

  constructor(private readonly options: CurrentLookOptions) {
    this.look = options.look;
    this.hidden = options.isHidden;
  }

  get value(): MasksLook {
    return this.look;
  }

  change(change: Partial<MasksLook>): void {
    const { port, classes, onLook } = this.options;
    this.look = { ...this.look, ...change };
    const { fill, opacity, hidden } = this.look;
    if (change.hidden) this.sendHidden();
    port.updateView({ fill, opacity, hidden: hiddenNames(hidden, classes) });
    onLook(this.look);
  }

  /** Tells the panel which classes are hidden. */
  sendHidden(): void {
    this.options.panel.send('visibility', { hiddenClasses: [...this.look.hidden] });
  }

  /** Between filled masks and outlines. */
  toggleFill(): void {
    this.change({ fill: !this.look.fill });
  }

  /** Whether the masks are hidden until they are shown again. */
  get masksHidden(): boolean {
    return this.hidden;
  }

  /** Whether the masks are painted: neither hidden nor peeked beneath. */
  get masksShown(): boolean {
    return !this.hidden && !this.peeking;
  }

  toggleMasks(): void {
    const { port, onShown } = this.options;
    this.hidden = !this.hidden;
    port.updateView({ masksHidden: this.hidden });
    onShown();
  }

  /** Shows what is beneath the masks, for as long as a key is held down. */
  peek(peeking: boolean): void {
    this.peeking = peeking;
    this.options.onShown();
  }
}
