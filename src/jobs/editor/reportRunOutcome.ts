import * as vscode from 'vscode';
import type { SessionRun } from '../node/jobSessions';
import { nameOfJob } from '../node/nameOfJob';
import { imagesWithoutResult } from '../node/imagesWithoutResult';
import { inputOfRun } from '../node/runAgain';
import type { Log } from '../../base/log';
import { withoutResultText } from '../../words/runWords';
import { runAgainAsPerson } from './submitSteps';
import { showWarningMessage } from '../../host/editor/surfaces/messages';
import { showQuickPick } from '../../host/editor/surfaces/quickPick';

/** Reports how many images of a run have no result, and offers to run these again. */
export async function reportRunOutcome(
  parts: { log: Log },
  { session, record, outcome }: SessionRun,
): Promise<void> {
  const show = vscode.l10n.t('Show Images');
  const name = nameOfJob(vscode.l10n.t, session, record);
  const images = imagesWithoutResult({ items: record.items, outcome });
  const text = withoutResultText(vscode.l10n.t, { name, missing: images.length, all: record.items.length });
  if ((await showWarningMessage(text, show)) !== show) return;
  const selected = await showQuickPick(
    images.map(({ item, name: label }) => ({
      label,
      description: item.id,
      picked: true,
      item,
    })),
    {
      canPickMany: true,
      ignoreFocusOut: true,
      title: vscode.l10n.t('Images without a Result'),
      placeHolder: vscode.l10n.t('Select the images to run again'),
    },
  );
  if (!selected || selected.length === 0) return;
  const items = selected.map(({ item }) => item);
  const { pipelineId, pipelineDescription } = await inputOfRun(session, record.jobId);
  await runAgainAsPerson(parts, session, {
    pipelineId,
    ...(pipelineDescription && { pipelineDescription }),
    filesystemIds: items.map(({ id }) => id),
    items,
  });
}
