import type { StoredKind } from '../../base/storedKind';
import { imagesKind } from '../../study/storedImages';

/** What subjects store with the record of a job. */
export const kindsOfRuns: readonly Pick<StoredKind<unknown>, 'name'>[] = [imagesKind];
