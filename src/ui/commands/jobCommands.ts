import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import type { ResultKind } from '../../results/resultFiles';
import type { AccountSession } from '../accountSession';
import type { AccountSessions } from '../accountSessions';
import { optionalFlag, optionalText, requiredText, requiredTexts, toUri } from '../programCall';
import { FileNode } from '../trees/filesTree';
import { PipelineNode } from '../trees/pipelinesTree';
import { showFailure } from '../userMessages';
import { jobOf } from './jobOf';
import { masksOf, requestMasks } from './masksOfJob';
import { registerCommand } from './register';
import { withCancel } from './sendFiles';
import { submit } from './submit';
import { submitAsPerson } from './submitSteps';

export interface JobCommandParts {
  sessions: AccountSessions;
  log: Log;
}

/** Submitting, waiting, generating masks, saving results. */
export function registerJobCommands({ sessions, log }: JobCommandParts): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand(
      'submitJob',
      {
        program: async options => {
          const request = {
            pipelineId: requiredText(options, 'pipelineId'),
            filesystemIds: requiredTexts(options, 'filesystemIds'),
          };
          const name = optionalText(options, 'name');
          return {
            jobId: await submit(await sessions.active(), { ...request, ...(name && { name }) }, 'program'),
          };
        },
        person: async rest => submitAsPerson({ log }, await sessions.active(), knownFromTree(rest)),
      },
      log,
    ),
  );
  store.add(
    registerCommand(
      'waitForJob',
      {
        program: async options => {
          const session = await sessions.active();
          const jobId = requiredText(options, 'jobId');
          const masks = optionalFlag(options, 'masks');
          const { status, percentageCompleted } = await session.tracker.waitFor(jobId, { masks });
          return { status, percentageCompleted };
        },
      },
      log,
    ),
  );
  store.add(
    registerCommand(
      'generateMasks',
      {
        program: async options => {
          const session = await sessions.active();
          const jobId = requiredText(options, 'jobId');
          const existing = await masksOf(session, jobId);
          return { status: (existing ?? (await requestMasks(session, jobId, 'program'))).status };
        },
        person: async rest => {
          const session = await sessions.active();
          const job = await jobOf(session, rest);
          if (job) await generateAsPerson(session, job.id, job.label);
        },
      },
      log,
    ),
  );
  store.add(
    registerCommand(
      'downloadResults',
      {
        program: async options => {
          const session = await sessions.active();
          return await saveAsProgram(session, options);
        },
        person: async rest => {
          const session = await sessions.active();
          const job = await jobOf(session, rest, 'succeeded');
          if (job) await saveAsPerson(session, job.id, job.label);
        },
      },
      log,
    ),
  );
  return store;
}

/** What a tree selection says of a job to submit: a pipeline, or items. */
function knownFromTree(rest: readonly unknown[]): { pipelineId?: string; filesystemIds?: string[] } {
  const [clicked, selected] = rest;
  if (clicked instanceof PipelineNode) return { pipelineId: clicked.id };
  const nodes = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const items = nodes.filter(node => node instanceof FileNode);
  return items.length > 0 ? { filesystemIds: items.map(({ id }) => id) } : {};
}

/** Masks cost money, so a person is asked; what exists already is not asked for again. */
export async function generateAsPerson(session: AccountSession, jobId: string, label: string): Promise<void> {
  const existing = await masksOf(session, jobId);
  if (existing) {
    const text =
      existing.masksZipUrl === undefined
        ? vscode.l10n.t('The masks of "{0}" are being generated already.', label)
        : vscode.l10n.t('The masks of "{0}" have been generated already.', label);
    void vscode.window.showInformationMessage(text);
    return;
  }
  const generate = vscode.l10n.t('Generate Masks');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Generate the masks of "{0}"?', label),
    {
      modal: true,
      detail: vscode.l10n.t('The service generates masks only on request; this costs credits.'),
    },
    generate,
  );
  if (answer === generate) await requestMasks(session, jobId, 'person', label);
}

const resultKinds: readonly ResultKind[] = ['objects', 'aggregate', 'masks'];

async function saveAsProgram(
  session: AccountSession,
  options: Record<string, unknown>,
): Promise<{ path: string; bytes: number }> {
  const jobId = requiredText(options, 'jobId');
  const what = resultKinds.find(kind => kind === options['what']);
  if (!what) {
    throw new CodedError('bad-request', 'The argument "what" must be objects, aggregate or masks', {
      subject: 'what',
    });
  }
  const destination = options['destination'];
  const overwrite = optionalFlag(options, 'overwrite');
  if (destination === undefined) return await session.resultFiles.fetch(jobId, what);
  return await session.resultFiles.save(jobId, what, diskPath(destination), { overwrite });
}

function diskPath(destination: unknown): string {
  const uri = toUri(destination, 'destination');
  if (uri.scheme !== 'file') {
    throw new CodedError('bad-request', 'The destination must be a file on disk', { subject: 'destination' });
  }
  return uri.fsPath;
}

async function saveAsPerson(session: AccountSession, jobId: string, label: string): Promise<void> {
  const kinds = [
    { label: vscode.l10n.t('Objects table (CSV)'), what: 'objects' as const, extension: 'csv' },
    { label: vscode.l10n.t('Aggregate table (CSV)'), what: 'aggregate' as const, extension: 'csv' },
    { label: vscode.l10n.t('Masks archive (zip)'), what: 'masks' as const, extension: 'zip' },
  ];
  const chosen = await vscode.window.showQuickPick(kinds, {
    placeHolder: vscode.l10n.t('Which result of "{0}"?', label),
  });
  if (!chosen) return;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri;
  const name = `${label.replace(/[^\p{L}\p{N} ._-]+/gu, '-')} ${chosen.what}.${chosen.extension}`;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [chosen.label]: [chosen.extension] },
  });
  if (!target) return;
  // The save dialog has asked before it lets an existing file be chosen.
  const saved = await withCancel(
    vscode.l10n.t('Saving {0}', path.basename(target.fsPath)),
    (_progress, signal) =>
      session.resultFiles.save(jobId, chosen.what, diskPath(target), { overwrite: true }, signal),
  );
  const open = vscode.l10n.t('Reveal in Explorer');
  void vscode.window
    .showInformationMessage(vscode.l10n.t('Saved {0}.', path.basename(saved.path)), open)
    .then(answer =>
      answer === open ? vscode.commands.executeCommand('revealInExplorer', target) : undefined,
    )
    .then(undefined, showFailure);
}
