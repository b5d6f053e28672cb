import type { StoredKind } from '../../base/storedKind';
import { imagesKind } from '../../conditions/storedImages';

/** What subjects store with the record of a job. */
export const kindsOfRuns: readonly Pick<StoredKind<unknown>, 'name'>[] = [imagesKind];
