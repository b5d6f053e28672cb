import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import { canHavePopulations, exportFormatNames } from '../engine/exportFormats';
import type { ExportReport } from '../exportRequest';
import { command } from '../../host/editor/command';
import { pathOnDisk, uri } from '../../host/editor/uriOptions';
import { showFailure } from '../../host/editor/messages';
import {
  badOption,
  oneOf,
  optional,
  optionalFlag,
  optionalOneOf,
  optionalText,
  texts,
} from '../../host/options';
import { masksForPerson } from '../../jobs/editor/generateMasks';
import { jobOf } from '../../jobs/editor/jobOf';
import { jobOfNode } from '../../jobs/node/jobNodes';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { reasonWords } from '../../words/reasonWords';
import type { ExportChoice, MasksExporter } from '../node/masksExporter';
import type { OpenResults } from '../../session/node/openResults';
import { activeJobResult, FileResult, JobResult, type ResultSource } from '../../session/node/resultSource';

interface ExportCommandDependencies {
  sessions: JobSessions;
  results: OpenResults;
  exporter: MasksExporter;
}

/** Commands that export masks of a job, a file on disk, or the active panel. */
export function exportCommands(dependencies: ExportCommandDependencies) {
  const { results, exporter } = dependencies;
  const exportOf = async (source: ResultSource | undefined) => {
    if (source) await (await import('./exportSteps')).exportAsPerson(exporter, source);
  };
  const exportActive = () => exportOf(results.activeMasks);
  return {
    exportMasks: command({
      options: {
        jobId: optionalText,
        uri: optional(uri),
        format: oneOf(exportFormatNames),
        destination: pathOnDisk,
        images: optional(texts),
        classes: optional(texts),
        objects: optionalOneOf(['all', 'shown']),
        perClass: optionalFlag,
        populations: optionalFlag,
        overwrite: optionalFlag,
      },
      program: async ({ jobId, uri: file, images, classes, ...choice }) => {
        if (choice.populations && !canHavePopulations(choice.format))
          throw badOption('populations', 'of "geojson" or "coco"');
        const source = await sourceOfProgram(dependencies.sessions, jobId, file);
        return await exportAsProgram(exporter, source, {
          ...choice,
          ...(images && { images }),
          ...(classes && { classes }),
        });
      },
      person: async args => exportOf(await sourceOfPerson(dependencies, args)),
    }),
    // A click in an editor's title passes a plain object, as a program would: both do the same.
    exportOpenMasks: command({
      options: {},
      program: () => exportActive().catch(showFailure),
      person: exportActive,
    }),
  };
}

async function exportAsProgram(
  exporter: MasksExporter,
  source: ResultSource,
  choice: ExportChoice,
): Promise<ProgramExportReport> {
  const { signal } = new AbortController();
  const masks = await exporter.open(source, () => undefined, signal);
  try {
    return programReport(await masks.export(choice, () => undefined, signal));
  } finally {
    masks.dispose();
  }
}

/** The result for programs, with reasons as texts. */
type ProgramExportReport = Omit<ExportReport, 'unreadable'> & {
  unreadable: { image: string; id: string; reason: string }[];
};

function programReport(report: ExportReport): ProgramExportReport {
  const unreadable = report.unreadable.map(({ reason, ...object }) => ({
    ...object,
    reason: reasonWords(vscode.l10n.t, reason),
  }));
  return { ...report, unreadable };
}

async function sourceOfProgram(
  sessions: JobSessions,
  jobId: string | undefined,
  file: vscode.Uri | undefined,
): Promise<ResultSource> {
  if (jobId !== undefined && file === undefined && jobId !== '') {
    return await activeJobResult(vscode.l10n.t, sessions, jobId);
  }
  if (file === undefined || jobId !== undefined) throw badOption('jobId', 'given, or else "uri"');
  return new FileResult(file, 'masks');
}

/**
 * The source for a user's call: the clicked job or file, the active masks, or a job from a list.
 * Without an account, asks for a file.
 */
async function sourceOfPerson(
  { sessions, results }: ExportCommandDependencies,
  args: readonly unknown[],
): Promise<ResultSource | undefined> {
  const [clicked] = args;
  if (clicked instanceof vscode.Uri) return new FileResult(clicked, 'masks');
  if (!jobOfNode(clicked) && results.activeMasks) return results.activeMasks;
  const session = await sessions.active().catch((error: unknown) => {
    if (isCoded(error, 'signed-out')) return undefined;
    throw error;
  });
  if (!session) {
    const [file] = (await vscode.window.showOpenDialog({ filters: { zip: ['zip'] } })) ?? [];
    return file && new FileResult(file, 'masks');
  }
  const job = await jobOf(session, args, 'succeeded');
  if (!job || !(await masksForPerson(session, job))) return undefined;
  return new JobResult(sessions, session.account.id, job.id, job.label);
}
