import { statfs } from 'node:fs/promises';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';

const MEGABYTE = 1024 * 1024;

/** Throws `no-space` if a folder's volume has less than `bytes` free. Volumes that don't say how much they have pass. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const volume = await statfs(folder).catch(() => undefined);
  if (!volume || volume.blocks === 0) return;
  const free = volume.bavail * volume.bsize;
  if (free >= bytes) return;
  throw new CodedError('no-space', 'The volume has too little space', {
    reason: reason('space-needed', Math.ceil(bytes / MEGABYTE), Math.floor(free / MEGABYTE)),
  });
}
