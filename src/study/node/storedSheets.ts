import { sheetLines } from '../sampleSheet';
import { type StoredImages, withStored, imagesKind } from '../storedImages';
import type { JobSession } from '../../jobs/node/jobSessions';
import type { ResultChoices } from '../../results/node/resultChoices';

/** Metadata of one result's images, as a sheet that can be joined again. */
export interface StoredSheet {
  /** The name of its job, or its ID. */
  name: string;
  /** CSV. */
  text: string;
}

/**
 * Sheets with the stored metadata of all images of an account. `mark`: see sheetLines.
 */
export async function storedSheets(
  { account, runs, jobFacts }: Pick<JobSession, 'account' | 'runs' | 'jobFacts'>,
  choices: Pick<ResultChoices, 'values'>,
  mark: boolean,
): Promise<StoredSheet[]> {
  const runMetadata = await runs.values(imagesKind);
  const choiceMetadata = Object.entries(await choices.values(imagesKind, account.id)).map(([key, stored]) => {
    const jobId = key.split(':').at(-1) ?? key;
    return { name: jobFacts.get(jobId).name ?? jobId, stored };
  });
  return [...runMetadata, ...choiceMetadata].flatMap(({ name, stored }) =>
    stored.columns.length + Object.keys(stored.excluded).length === 0
      ? []
      : [{ name, text: sheetText(stored, mark) }],
  );
}

function sheetText(stored: StoredImages, mark: boolean): string {
  const images = [...new Set([...Object.keys(stored.values), ...Object.keys(stored.excluded)])];
  return sheetLines(withStored(images, stored), ',', mark).join('');
}
