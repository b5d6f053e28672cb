import type { RunItem } from './runs/runRecord';

/** A job to submit, in the service's names. */
export interface JobRequest {
  pipelineId: string;
  filesystemIds: string[];
  name?: string;
}

/** A job to submit, and what its run record tells besides. */
export interface DescribedRequest extends JobRequest {
  pipelineDescription?: string;
  /** The items, as far as more is known of them than their IDs. */
  items?: readonly RunItem[];
  /** Whether its masks are generated once it has succeeded, which uses credits too. */
  masks?: boolean;
}
