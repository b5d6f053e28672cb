import { isCoded, throwIfCanceled } from '../../../base/errors';
import { reason, type Reason } from '../../../base/reasons';
import type { MasksArchive } from './masksArchive';

/** What index.json says about the run. */
export interface ArchiveIndex {
  resultId?: string;
  dateRun?: string;
  /** Names of the classes, the keys of classData in their order. */
  classes: string[];
}

/** Reads an archive's index.json. Undefined, with a note, if it is missing or damaged. Throws `cancelled`. */
export async function readArchiveIndex(
  archive: MasksArchive,
  notes: Reason[],
  signal?: AbortSignal,
): Promise<ArchiveIndex | undefined> {
  const entry = archive.contents.index;
  if (!entry) {
    notes.push(reason('no-index'));
    return undefined;
  }
  try {
    const index = parseIndex(await archive.readText(entry, signal));
    if (index) return index;
  } catch (error) {
    throwIfCanceled(signal);
    if (!isCoded(error)) throw error;
  }
  notes.push(reason('damaged-index'));
  return undefined;
}

/** Undefined if the text isn't what docs/service.md, "Masks archive", describes. */
function parseIndex(text: string): ArchiveIndex | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { resultId, dateRun, classData } = value as Record<string, unknown>;
  const isMap = typeof classData === 'object' && classData !== null && !Array.isArray(classData);
  return {
    ...(typeof resultId === 'string' && { resultId }),
    ...(typeof dateRun === 'string' && { dateRun }),
    classes: isMap ? Object.keys(classData) : [],
  };
}
