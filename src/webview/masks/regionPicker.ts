import { isCoded } from '../../base/errors';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { PageText } from '../pageText';
import type { ImageScene } from './imageScene';

export interface RegionPickerOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  text: PageText;
  scene: () => ImageScene | undefined;
  /** What was picked, in words: for the status line and to be read out. */
  onPicked: (words: string) => void;
  onFailure: (error: unknown) => void;
}

/** Picks the shown objects inside a region: their rows become a filter of the table. */
export class RegionPicker {
  constructor(private readonly options: RegionPickerOptions) {}

  /** `polygon`: corners x, y in turn, in image pixels. */
  async pick(polygon: number[]): Promise<void> {
    const { panel, text, scene, onPicked, onFailure } = this.options;
    const of = scene();
    if (!of) return;
    const { index: image } = of.image;
    try {
      const inside = await panel.request('objectsInRegion', { image, polygon }, of.signal);
      const objects = inside.objects.filter(object => of.isShown(object));
      if (objects.length === 0) {
        onPicked(text.get('pickedNone'));
        return;
      }
      const { rows } = await panel.request('pickObjects', { image, objects }, of.signal);
      onPicked(
        rows === 0
          ? text.count('pickedWithoutRows', objects.length)
          : text.count('picked', objects.length, objects.length, rows),
      );
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}
