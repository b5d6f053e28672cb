import * as vscode from 'vscode';
import type { SessionJob } from '../node/jobSessions';
import { inputOfRun } from '../node/runAgain';
import type { Log } from '../../base/log';
import { generateAsPerson } from './generateMasks';
import { runAgainAsPerson } from './submitSteps';

/** The button that has a failed job run again. */
export interface JobAgain {
  label: string;
  act: () => Promise<void>;
}

/**
 * Runs a failed job again, or requests failed masks again. Undefined for a job that may still run, and for one whose input isn't
 * known here.
 */
export async function jobAgain(
  parts: { log: Log },
  { session, job: { jobId, what, phase } }: SessionJob,
  name: string,
): Promise<JobAgain | undefined> {
  if (phase !== 'failed') return undefined;
  if (what === 'masks')
    return {
      label: vscode.l10n.t('Generate Masks…'),
      act: () => generateAsPerson(session, { id: jobId, label: name }),
    };
  const submitted = await session.submittedJobs.find(jobId);
  if (!submitted || submitted.filesystemIds.length === 0) return undefined;
  return {
    label: vscode.l10n.t('Run Again…'),
    act: async () => runAgainAsPerson(parts, session, await inputOfRun(session, jobId)),
  };
}
