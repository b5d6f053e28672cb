import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';

/** Bytes in one message. */
const PART = 4 * 2 ** 20;

/** Sends a rendered view to the panel, which shows a save dialog. Returns the path, or null if the dialog was canceled. */
export async function saveView(
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
  imageName: string,
  png: Blob,
  hasMasks: boolean,
): Promise<string | null> {
  // Not the image's own name: the view isn't the data.
  const name = `${imageName.replaceAll('/', '_').replace(/\.[^.]+$/, '')}_${hasMasks ? 'masks' : 'view'}.png`;
  const { save } = await panel.request('saveView', { name });
  if (save === null) return null;
  for (let from = 0; ; from += PART) {
    const bytes = await png.slice(from, from + PART).arrayBuffer();
    const last = from + PART >= png.size;
    const { saved } = await panel.request('saveViewPart', { save, bytes, last });
    if (last) return saved;
  }
}
