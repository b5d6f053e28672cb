import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredImages } from '../../../../src/conditions/storedImages';
import type { ExportedResult } from '../../../../src/datasets/node/exportTables';
import type { OpenResults } from '../../../../src/session/node/openResults';
import type { ResultPart } from '../../../../src/service/resultParts';
import { FilesOnDisk, ImagesInMemory, openSession } from '../../session/node/sessionFixture';

/** A job's results on disk, with what is known of its images. */
class JobOnDisk extends FilesOnDisk {
  constructor(
    paths: Partial<Record<ResultPart, string>>,
    readonly images: StoredImages | undefined,
  ) {
    super(paths);
  }
}

/** Opens each result in a session of its own for as long as it is worked with. */
export const opened: Pick<OpenResults, 'use'> = {
  async use(source, work) {
    const images = new ImagesInMemory();
    images.stored = (source as JobOnDisk).images;
    const { session } = openSession(source, { images });
    try {
      return await work(session);
    } finally {
      session.dispose();
    }
  },
};

/** A job with these tables in a folder; `aggregate` is missing where no text is given. */
export async function jobOnDisk(
  folder: string,
  id: string,
  { objects, aggregate, images }: { objects: string; aggregate?: string; images?: StoredImages },
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
    source: new JobOnDisk(paths, images),
    id,
    parts: [
      { kind: 'objects', folder: 'objects' },
      { kind: 'aggregate', folder: 'images' },
    ],
    facts: () => Promise.resolve({ 'image_analysis.job_id': id }),
  };
}
