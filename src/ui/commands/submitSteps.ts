import * as vscode from 'vscode';
import { Pager } from '../../api/pager';
import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import type { AccountSession } from '../accountSession';
import { formatMoment, shortened } from '../format';
import { askText, runSteps, type Step } from '../multiStep';
import { pickOne } from '../pagedPick';
import { pickItems } from './pickItems';
import { withCancel } from './sendFiles';
import { adopt, submit, type JobRequest } from './submit';

/** What is known of a submission before it is asked about. */
export interface KnownOfJob {
  pipelineId?: string;
  filesystemIds?: readonly string[];
  /** Files that will be uploaded first; then no items are asked for. */
  fileCount?: number;
  name?: string;
}

/** Pipeline, items and name, step by step with Back; what is known is not asked. Undefined on Esc. */
export async function describeSubmission(
  session: AccountSession,
  known: KnownOfJob,
): Promise<JobRequest | undefined> {
  const title = vscode.l10n.t('Submit an analysis job');
  let pipelineId = known.pipelineId;
  let filesystemIds: readonly string[] = known.filesystemIds ?? [];
  let name = known.name ?? '';
  const steps: Step[] = [];
  if (known.pipelineId === undefined) {
    const pipelines = new Pager((startingAfter, signal) =>
      session.client.listPipelines({ ...(startingAfter && { startingAfter }) }, signal),
    );
    steps.push(async place => {
      const answer = await pickOne(
        pipelines,
        ({ id, description, createdAt }) => ({
          label: shortened(description) || id,
          detail: description,
          ...(createdAt && { description: formatMoment(createdAt) }),
        }),
        {
          title,
          placeholder: vscode.l10n.t('Which pipeline?'),
          empty: vscode.l10n.t("There is no active pipeline. Pipelines are made on the service's website"),
          ...place,
        },
      );
      if (answer.kind !== 'answer') return answer.kind;
      pipelineId = answer.value.id;
      return 'next';
    });
  }
  if (known.filesystemIds === undefined && known.fileCount === undefined) {
    steps.push(async place => {
      const answer = await pickItems(session, filesystemIds, { title, ...place });
      if (answer.kind !== 'answer') return answer.kind;
      filesystemIds = answer.value;
      return 'next';
    });
  }
  steps.push(async place => {
    const count = known.fileCount ?? filesystemIds.length;
    const answer = await askText({
      title,
      value: name,
      placeholder: vscode.l10n.t('Name of the job (optional)'),
      prompt:
        count === 1
          ? vscode.l10n.t('Enter submits the job on 1 item; analysing costs credits')
          : vscode.l10n.t('Enter submits the job on {0} items; analysing costs credits', count),
      ...place,
    });
    if (answer.kind !== 'answer') return answer.kind;
    name = answer.value;
    return 'next';
  });
  if (!(await runSteps(steps)) || pipelineId === undefined) return undefined;
  return { pipelineId, filesystemIds: [...filesystemIds], ...(name && { name }) };
}

/** Asks what is missing, submits once, and says so. After an ambiguous failure the user decides, never the program. */
export async function submitAsPerson(
  parts: { log: Log },
  session: AccountSession,
  known: KnownOfJob | JobRequest,
): Promise<void> {
  const request = isComplete(known) ? known : await describeSubmission(session, known);
  if (!request) return;
  try {
    await withCancel(vscode.l10n.t('Submitting the job'), (_progress, signal) =>
      submit(session, request, 'person', signal),
    );
  } catch (error) {
    if (isCoded(error, 'cancelled') && error.details.sent) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Cancelled, but the job had been sent already: it may run and cost credits. Look at the list of jobs.',
        ),
      );
      return;
    }
    if (!isCoded(error, 'ambiguous-submit')) throw error;
    parts.log.warn('It is unknown whether the service accepted a job');
    await settleAmbiguity(parts, session, request, error.details.candidates ?? []);
  }
}

function isComplete(known: KnownOfJob | JobRequest): known is JobRequest {
  // Only the path from "Upload and Analyze" comes with everything asked already.
  return known.pipelineId !== undefined && known.filesystemIds !== undefined && !('fileCount' in known);
}

async function settleAmbiguity(
  parts: { log: Log },
  session: AccountSession,
  request: JobRequest,
  candidates: readonly string[],
): Promise<void> {
  const again = vscode.l10n.t('Submit Again');
  const detail = vscode.l10n.t('A second submission of the same job costs credits too.');
  if (candidates.length === 0) {
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t('The service did not answer, and no new job has appeared in its list so far.'),
      { modal: true, detail },
      again,
    );
    if (answer === again) await submitAsPerson(parts, session, request);
    return;
  }
  const picked = await vscode.window.showQuickPick(
    [
      ...candidates.map(id => ({
        label: id,
        description: vscode.l10n.t('a new job that appeared meanwhile'),
        id,
      })),
      { label: again, description: detail, id: undefined },
    ],
    {
      ignoreFocusOut: true,
      title: vscode.l10n.t('The service did not answer. Is one of these jobs the one you submitted?'),
    },
  );
  if (!picked) return;
  if (picked.id === undefined) await submitAsPerson(parts, session, request);
  else await adopt(session, picked.id, request, 'person');
}
