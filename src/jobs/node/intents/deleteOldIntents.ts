import type { SharedFiles } from '../../../base/node/sharedFolder';
import { fileOf, numbersByName } from './intentFiles';
import { parseIntent } from './intentState';

/** Age at which intents that ended are deleted. Milliseconds. */
const MAX_AGE = 24 * 60 * 60_000;

/**
 * Deletes the intents of submits that ended long before `now`, in milliseconds since 1970. The intent that says how a submit
 * ended also speaks for those with lower numbers, so they go with it, the lowest first: left alone, one that was sending
 * when its window crashed would count as a submit that may have been sent. Throws what the file system throws.
 */
export async function deleteOldIntents(
  files: Pick<SharedFiles, 'list' | 'read' | 'remove'>,
  now: number,
  isDisposed: () => boolean,
): Promise<void> {
  for (const [keyName, generations] of numbersByName(await files.list(''))) {
    for (const file of await oldFiles(files, keyName, generations, now)) {
      if (isDisposed()) return;
      await files.remove(file);
    }
  }
}

/** What to delete of the intents of a key, in this order. */
async function oldFiles(
  files: Pick<SharedFiles, 'read'>,
  keyName: string,
  generations: readonly number[],
  now: number,
): Promise<string[]> {
  const withdrawn: string[] = [];
  for (const [index, generation] of generations.entries()) {
    const file = fileOf(keyName, generation);
    const read = await files.read(file);
    if (!read || now - read.writtenAt < MAX_AGE) return withdrawn;
    const { at } = parseIntent(read.text).state;
    if (at === 'withdrawn') withdrawn.push(file);
    if (at === 'withdrawn' || at === 'preparing') continue;
    if (at !== 'submitted' && at !== 'failed' && at !== 'settled') return withdrawn;
    const ended = generations.slice(index).reverse();
    return [...ended.map(number => fileOf(keyName, number)), ...withdrawn];
  }
  return withdrawn;
}
