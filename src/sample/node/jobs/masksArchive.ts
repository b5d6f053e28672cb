import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { writeAtomicFile } from '../../../base/node/atomicFile';

/** Contents of index.json of a masks archive. */
export interface MasksRun {
  resultId: string;
  /** ISO 8601, UTC, with milliseconds. */
  dateRun: string;
  classNames: readonly string[];
}

/** Zips index.json and the images' entries, one after another; the archive is at `path` only when it is complete. */
export async function writeMasksArchive(
  path: string,
  entries: readonly { imageId: string; path: string }[],
  run: MasksRun,
): Promise<void> {
  const { resultId, dateRun, classNames } = run;
  const classData = Object.fromEntries(classNames.map(name => [name, { name, type: 'Instance' }]));
  await writeAtomicFile(path, async file => {
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    zip.on('error', (error: Error) => output.destroy(error));
    zip.addBuffer(Buffer.from(JSON.stringify({ resultId, dateRun, classData })), 'index.json');
    for (const entry of entries) zip.addFile(entry.path, `${entry.imageId}_objects.json`);
    zip.end();
    for await (const chunk of output) await file.appendFile(chunk as Buffer);
  });
}
