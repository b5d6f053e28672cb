import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { exportFormats } from '../../formats/exportRequest';
import type { AccountSessions } from '../accountSessions';
import type { ExportChoice, MasksExporter } from '../masksExporter';
import type { ResultSource } from '../panels/resultSource';
import type { ResultSessions } from '../panels/resultSessions';
import { optionalFlag, optionalText, requiredTexts, toUri } from '../programCall';
import { FileResult, JobResult } from '../resultSources';
import { JobNode } from '../trees/jobsTree';
import { exportAsPerson } from './exportSteps';
import { jobOf } from './jobOf';
import { registerCommand } from './register';
import { masksAreThere } from './resultCommands';
import { showFailure } from '../userMessages';

export interface ExportCommandParts {
  sessions: AccountSessions;
  results: ResultSessions;
  exporter: MasksExporter;
  log: Log;
}

/** Exporting masks: of a job, of a file on disk, or of the panel in front. */
export function registerExportCommands(parts: ExportCommandParts): Disposable {
  const { results, exporter, log } = parts;
  const store = new DisposableStore();
  const exportOf = async (source: ResultSource | undefined) => {
    if (source) await exportAsPerson(exporter, source);
  };
  store.add(
    registerCommand(
      'exportMasks',
      {
        program: options => exportAsProgram(parts, options),
        person: async rest => exportOf(await sourceOfPerson(parts, rest)),
      },
      log,
    ),
  );
  // The title of an editor adds a plain object of its own to the call: a person makes it all the same.
  const ofPanel = () => exportOf(results.activeMasks);
  store.add(
    registerCommand('exportOpenMasks', { program: () => ofPanel().catch(showFailure), person: ofPanel }, log),
  );
  return store;
}

async function exportAsProgram(
  { sessions, exporter }: ExportCommandParts,
  options: Record<string, unknown>,
): Promise<unknown> {
  const choice = readChoice(options);
  const source = await sourceOfProgram(sessions, options);
  const { signal } = new AbortController();
  const masks = await exporter.open(source, () => undefined, signal);
  try {
    return await masks.export(choice, () => undefined, signal);
  } finally {
    masks.dispose();
  }
}

function readChoice(options: Record<string, unknown>): ExportChoice {
  const format = exportFormats.find(one => one === options['format']);
  if (!format) throw badArgument('format', `one of ${exportFormats.join(', ')}`);
  const objects = (['all', 'shown'] as const).find(one => one === (options['objects'] ?? 'all'));
  if (!objects) throw badArgument('objects', 'all or shown');
  const destination = toUri(options['destination'], 'destination');
  if (destination.scheme !== 'file') throw badArgument('destination', 'a folder on disk');
  return {
    format,
    destination: destination.fsPath,
    objects,
    perClass: optionalFlag(options, 'perClass'),
    overwrite: optionalFlag(options, 'overwrite'),
    ...(options['images'] !== undefined && { images: requiredTexts(options, 'images') }),
    ...(options['classes'] !== undefined && { classes: requiredTexts(options, 'classes') }),
  };
}

async function sourceOfProgram(
  sessions: AccountSessions,
  options: Record<string, unknown>,
): Promise<ResultSource> {
  const jobId = optionalText(options, 'jobId');
  if ((jobId === undefined) === (options['uri'] === undefined))
    throw badArgument('jobId', 'given, or else "uri"');
  if (jobId === undefined) return new FileResult(toUri(options['uri']), 'masks');
  if (jobId === '') throw badArgument('jobId', 'a non-empty string');
  const session = await sessions.active();
  const label = (await session.submittedJobs.find(jobId))?.name ?? jobId;
  return new JobResult(sessions, session.account.id, jobId, label);
}

/** What a person means: the job or the file clicked, the masks in front, a job picked, or without account a file. */
async function sourceOfPerson(
  { sessions, results }: ExportCommandParts,
  rest: readonly unknown[],
): Promise<ResultSource | undefined> {
  const [clicked] = rest;
  if (clicked instanceof vscode.Uri) return new FileResult(clicked, 'masks');
  if (!(clicked instanceof JobNode) && results.activeMasks) return results.activeMasks;
  const session = await sessions.active().catch((error: unknown) => {
    if (isCoded(error, 'signed-out')) return undefined;
    throw error;
  });
  if (!session) {
    const [uri] = (await vscode.window.showOpenDialog({ filters: { zip: ['zip'] } })) ?? [];
    return uri && new FileResult(uri, 'masks');
  }
  const job = await jobOf(session, rest, 'succeeded');
  if (!job || !(await masksAreThere(session, job))) return undefined;
  return new JobResult(sessions, session.account.id, job.id, job.label);
}

function badArgument(name: string, expected: string): CodedError {
  return new CodedError('bad-request', `The argument "${name}" must be ${expected}`, { subject: name });
}
