import { isCoded, type CodedError } from '../../base/errors';
import { isUnprotected } from './intents/ownIntent';
import type { SubmitOptions } from './submitGuard';
import type { JobSession } from './jobSessions';
import type { SelectedItem } from './itemSelection';
import type { DescribedRequest } from './jobRequest';
import { submit } from './submit';

/** What is known of a job before its missing parts are requested from a person. */
export interface KnownOfJob {
  pipelineId?: string;
  pipelineDescription?: string;
  filesystemIds?: readonly string[];
  /** What is known of the items besides, or of the files that will be uploaded first. */
  items?: readonly SelectedItem[];
  /** Files that will be uploaded first; items aren't requested then. */
  fileCount?: number;
  name?: string;
  /** Whether its masks are generated as well, as it was chosen before. */
  masks?: boolean;
}

/** Whether nothing has to be requested any more. A job without a name still gets the step that confirms its cost. */
export function isComplete(known: KnownOfJob | DescribedRequest): known is DescribedRequest {
  return known.pipelineId !== undefined && known.filesystemIds !== undefined && !('fileCount' in known);
}

/** The parts to request from a person, in their order. The last one names the number of items and that they use credits. */
export function missingParts(known: KnownOfJob): ('pipeline' | 'items' | 'name')[] {
  return [
    ...(known.pipelineId === undefined ? (['pipeline'] as const) : []),
    ...(known.filesystemIds === undefined && known.fileCount === undefined ? (['items'] as const) : []),
    'name',
  ];
}

/** How a person's submit ended. After an ambiguous one a person decides what to do, never the program. */
export type SubmitOutcome =
  | { kind: 'submitted'; jobId: string }
  /** Canceled after the request was sent: the job may run and use credits. */
  | { kind: 'canceled-after-sending' }
  /** The response was lost. The candidates are new jobs, one of which may be the one submitted. */
  | { kind: 'ambiguous'; candidates: readonly string[] }
  /** Nothing was sent: other windows can't see the submit, and the person hasn't agreed that it goes on all the same. */
  | { kind: 'unprotected'; error: CodedError };

/** Submits a person's job once. Throws what the submit guard throws, but for the outcomes above. */
export async function trySubmit(
  session: JobSession,
  request: DescribedRequest,
  options: SubmitOptions,
): Promise<SubmitOutcome> {
  try {
    return { kind: 'submitted', jobId: await submit(session, request, 'person', options) };
  } catch (error) {
    if (isCoded(error, 'cancelled') && error.details.sent) return { kind: 'canceled-after-sending' };
    if (isUnprotected(error)) return { kind: 'unprotected', error };
    if (!isCoded(error, 'ambiguous-submit')) throw error;
    return { kind: 'ambiguous', candidates: error.details.candidates ?? [] };
  }
}
