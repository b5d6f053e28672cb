import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { ASIDE_SUFFIX } from './writeAside';

/** What index.json of a masks archive tells. */
export interface MasksRun {
  resultId: string;
  /** ISO 8601, UTC, with milliseconds. */
  dateRun: string;
  classNames: readonly string[];
}

/** Zips index.json and the images' entries, one after another; the archive is at `path` only when it is whole. */
export async function writeMasksArchive(
  path: string,
  entries: readonly { imageId: string; path: string }[],
  run: MasksRun,
): Promise<void> {
  const { resultId, dateRun, classNames } = run;
  const classData = Object.fromEntries(classNames.map(name => [name, { name, type: 'Instance' }]));
  const zip = new ZipFile();
  const aside = `${path}${ASIDE_SUFFIX}`;
  const stop = new AbortController();
  const written = pipeline(zip.outputStream, createWriteStream(aside), { signal: stop.signal });
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject));
  zip.addBuffer(Buffer.from(JSON.stringify({ resultId, dateRun, classData })), 'index.json');
  for (const entry of entries) zip.addFile(entry.path, `${entry.imageId}_objects.json`);
  zip.end();
  try {
    await Promise.race([written, failed]);
    await rename(aside, path);
  } catch (error) {
    stop.abort();
    await Promise.allSettled([written]);
    await rm(aside, { force: true });
    throw error;
  }
}
