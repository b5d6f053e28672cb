import type { AnalysisJob } from '../../service/wire';
import { listedResults } from './jobStatus';

/** A job as programs get it. */
export type JobWithoutLinks = Omit<AnalysisJob, 'objectsDataCSVUrl' | 'aggregateDataCSVUrl'> & {
  hasObjects: boolean;
  hasAggregate: boolean;
};

/** A listed job for programs. Links are secrets: a program learns only whether there are results. */
export function jobWithoutLinks(listed: AnalysisJob): JobWithoutLinks {
  const { objects, aggregate } = listedResults(listed);
  const job = { ...listed };
  delete job.objectsDataCSVUrl;
  delete job.aggregateDataCSVUrl;
  return { ...job, hasObjects: objects, hasAggregate: aggregate };
}
