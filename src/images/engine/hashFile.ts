import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { whenReleased } from '../../base/node/diskErrors';
import { throwIfCanceled } from '../../base/errors';
import { unreadableFile } from '../../base/node/fileErrors';

/** SHA-256 (hex) and size of a file, read in chunks. Throws `not-a-file`, `in-use`, `cancelled`. */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = await whenReleased(() => open(path));
    for await (const chunk of file.createReadStream({
      highWaterMark: 1024 * 1024,
    }) as AsyncIterable<Buffer>) {
      throwIfCanceled(signal);
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    throwIfCanceled(signal);
    throw unreadableFile(error, path);
  }
  return { sha256: hash.digest('hex'), size };
}
