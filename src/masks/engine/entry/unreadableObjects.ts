import type { Reason } from '../../../base/reasons';
import type { UnreadableObjects } from '../../masksSummary';

/** Listed per image and per archive, so that a damaged archive doesn't make a message of gigabytes. */
const MAX_LISTED_OF_IMAGE = 1000;
export const MAX_LISTED_OF_ARCHIVE = 5000;
/** Longer keys are shortened; those that the service writes are numbers. */
const MAX_KEY_CHARACTERS = 60;

/** Counts an object that couldn't be read, and lists it up to the limit. */
export function noteUnreadable(objects: UnreadableObjects, key: string, reason: Reason): void {
  objects.unreadableCount++;
  if (objects.unreadable.length < MAX_LISTED_OF_IMAGE)
    objects.unreadable.push({ key: shortened(key), reason });
}

/** A copy: a substring would keep the whole text in memory. */
function shortened(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS) return key;
  return `${Buffer.from(key.slice(0, MAX_KEY_CHARACTERS)).toString()}…`;
}
