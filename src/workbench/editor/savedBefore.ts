import type { SavedBefore } from '../../accounts/editor/accountCommands';
import { sheetsToSave } from '../../study/editor/sheetsToSave';
import type { JobSession } from '../../jobs/node/jobSessions';
import type { ResultChoices } from '../../results/node/resultChoices';

type FindToSave = (
  session: JobSession,
  choices: ResultChoices,
  mark: boolean,
) => Promise<SavedBefore | undefined>;

/** What only an account's folder has, by subject: the user is asked to save it before removal. */
const finders: readonly FindToSave[] = [sheetsToSave];

/** The first of it that there is. */
export async function toSaveBefore(...parts: Parameters<FindToSave>): Promise<SavedBefore | undefined> {
  for (const find of finders) {
    const saved = await find(...parts);
    if (saved) return saved;
  }
  return undefined;
}
