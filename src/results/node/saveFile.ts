import * as path from 'node:path';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { isCoded, type CodedError } from '../../base/errors';
import { fileError } from '../../base/node/fileErrors';

/** What a person does about a file that another program has open; undefined: nothing. */
export type AboutOpenFile = 'again' | 'elsewhere' | undefined;

/** How a person is asked; `ui` implements it. */
export interface SaveQuestions {
  /** Where to save instead of a file that is open in another program; undefined on Esc. */
  choose(open: string): Promise<string | undefined>;
  /** Tells that the file is open, and what can be done. */
  aboutOpen(error: CodedError): Promise<AboutOpenFile>;
}

/**
 * Saves a file where a person said, by `write`. Another program may have it open, as Excel has a CSV: then it is saved again once
 * it was closed, or elsewhere. Undefined where the person does neither. Throws what `write` throws besides `in-use`.
 */
export async function saveFile<T>(
  place: string,
  write: (place: string) => Promise<T>,
  { choose, aboutOpen }: SaveQuestions,
): Promise<{ path: string; saved: T } | undefined> {
  for (let target: string | undefined = place; target !== undefined;) {
    try {
      return { path: target, saved: await write(target) };
    } catch (error) {
      if (!isCoded(error, 'in-use')) throw error;
      const answer = await aboutOpen(error);
      if (answer === undefined) return undefined;
      if (answer === 'elsewhere') target = await choose(target);
    }
  }
  return undefined;
}

/** Writes a file as a whole, replacing one of its name. Throws `in-use`, `not-a-file`, `not-found`, `no-space`. */
export async function writeWholeFile(file: string, parts: readonly Uint8Array[]): Promise<void> {
  await writeAtomicFile(file, async handle => {
    for (const part of parts) await handle.appendFile(part);
  }).catch((error: unknown) => {
    throw fileError(error, path.basename(file));
  });
}
