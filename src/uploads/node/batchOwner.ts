import { isOver, isSameStart, type ThisProcess } from '../../base/node/thisProcess';
import type { StoredClaim } from './uploadBatch';

/** How often the owner of a batch writes its claim again while it sends. Milliseconds. */
export const HEARTBEAT = 5000;

/** A claim of a window that sends and that is older has no owner any more. Milliseconds. */
export const MAX_SILENCE = 60_000;

/**
 * Whether a claim still has its owner. A window that sends must be heard of; one that shows an offer has no heartbeat,
 * so its process counts. Of another machine, as on a shared home directory, only the heartbeat is known.
 */
export function hasOwner(
  { owner, phase }: Pick<StoredClaim, 'owner' | 'phase'>,
  writtenAt: number,
  here: ThisProcess,
  now: number,
): boolean {
  if (phase === 'released') return false;
  if (owner.session === here.session) return true;
  if (isOver(owner, writtenAt, here)) return false;
  const isSilent = now - writtenAt > MAX_SILENCE;
  return (phase === 'offering' && isSameStart(owner, here)) || !isSilent;
}
