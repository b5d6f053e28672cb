import { delay } from '../../base/delay';
import type { ClaimedBatch } from './uploadBatches';
import type { AccountUploads } from './accountUploads';
import type { LocalFile } from './expandFiles';

/** What a person is told of files that were not uploaded. */
export interface UnfinishedOffer {
  /** Name of the first file. */
  fileName: string;
  fileCount: number;
  /** How many of them were being sent when their window ended, and may be on the service. */
  mayBeSent: number;
}

/** `rest` is without the files that may be on the service; undefined where the person doesn't decide. */
export type OfferAnswer = 'all' | 'rest' | 'discard' | undefined;

/** Files of one upload that are to be uploaded again. */
export interface UploadAgain {
  files: LocalFile[];
  destinationFolder: string;
  claim: ClaimedBatch['claim'];
}

/** How often this window looks for what other windows leave, while they upload. Milliseconds. */
const INTERVAL = 10_000;

export interface OfferParts {
  uploads: Pick<AccountUploads, 'claimUnfinished' | 'elsewhere'>;
  /** Whether this window could upload: another browser's has the account, but perhaps no key. */
  hasKey: () => Promise<boolean>;
  ask: (offer: UnfinishedOffer) => Promise<OfferAnswer>;
  /** For tests. */
  wait?: typeof delay;
}

/**
 * Offers what uploads of windows that are gone have left, and returns what is to be uploaded again. Looks again as long
 * as another window uploads, since that may be one that is just closing. Throws `cancelled`.
 */
export async function offerUnfinished(
  { uploads, hasKey, ask, wait = delay }: OfferParts,
  signal: AbortSignal,
): Promise<UploadAgain[]> {
  for (;;) {
    if (!(await hasKey())) return [];
    const claimed = await uploads.claimUnfinished();
    if (claimed.length > 0) return await settle(claimed, ask);
    if ((await uploads.elsewhere()).length === 0) return [];
    await wait(INTERVAL, signal);
  }
}

async function settle(
  claimed: readonly ClaimedBatch[],
  ask: (offer: UnfinishedOffer) => Promise<OfferAnswer>,
): Promise<UploadAgain[]> {
  const files = claimed.flatMap(({ unfinished }) => unfinished);
  const answer = await ask({
    fileName: files[0]?.file.fileName ?? '',
    fileCount: files.length,
    mayBeSent: files.filter(({ mayBeSent }) => mayBeSent).length,
  });
  const again: UploadAgain[] = [];
  for (const { claim, destinationFolder, unfinished, states } of claimed) {
    const wanted = unfinished.filter(({ mayBeSent }) => answer === 'all' || !mayBeSent);
    if (answer === undefined) await claim.release(states);
    else if (answer === 'discard' || wanted.length === 0) await claim.remove();
    else again.push({ claim, destinationFolder, files: wanted.map(({ file }) => file) });
  }
  return again;
}
