import { fileURLToPath } from 'node:url';
import type { Reason } from '../../base/reasons';
import type { RunItem } from './runs/runRecord';
import type { UploadRecord } from '../../uploads/node/uploadRecords';
import type { JobSession } from './jobSessions';
import type { LocalFile } from '../../uploads/node/expandFiles';
import { diskFacts } from '../../uploads/node/fileSources';
import { refuseDamaged, type DamageCheckParts } from '../../uploads/node/refuseDamaged';

/** An image of a job whose file on this machine can't be decoded. */
export interface DamagedImage {
  item: RunItem;
  /** The name of its file. */
  name: string;
  why: Reason | undefined;
}

/**
 * The images among these items that are known to be damaged: by the files that they were uploaded from, where these are still the
 * same. Throws `cancelled`.
 */
export async function damagedImages(
  parts: DamageCheckParts,
  { uploadRecords }: { uploadRecords: Pick<JobSession['uploadRecords'], 'ofItems'> },
  items: readonly RunItem[],
  signal: AbortSignal,
): Promise<DamagedImage[]> {
  const records = await uploadRecords.ofItems(new Set(items.map(({ id }) => id)));
  const files = await Promise.all([...records.values()].map(unchangedFile));
  const { failed } = await refuseDamaged(
    parts,
    { files: files.flatMap(file => file ?? []), failed: [], hadFolder: false },
    signal,
  );
  const errors = new Map(failed.map(({ uri, error }) => [uri, error]));
  return items.flatMap(item => {
    const record = records.get(item.id);
    const error = record && errors.get(record.uri);
    return error ? [{ item, name: record.fileName, why: error.details.reason }] : [];
  });
}

/** The file as it was uploaded; undefined where it changed since, is gone, or isn't on a disk. */
async function unchangedFile({
  uri,
  fileName,
  size,
  identity,
}: UploadRecord): Promise<LocalFile | undefined> {
  if (!uri.startsWith('file:')) return undefined;
  const facts = await diskFacts(fileURLToPath(uri), fileName).catch(() => undefined);
  return facts?.identity === identity ? { uri, fileName, folder: '', size } : undefined;
}
