import { mayNameSuccess, namesFailure, namesSuccess } from '../../service/node/statusWords';
import type { AnalysisJob, MasksJob } from '../../service/wire';

/**
 * `finishing`: the status is SUCCEEDED, but the result links are still missing. `unknown`: the job is no longer tracked,
 * because it made no progress for too long.
 */
export type JobPhase = 'running' | 'finishing' | 'succeeded' | 'failed' | 'unknown';

/** The phase of an analysis job. It has succeeded once its status says so and it has both result links. */
export function jobPhase(
  job: Pick<AnalysisJob, 'status' | 'objectsDataCSVUrl' | 'aggregateDataCSVUrl'>,
): JobPhase {
  return phase(job.status, job.objectsDataCSVUrl !== undefined && job.aggregateDataCSVUrl !== undefined);
}

/**
 * The phase of a listed job. A list may omit the links: there the status is enough, or jobs that ended long ago would
 * seem to be running.
 */
export function listedPhase(job: Parameters<typeof jobPhase>[0]): JobPhase {
  return mayNameSuccess(job.status) ? 'succeeded' : jobPhase(job);
}

/**
 * Which tables a listed job has. Both, where the list omits the links of a finished job: only a request about the job
 * returns them.
 */
export function listedResults(job: Parameters<typeof jobPhase>[0]): { objects: boolean; aggregate: boolean } {
  const objects = job.objectsDataCSVUrl !== undefined;
  const aggregate = job.aggregateDataCSVUrl !== undefined;
  const untold = !objects && !aggregate && listedPhase(job) === 'succeeded';
  return { objects: objects || untold, aggregate: aggregate || untold };
}

/** The phase of a masks job. */
export function masksPhase(job: Pick<MasksJob, 'status' | 'masksZipUrl'>): JobPhase {
  return phase(job.status, job.masksZipUrl !== undefined);
}

/** An unknown status does not end a job; a status that names a failure does. */
function phase(status: string, hasResults: boolean): JobPhase {
  if (hasResults && mayNameSuccess(status)) return 'succeeded';
  if (namesSuccess(status)) return 'finishing';
  return namesFailure(status) ? 'failed' : 'running';
}
