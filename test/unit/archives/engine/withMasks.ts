import { openMasks } from '../../../../src/archives/engine/openMasks';
import type { Masks } from '../../../../src/archives/engine/masks';
import { writeArchive } from './archives';

/** Opens an archive of these entries for as long as `use` takes. */
export async function withMasks<T>(
  entries: Record<string, unknown>,
  use: (masks: Masks, path: string) => Promise<T>,
  memory?: number,
): Promise<T> {
  const { path, remove } = await writeArchive(entries);
  try {
    const masks = await openMasks(path, memory === undefined ? {} : { memory });
    try {
      return await use(masks, path);
    } finally {
      masks.dispose();
    }
  } finally {
    await remove();
  }
}
