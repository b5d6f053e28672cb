import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportedResult } from '../../../../src/datasets/node/exportTables';
import type { OpenResults } from '../../../../src/session/node/openResults';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import type { ResultPart } from '../../../../src/service/resultParts';
import { FilesOnDisk, openSession } from '../../session/node/sessionFixture';

/** Opens each result in a session of its own for as long as it is worked with. */
export const opened = openedBy(source => openSession(source).session);

export function openedBy(open: (source: ResultSource) => ResultSession): Pick<OpenResults, 'use'> {
  return {
    async use(source, work) {
      const session = open(source);
      try {
        return await work(session);
      } finally {
        session.dispose();
      }
    },
  };
}

/** A job with these tables in a folder; `aggregate` is missing where no text is given. */
export async function jobOnDisk(
  folder: string,
  id: string,
  { objects, aggregate }: { objects: string; aggregate?: string },
): Promise<ExportedResult> {
  const own = join(folder, `job-${id.replace(/[^\w]/g, '_')}`);
  await mkdir(own);
  const paths: Partial<Record<ResultPart, string>> = { objects: join(own, 'objects.csv') };
  await writeFile(join(own, 'objects.csv'), objects);
  if (aggregate !== undefined) {
    paths.aggregate = join(own, 'aggregate.csv');
    await writeFile(paths.aggregate, aggregate);
  }
  return {
    source: new FilesOnDisk(paths),
    id,
    parts: [
      { kind: 'objects', folder: 'objects' },
      { kind: 'aggregate', folder: 'images' },
    ],
    facts: () => Promise.resolve({ 'image_analysis.job_id': id }),
  };
}
