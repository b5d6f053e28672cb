import * as v from 'valibot';
import type { StoredKind } from '../../base/storedKind';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { ResultSource } from '../../session/node/resultSource';
import type { PairByHand } from './imagePairing';

/** The pairs of images of one edit by the user; an edit is undone as a whole. */
export type PairingAction = readonly PairByHand[];

/** Stores the edits of pairs of images, latest last. */
export interface PairStore {
  read(): Promise<readonly PairingAction[]>;
  /** Applies an edit to the stored edits, and resolves with the result. */
  change(
    edit: (stored: readonly PairingAction[]) => readonly PairingAction[],
  ): Promise<readonly PairingAction[]>;
}

const storedActions = v.array(v.array(v.object({ a: v.string(), b: v.exactOptional(v.string()) })));

export const pairingKind: StoredKind<v.InferOutput<typeof storedActions>> = {
  name: 'pairing',
  valid: value => (v.is(storedActions, value) ? value : undefined),
};

/** The pairs after all edits: the last pair of an image counts. */
export function pairsAfter(actions: readonly PairingAction[]): PairByHand[] {
  let pairs: PairByHand[] = [];
  for (const action of actions) {
    const keysOfA = new Set(action.map(({ a }) => a));
    const keysOfB = new Set(action.map(({ b }) => b));
    pairs = [
      ...pairs.filter(({ a, b }) => !keysOfA.has(a) && (b === undefined || !keysOfB.has(b))),
      ...action,
    ];
  }
  return pairs;
}

/** Stores pairs with the account of either result, so that sign-out removes them. */
export function storedPairs(
  choices: Pick<ResultChoices, 'value' | 'changeValue' | 'comparedImages' | 'removeComparedImages'>,
  a: ResultSource,
  b: ResultSource,
): PairStore {
  const accountId = a.accountId ?? b.accountId;
  const key = [a, b].map(source => source.choicesKey ?? source.key).join('\n');
  const owner = { key, ...(accountId !== undefined && { accountId }) };
  // Earlier versions stored pairs without edits.
  const pairsOfEarlierVersion = async () => (await choices.comparedImages(owner)).map(pair => [pair]);
  return {
    read: async () => (await choices.value(pairingKind, owner)) ?? (await pairsOfEarlierVersion()),
    change: async edit => {
      const earlierPairs = await pairsOfEarlierVersion();
      let changed: readonly PairingAction[] = [];
      await choices.changeValue(pairingKind, owner, stored => {
        changed = edit(pairingKind.valid(stored) ?? earlierPairs);
        return changed;
      });
      await choices.removeComparedImages(owner);
      return changed;
    },
  };
}
