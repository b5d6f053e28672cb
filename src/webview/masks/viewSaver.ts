import type { MaskImage } from '../../formats/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { baseName } from './imageStrip';

/** Bytes in one message. */
const PART = 4 * 2 ** 20;

/** Hands a picture of the view of an image to the panel, which asks where to save it; the path, or null when nobody wanted it. */
export async function saveView(
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
  { filename, id }: MaskImage,
  picture: Blob,
): Promise<string | null> {
  const name = `${baseName(filename || id).replace(/\.[^.]+$/, '')}.png`;
  const { save } = await panel.request('saveView', { name });
  if (save === null) return null;
  for (let from = 0; ; from += PART) {
    const bytes = await picture.slice(from, from + PART).arrayBuffer();
    const last = from + PART >= picture.size;
    const { saved } = await panel.request('saveViewPart', { save, bytes, last });
    if (last) return saved;
  }
}
