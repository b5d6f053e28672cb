import type { UnreadableObjects } from '../../formats/masksSummary';

/** Most that are listed of an image and of an archive, so that a damaged archive makes no message of gigabytes. */
const MOST_OF_IMAGE = 1000;
export const MOST_OF_ARCHIVE = 5000;
/** Characters of a key; those that the service writes are numbers. */
const LONGEST_KEY = 60;

/** Counts an object that could not be read, and lists it while there is room. */
export function noteUnreadable(objects: UnreadableObjects, key: string, reason: string): void {
  objects.unreadableCount++;
  if (objects.unreadable.length < MOST_OF_IMAGE) objects.unreadable.push({ key: shortened(key), reason });
}

/** A text of its own: a part of a longer one would keep all of that in memory. */
function shortened(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  return `${Buffer.from(key.slice(0, LONGEST_KEY)).toString()}…`;
}
