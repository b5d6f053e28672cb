import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../../base/log';
import { command } from '../../host/editor/command';
import { withCancel } from '../../host/editor/progress';
import { showFailure, showInformationMessage } from '../../host/editor/messages';
import { showQuickPick } from '../../host/editor/boxes';
import { pathOnDisk } from '../../host/editor/uriOptions';
import { oneOf, optional, optionalFlag, optionalText, text, texts } from '../../host/options';
import { saveWithDialog } from '../../results/editor/savePlace';
import type { JobSession, JobSessions } from '../node/jobSessions';
import { masksOf, requestMasks } from '../node/masksOfJob';
import { inputOfRun, withoutPipeline } from '../node/runAgain';
import { jobFromSelection } from '../node/submission';
import { submit } from '../node/submit';
import { generateAsPerson } from './generateMasks';
import { jobOf } from './jobOf';
import { runAgainAsPerson, submitAsPerson } from './submitSteps';

interface JobCommandDependencies {
  sessions: JobSessions;
  log: Log;
}

/** Commands that submit jobs, wait for them, generate masks, and save results. */
export function jobCommands({ sessions, log }: JobCommandDependencies) {
  return {
    submitJob: command({
      options: { pipelineId: text, filesystemIds: texts, name: optionalText },
      program: async ({ name, ...request }) => ({
        jobId: await submit(await sessions.active(), { ...request, ...(name && { name }) }, 'program'),
      }),
      person: async commandArgs =>
        submitAsPerson({ log }, await sessions.active(), jobFromSelection(commandArgs)),
    }),
    runAgain: command({
      options: { jobId: text, pipelineId: optionalText, name: optionalText },
      program: async ({ jobId, pipelineId, name }) => {
        const session = await sessions.active();
        const earlier = await inputOfRun(session, jobId);
        const input = pipelineId && pipelineId !== earlier.pipelineId ? withoutPipeline(earlier) : earlier;
        const request = { ...input, pipelineId: pipelineId || earlier.pipelineId, ...(name && { name }) };
        return { jobId: await submit(session, request, 'program') };
      },
      person: async commandArgs => {
        const session = await sessions.active();
        const job = await jobOf(session, commandArgs, 'known');
        if (job) await runAgainAsPerson({ log }, session, await inputOfRun(session, job.id));
      },
    }),
    waitForJob: command({
      options: { jobId: text, masks: optionalFlag },
      program: async ({ jobId, masks }) => {
        const session = await sessions.active();
        // The program uses the results, so they don't open by themselves.
        session.awaited.delete({ jobId, what: masks ? 'masks' : 'analysis' });
        const { status, percentageCompleted } = await session.tracker.waitFor(jobId, { masks });
        return { status, percentageCompleted };
      },
    }),
    generateMasks: command({
      options: { jobId: text },
      program: async ({ jobId }) => {
        const session = await sessions.active();
        const existing = await masksOf(session, jobId);
        return { status: (existing ?? (await requestMasks(session, jobId, 'program'))).status };
      },
      person: async commandArgs => {
        const session = await sessions.active();
        const job = await jobOf(session, commandArgs, 'succeeded');
        if (job) await generateAsPerson(session, job);
      },
    }),
    downloadResults: command({
      options: {
        jobId: text,
        what: oneOf(['objects', 'aggregate', 'masks']),
        destination: optional(pathOnDisk),
        overwrite: optionalFlag,
      },
      program: async ({ jobId, what, destination, overwrite }) => {
        const { resultFiles } = await sessions.active();
        return destination === undefined
          ? await resultFiles.fetch({ jobId, part: what })
          : await resultFiles.save({ jobId, part: what, destination, overwrite });
      },
      person: async commandArgs => {
        const session = await sessions.active();
        const job = await jobOf(session, commandArgs, 'succeeded');
        if (job) await saveAsPerson(session, job.id, job.label);
      },
    }),
  };
}

async function saveAsPerson(session: JobSession, jobId: string, label: string): Promise<void> {
  const kinds = [
    { label: vscode.l10n.t('Objects table (CSV)'), what: 'objects' as const, extension: 'csv' },
    { label: vscode.l10n.t('Aggregate table (CSV)'), what: 'aggregate' as const, extension: 'csv' },
    { label: vscode.l10n.t('Masks archive (zip)'), what: 'masks' as const, extension: 'zip' },
  ];
  const selected = await showQuickPick(kinds, {
    placeHolder: vscode.l10n.t('Select a result of "{0}" to save', label),
  });
  if (!selected) return;
  const file = {
    name: `${label}_${selected.what}.${selected.extension}`,
    filters: { [selected.label]: [selected.extension] },
    title: vscode.l10n.t('Save {0}', selected.label),
  };
  const written = await saveWithDialog(file, destination =>
    withCancel(vscode.l10n.t('Saving {0}', path.basename(destination)), (_progress, signal) =>
      // The save dialog confirms that an existing file is replaced.
      session.resultFiles.save({ jobId, part: selected.what, destination, overwrite: true }, signal),
    ),
  );
  if (!written) return;
  const target = vscode.Uri.file(written.path);
  const open = vscode.l10n.t('Reveal in Explorer');
  void showInformationMessage(vscode.l10n.t('Saved {0}.', path.basename(written.path)), open)
    .then(button =>
      button === open ? vscode.commands.executeCommand('revealInExplorer', target) : undefined,
    )
    .then(undefined, showFailure);
}
