import { isCoded } from '../../../base/errors';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksText } from '../../../pages/page/pageText';
import type { ObjectSelection } from './objectSelection';

/** What of the image shown decides which objects a region selects. */
export interface SelectableScene {
  readonly image: { readonly index: number };
  /** Fires when another image takes its place. */
  readonly signal: AbortSignal;
  isShown(object: number): boolean;
}

export interface RegionSelectionOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  text: MasksText;
  scene: () => SelectableScene | undefined;
  selection: ObjectSelection;
  /** What was selected, in words: for the status line and for screen readers. */
  onSelected: (words: string) => void;
  onFailure: (error: unknown) => void;
}

/** Selects the shown objects inside a region; their rows become a filter of the table. */
export class RegionSelection {
  private pending: AbortController | undefined;

  constructor(private readonly options: RegionSelectionOptions) {}

  /** The user has moved on: what was drawn before selects nothing any more. */
  cancel(): void {
    this.pending?.abort();
  }

  /** In place of a region drawn before. `polygon`: corners x, y in turn, in image pixels. */
  async select(polygon: number[]): Promise<void> {
    const { panel, text, scene, selection, onSelected, onFailure } = this.options;
    const of = scene();
    if (!of) return;
    const { index: image } = of.image;
    this.cancel();
    this.pending = new AbortController();
    const signal = AbortSignal.any([of.signal, this.pending.signal]);
    try {
      const inside = await panel.request('objectsInRegion', { image, polygon }, signal);
      if (signal.aborted) return;
      const objects = inside.objects.filter(object => of.isShown(object));
      if (objects.length === 0) {
        onSelected(text.get('selectedNone'));
        return;
      }
      selection.replace(image, objects);
      const { rows } = await panel.request('selectRows', { image, objects }, signal);
      if (signal.aborted) return;
      onSelected(
        rows === 0
          ? text.count('selectedWithoutRows', objects.length)
          : text.count('selectedObjects', objects.length, rows),
      );
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}
