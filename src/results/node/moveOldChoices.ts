import type { Accounts } from '../../accounts/node/accounts';
import { type GlobalState, type ResultChoices, type StoredChoices, validChoices } from './resultChoices';
import { OLD_BACKGROUND_IMAGES, OLD_CLASS_COLORS, OLD_PIXEL_SIZES } from './oldChoices';

const CLASS_COLORS = 'imageAnalysis.masks.classColors';

/**
 * Moves choices from where they used to be stored: background images and pixel sizes from global state to the state of
 * their account, class colors to the key of today. Choices of accounts that aren't signed in any more are deleted; where
 * the accounts are damaged, which those are is unknown, and all stay. Without old choices this does nothing; when it
 * fails, the old ones stay for the next time.
 */
export async function moveOldChoices(
  old: GlobalState,
  accounts: Pick<Accounts, 'all' | 'isDamaged'>,
  choices: Pick<ResultChoices, 'addMissing'>,
): Promise<void> {
  if (!accounts.isDamaged) await moveImageChoices(old, accounts.all, choices);
  await moveClassColors(old);
}

async function moveImageChoices(
  old: GlobalState,
  accounts: Accounts['all'],
  choices: Pick<ResultChoices, 'addMissing'>,
): Promise<void> {
  const keys = old.keys().filter(key => key.startsWith(OLD_BACKGROUND_IMAGES) || key === OLD_PIXEL_SIZES);
  if (keys.length === 0) return;
  const backgroundImages = Object.fromEntries(
    keys
      .filter(key => key !== OLD_PIXEL_SIZES)
      .map(key => [key.slice(OLD_BACKGROUND_IMAGES.length), old.get(key)]),
  );
  const found: Pick<StoredChoices, 'backgroundImages' | 'pixelSizes'> = {
    backgroundImages: validChoices('backgroundImages', backgroundImages),
    pixelSizes: validChoices('pixelSizes', old.get(OLD_PIXEL_SIZES)),
  };
  for (const accountId of [undefined, ...accounts.map(({ id }) => id)]) {
    await choices.addMissing(accountId, {
      backgroundImages: ownedBy(accountId, found.backgroundImages),
      pixelSizes: ownedBy(accountId, found.pixelSizes),
    });
  }
  for (const key of keys) await old.update(key, undefined);
}

async function moveClassColors(state: GlobalState): Promise<void> {
  const colors = state.get(OLD_CLASS_COLORS);
  if (colors === undefined) return;
  await state.update(CLASS_COLORS, { ...(colors as object), ...(state.get(CLASS_COLORS) as object) });
  await state.update(OLD_CLASS_COLORS, undefined);
}

/** The entries of one account's results, or of files on disk. A job's result key is "job:<account>:<job>", or "jobs:…". */
function ownedBy<V>(accountId: string | undefined, results: Record<string, V>): Record<string, V> {
  return Object.fromEntries(
    Object.entries(results).filter(([key]) => /^jobs?:([^:]*):/.exec(key)?.[1] === accountId),
  );
}
