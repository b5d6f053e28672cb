import * as vscode from 'vscode';
import { pickOne } from '../../host/editor/dialogSteps';
import { jobOfNode } from '../node/jobNodes';
import type { JobSession } from '../node/jobSessions';
import { SelectableJobs, type UsefulJobs } from '../node/listedJobs';
import { jobLabel } from '../node/treeItems';

/** The job of a person's call: the one clicked in the tree, or one selected from a list. Undefined on Esc. */
export async function jobOf(
  session: JobSession,
  rest: readonly unknown[],
  only?: UsefulJobs,
): Promise<{ id: string; label: string } | undefined> {
  const clicked = jobOfNode(rest[0]);
  const { t } = vscode.l10n;
  if (clicked) return { id: clicked.id, label: jobLabel(t, clicked) };
  const selected = await pickOne(
    new SelectableJobs(session, only),
    job => ({
      label: jobLabel(t, job),
      description: job.resource.status.toLowerCase(),
      detail: job.id,
    }),
    {
      title: vscode.l10n.t('Analysis Jobs'),
      placeholder: vscode.l10n.t('Select a job'),
      empty: vscode.l10n.t('No jobs available'),
      step: 1,
      totalSteps: 1,
      canGoBack: false,
    },
  );
  return selected.kind === 'value'
    ? { id: selected.value.id, label: jobLabel(t, selected.value) }
    : undefined;
}
