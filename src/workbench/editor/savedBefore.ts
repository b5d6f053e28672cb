import type { DataToSave } from '../../accounts/editor/accountCommands';
import { sheetsToSave } from '../../study/editor/sheetsToSave';
import type { JobSession } from '../../jobs/node/jobSessions';
import type { ResultChoices } from '../../results/node/resultChoices';

type FindToSave = (
  session: JobSession,
  choices: ResultChoices,
  mark: boolean,
) => Promise<DataToSave | undefined>;

/**
 * Find data, by subject, that exists only in an account's folder and should be saved before
 * removal.
 */
const finders: readonly FindToSave[] = [sheetsToSave];

/** The first data to save before an account is removed, if any. */
export async function toSaveBefore(...args: Parameters<FindToSave>): Promise<DataToSave | undefined> {
  for (const find of finders) {
    const saved = await find(...args);
    if (saved) return saved;
  }
  return undefined;
}
