import type { MasksPageSide, MasksPanelSide } from '../../../../../src/masks/masksPage';
import type { ShownMaskImage } from '../../../../../src/archives/masksSummary';
import { ImageModel } from '../../../../../src/masks/page/state/imageModel';
import type { MasksViewState } from '../../../../../src/masks/page/state/masksViewState';
import { FakeScene } from './pageStore';
import type { RpcEndpoint } from '../../../../../src/protocol/rpc';

type Panel = Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;

/**
 * A panel that responds with what `responses` makes of the parameters, and a port that saves;
 * `done` has all that was requested, sent, saved and said to have failed.
 */
export function fakePanel(
  responses: Record<string, (params: never) => unknown>,
  view: Partial<MasksViewState> = {},
) {
  const done: unknown[] = [];
  const panel = {
    request: async (name: string, params: object, signal?: AbortSignal) => {
      done.push([name, params]);
      const response: unknown = await responses[name]?.(params as never);
      signal?.throwIfAborted();
      return response;
    },
    send: (name: string, params: unknown) => void done.push([name, params]),
  } as unknown as Panel;
  const port = { view, updateView: (changes: Partial<MasksViewState>) => void done.push(changes) };
  const fail = (error: unknown) => void done.push(error);
  return { panel, port, fail, done };
}

/**
 * Images of 10 × 10 pixels with as many objects, the first of them shown and being loaded; `show`
 * shows another.
 */
export function shownImages(...objectCounts: number[]) {
  const images = objectCounts.map((objectCount, index): ShownMaskImage => {
    const size = { width: 10, height: 10, classCounts: [objectCount], unreadableCount: 0, unreadable: [] };
    return { index, id: `image ${index}`, filename: `${index}.tif`, objectCount, ...size };
  });
  const image = new ImageModel(images, { nameOf: ({ filename }) => filename });
  const show = (position: number): FakeScene | undefined => {
    const shown = images[position];
    if (!shown) return undefined;
    const scene = new FakeScene(shown);
    image.opened(position);
    image.painting(scene);
    return scene;
  };
  const scene = show(0);
  return { image, images, scene, show };
}
