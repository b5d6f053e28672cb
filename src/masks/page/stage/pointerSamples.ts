import { effect } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MasksStore } from '../state/masksStore';

/**
 * Follows the pointer and requests the background image's samples there, with one request at a time
 * and at most one per frame.
 */
export function followPointer(
  { pointer, background }: Pick<MasksStore, 'pointer' | 'background'>,
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request'>,
): void {
  let isBusy = false;
  /** The pixel to sample; undefined if the pointer is outside, or without a background image. */
  const pixelToSample = () => {
    const point = pointer.position.peek();
    const { scene, info, look, stretched } = background.painted.peek() ?? {};
    if (!point || !scene || !info || !look) return undefined;
    const across = stretched ? info.width / scene.image.width : 1;
    const down = stretched ? info.height / scene.image.height : 1;
    const [x, y] = [Math.floor(point.x * across), Math.floor(point.y * down)];
    const isInside = x >= 0 && y >= 0 && x < info.width && y < info.height;
    return isInside ? { backgroundImage: info.backgroundImage, x, y, look } : undefined;
  };
  const load = async () => {
    if (isBusy) return;
    const sample = pixelToSample();
    if (!sample) return pointer.sampled([]);
    isBusy = true;
    const [position, painted] = [pointer.position.peek(), background.painted.peek()];
    try {
      const { values } = await panel.request('pixelValues', sample);
      pointer.sampled(pixelToSample() ? values : []);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) pointer.sampled([]);
    } finally {
      isBusy = false;
      if (position !== pointer.position.peek() || painted !== background.painted.peek()) frames.schedule();
    }
  };
  const frames = new FrameQueue(() => void load());
  effect(() => {
    void [pointer.position.value, background.painted.value];
    frames.schedule();
  });
}
