import type { DataToSave } from '../../accounts/editor/accountCommands';
import { sheetsToSave } from '../../study/editor/sheetsToSave';
import type { JobSession } from '../../jobs/node/jobSessions';
import type { ResultChoices } from '../../results/node/resultChoices';

type DataFinder = (
  session: JobSession,
  choices: ResultChoices,
  byteOrderMark: boolean,
) => Promise<DataToSave | undefined>;

/** The subjects' finders of data that exists only in an account's folder. */
const finders: readonly DataFinder[] = [sheetsToSave];

/** The first data to save before an account is removed, if any. */
export async function findDataToSave(...args: Parameters<DataFinder>): Promise<DataToSave | undefined> {
  for (const find of finders) {
    const data = await find(...args);
    if (data) return data;
  }
  return undefined;
}
