import { mayNameSuccess, namesFailure, namesSuccess } from '../api/statusWords';
import type { AnalysisJob, MasksJob } from '../api/wire';

/** `finishing`: the service says SUCCEEDED, its result links are yet to come. */
export type JobPhase = 'running' | 'finishing' | 'succeeded' | 'failed';

/** Where an analysis job stands. It has succeeded once it says so and has both result links. */
export function jobPhase(
  job: Pick<AnalysisJob, 'status' | 'objectsDataCSVUrl' | 'aggregateDataCSVUrl'>,
): JobPhase {
  return phase(job.status, job.objectsDataCSVUrl !== undefined && job.aggregateDataCSVUrl !== undefined);
}

/**
 * Where a job of a list stands. A list may leave out the links: there the service's word for success is enough, or jobs
 * that ended long ago would be taken for running.
 */
export function listedPhase(job: Parameters<typeof jobPhase>[0]): JobPhase {
  return mayNameSuccess(job.status) ? 'succeeded' : jobPhase(job);
}

/** Which tables to offer of a job of a list. Where it says nothing of a finished job's links, both: the job itself knows. */
export function listedResults(job: Parameters<typeof jobPhase>[0]): { objects: boolean; aggregate: boolean } {
  const objects = job.objectsDataCSVUrl !== undefined;
  const aggregate = job.aggregateDataCSVUrl !== undefined;
  const untold = !objects && !aggregate && listedPhase(job) === 'succeeded';
  return { objects: objects || untold, aggregate: aggregate || untold };
}

/** Where a masks job stands. */
export function masksPhase(job: Pick<MasksJob, 'status' | 'masksZipUrl'>): JobPhase {
  return phase(job.status, job.masksZipUrl !== undefined);
}

/** An unknown status is not the end of a job; a status that names a failure is. */
function phase(status: string, hasResults: boolean): JobPhase {
  if (hasResults && mayNameSuccess(status)) return 'succeeded';
  if (namesSuccess(status)) return 'finishing';
  return namesFailure(status) ? 'failed' : 'running';
}
