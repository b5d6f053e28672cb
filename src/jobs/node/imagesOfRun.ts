import type { JobSession } from './jobSessions';

/** How many images a job was run on; undefined where that isn't known here, as for folders. */
export async function imagesOfRun(
  { runs }: { runs: Pick<JobSession['runs'], 'find'> },
  jobId: string,
): Promise<number | undefined> {
  const items = (await runs.find(jobId))?.items;
  return items && items.length > 0 && !items.some(({ isFolder }) => isFolder) ? items.length : undefined;
}
