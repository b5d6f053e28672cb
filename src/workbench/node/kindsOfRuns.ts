import type { StoredKind } from '../../base/storedKind';
import { imagesKind } from '../../study/storedImages';

/** Kinds of values that subjects store with a job's record. */
export const kindsOfRuns: readonly Pick<StoredKind<unknown>, 'name'>[] = [imagesKind];
