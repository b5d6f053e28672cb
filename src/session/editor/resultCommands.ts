import * as vscode from 'vscode';
import { CodedError, isCoded } from '../../base/errors';
import type { TableChoice } from '../../columns/tableSummary';
import { command } from '../../host/editor/command';
import { withCancelIfSlow } from '../../host/editor/progress';
import { showQuickPick } from '../../host/editor/boxes';
import { showFailure, showInformationMessage } from '../../host/editor/messages';
import { explorerUris } from '../../host/editor/uriOptions';
import { text } from '../../host/options';
import { percentIncrements } from '../../host/workProgress';
import { masksForPerson } from '../../jobs/editor/generateMasks';
import { jobOf } from '../../jobs/editor/jobOf';
import { jobsWithObjects } from '../../jobs/node/selectedJobs';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { jobLabel } from '../../jobs/node/treeItems';
import { openedEndings } from '../../results/node/tableFormats';
import type { ResultPart } from '../../service/resultParts';
import { jobColumnName } from '../../words/jobWords';
import { phaseWords } from '../../words/resultWords';
import type { OpenResults, TargetColumn } from '../node/openResults';
import type { ResultSession } from '../node/resultSession';
import {
  activeJobResult,
  FileResult,
  JobResult,
  JoinedJobsResult,
  type ResultSource,
} from '../node/resultSource';

interface ResultCommandDependencies {
  sessions: JobSessions;
  results: OpenResults;
}

/** Commands that open tables and masks of jobs and local files, and commands of image editors. */
export function resultCommands({ sessions, results }: ResultCommandDependencies) {
  const openPart = (part: 'objects' | 'aggregate' | 'masks') =>
    command({
      options: { jobId: text },
      program: async ({ jobId }) => {
        await results.show(await activeJobResult(vscode.l10n.t, sessions, jobId), part, {
          closeOnFailure: true,
        });
      },
      person: async commandArgs => {
        const session = await sessions.active();
        const jobs = part === 'objects' ? selectedJobs(commandArgs) : [];
        if (jobs.length > 1) {
          const joined = new JoinedJobsResult({
            sessions,
            accountId: session.account.id,
            jobs,
            jobColumn: jobColumnName(vscode.l10n.t),
          });
          await showToPerson(results, joined, part);
          return;
        }
        const job = await jobOf(session, commandArgs, 'succeeded');
        if (!job) return;
        const source = new JobResult(sessions, session.account.id, job.id, job.label);
        await showToPerson(results, source, part);
      },
    });
  const openFile = (part: 'file' | 'masks', extensions: readonly string[]) =>
    command({
      options: {},
      program: async (_options, commandArgs) => {
        const [uri] = explorerUris(commandArgs);
        if (!uri) throw new CodedError('bad-request', 'No file was given', { subject: 'uri' });
        await results.show(new FileResult(uri, part), part, { closeOnFailure: true });
      },
      person: async commandArgs => {
        const selectedUris = explorerUris(commandArgs);
        const uris =
          selectedUris.length > 0
            ? selectedUris
            : await vscode.window.showOpenDialog({
                canSelectMany: true,
                filters: { [extensions.join(', ')]: [...extensions] },
              });
        for (const uri of uris ?? []) await showToPerson(results, new FileResult(uri, part), part);
      },
    });
  const analyzeOpenImage = async () => {
    const { activeImage } = results;
    // Run it as a person's call, which asks for the pipeline and shows failures.
    if (activeImage) {
      const uri = vscode.Uri.parse(activeImage.uri.toString());
      await vscode.commands.executeCommand('imageAnalysis.analyzeFiles', uri);
    }
  };
  const openShownFile = async (commandArgs: readonly unknown[]) => {
    const [uri] = explorerUris(commandArgs);
    if (uri) await showToPerson(results, new FileResult(uri, 'file'), 'file');
  };
  return {
    openObjectsTable: openPart('objects'),
    openAggregateTable: openPart('aggregate'),
    openMasks: openPart('masks'),
    openTableFile: openFile('file', openedEndings),
    openMasksFile: openFile('masks', ['zip']),
    // A button in the title bar of image editors.
    analyzeOpenImage: command({ options: {}, program: analyzeOpenImage, person: analyzeOpenImage }),
    // A button in the title bar of text editors. VS Code passes a plain object, as a program would,
    // so both kinds of calls do the same.
    openShownFileAsTable: command({
      options: {},
      program: (_options, commandArgs) => openShownFile(commandArgs).catch(showFailure),
      person: openShownFile,
    }),
  };
}

/** Selected jobs that have objects. A tree passes its selection as the second argument. */
function selectedJobs([, selected]: readonly unknown[]): { id: string; label: string }[] {
  return jobsWithObjects(Array.isArray(selected) ? selected : []).map(node => ({
    id: node.id,
    label: jobLabel(vscode.l10n.t, node),
  }));
}

/**
 * Shows a part of a result to a person. If masks were never requested, it offers to generate them
 * and waits. The panel shows other failures with a button to retry, so they aren't shown here.
 */
export async function showToPerson(
  results: OpenResults,
  source: ResultSource,
  part: ResultPart,
  targetColumn?: TargetColumn,
): Promise<void> {
  let keepsFocus = false;
  if (part === 'masks' && source instanceof JobResult) {
    const masks = await masksForPerson(await source.session(), { id: source.jobId, label: source.title });
    if (masks === undefined) return;
    // The person may have started other work while the masks were generated.
    keepsFocus = masks === 'generated';
  }
  const session = part === 'objects' ? results.sessionOf(source) : undefined;
  if (session && (await session.tableSources.needsChoice())) return chooseTableOfMasks(results, session);
  await results
    .show(source, part, { keepsFocus, ...(targetColumn && { targetColumn }) })
    .catch((error: unknown) => {
      if (!(error instanceof CodedError)) throw error;
    });
}

/**
 * Lets a person choose the table for masks that have none, and shows it: measured from the masks,
 * or a file whose rows are linked to the objects. On Esc, or if it can't be opened, nothing
 * changes.
 */
export async function chooseTableOfMasks(results: OpenResults, session: ResultSession): Promise<void> {
  const choice = await selectTable(session.source.title);
  if (!choice) return;
  await withCancelIfSlow(
    choice.kind === 'measured'
      ? vscode.l10n.t('Measuring the objects of {0}', session.source.title)
      : vscode.l10n.t('Reading the table for {0}', session.source.title),
    async (signal, progress) => {
      const increment = percentIncrements();
      const listener = session.onDidProgress(({ part, phase, done, total }) => {
        if (part !== 'objects' || total === 0) return;
        const message = phaseWords(vscode.l10n.t, phase);
        progress.report({ message, increment: increment((done / total) * 100) });
      });
      try {
        await session.chooseTable(choice, signal);
      } finally {
        listener.dispose();
      }
    },
  ).then(
    () => showTable(results, session),
    (error: unknown) => {
      if (!isCoded(error, 'cancelled')) throw error;
    },
  );
}

async function showTable(results: OpenResults, { source }: ResultSession): Promise<void> {
  // The masks may have been closed in the meantime.
  if (!results.sessionOf(source)) return;
  await results.show(source, 'objects').catch((error: unknown) => {
    if (!(error instanceof CodedError)) throw error;
  });
}

async function selectTable(title: string): Promise<TableChoice | undefined> {
  const items = [
    {
      label: vscode.l10n.t('Measure from Masks'),
      detail: vscode.l10n.t(
        'Creates a table of ID, class, area, perimeter, axes, Feret diameter and centroid, with intensities where the background image is known',
      ),
      isFile: false,
    },
    {
      label: vscode.l10n.t('Select a Table…'),
      detail: vscode.l10n.t('Links the rows of a CSV or TSV file to the objects by image and ID'),
      isFile: true,
    },
  ];
  const selected = await showQuickPick(items, {
    title: vscode.l10n.t('Table for {0}', title),
    placeHolder: vscode.l10n.t('These masks come without a table'),
  });
  if (!selected) return undefined;
  if (!selected.isFile) return { kind: 'measured' };
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Select a Table for {0}', title),
      openLabel: vscode.l10n.t('Link Table'),
      filters: { [vscode.l10n.t('Table')]: [...openedEndings] },
    })) ?? [];
  return uri && { kind: 'file', uri: uri.toString() };
}

/**
 * Bytes of a large text file, which VS Code shows slowly, and not at all remotely or in browsers.
 */
const LARGE_TEXT = 50 * 2 ** 20;

/** Offers a table in place of a text file that is too large for a text editor. */
export async function offerTableOf(uri: vscode.Uri): Promise<void> {
  const size = await vscode.workspace.fs.stat(uri).then(
    ({ size: bytes }) => bytes,
    () => 0,
  );
  if (size < LARGE_TEXT) return;
  const open = vscode.l10n.t('Open Table');
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const message = vscode.l10n.t('"{0}" is too large for a text editor. Open it as a table?', name);
  if ((await showInformationMessage(message, open)) === open)
    await vscode.commands.executeCommand('imageAnalysis.openTableFile', uri);
}
