import * as path from 'node:path';
import * as vscode from 'vscode';
import { showQuickPick } from '../../host/editor/boxes';
import { masksForPerson } from '../../jobs/editor/generateMasks';
import { jobOf, jobToCompareWith } from '../../jobs/editor/jobOf';
import { jobOfNode } from '../../jobs/node/jobNodes';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { FileResult, JobResult, type ResultSource } from '../../session/node/resultSource';

/** Extensions of files with masks or ground truth. */
const EXTENSIONS = ['zip', 'json', 'geojson', 'png', 'tif', 'tiff'];

/** Two results to compare; `a` is the reference. */
interface ComparedResults {
  a: ResultSource;
  b: ResultSource;
}

interface CompareStepsDependencies {
  sessions: JobSessions;
  /** The masks in the active panel. */
  activeMasks: ResultSource | undefined;
}

/** The results that a user compares, from the selection or from prompts. Undefined on Esc. */
export async function selectMasksToCompare(
  dependencies: CompareStepsDependencies,
  [clicked, selected]: readonly unknown[],
): Promise<ComparedResults | undefined> {
  const nodes: unknown[] = Array.isArray(selected) && selected.length === 2 ? selected : [clicked];
  const files = nodes.filter(node => node instanceof vscode.Uri);
  const [firstFile, secondFile] = files;
  if (firstFile && secondFile)
    return await chooseReference(new FileResult(firstFile, 'masks'), new FileResult(secondFile, 'masks'));
  const jobs = nodes.map(jobOfNode).filter(job => job !== undefined);
  const [firstJob, secondJob] = jobs;
  if (firstJob && secondJob && firstJob !== secondJob) {
    const a = await jobSource(dependencies, [firstJob]);
    const b = a && (await jobSource(dependencies, [secondJob]));
    return a && b && { a, b };
  }
  const source = await firstSource(dependencies, firstFile, firstJob);
  return source && (await withOtherSide(dependencies, source));
}

/** The masks that were clicked or are in view, or else masks that the user selects. */
async function firstSource(
  dependencies: CompareStepsDependencies,
  file: vscode.Uri | undefined,
  job: ReturnType<typeof jobOfNode>,
): Promise<ResultSource | undefined> {
  if (file) return new FileResult(file, 'masks');
  if (job) return await jobSource(dependencies, [job]);
  if (dependencies.activeMasks) return dependencies.activeMasks;
  const kind = await pickKind(vscode.l10n.t('Select the masks to compare'));
  return kind && (await sourceOfKind(dependencies, kind));
}

/**
 * Prompts for the masks to compare with, and for the reference. Of two jobs, the first is the
 * reference.
 */
async function withOtherSide(
  dependencies: CompareStepsDependencies,
  source: ResultSource,
): Promise<ComparedResults | undefined> {
  const kind = await pickKind(vscode.l10n.t('Select what to compare "{0}" with', source.title));
  const other = kind && (await sourceOfKind(dependencies, kind, source));
  if (!kind || !other) return undefined;
  if (kind !== 'job') return await chooseReference(other, source);
  return source instanceof FileResult ? await chooseReference(source, other) : { a: source, b: other };
}

type SourceKind = 'job' | 'file' | 'folder';

async function pickKind(placeHolder: string): Promise<SourceKind | undefined> {
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { source: SourceKind })[] = [
    { source: 'job', label: t('Job…'), description: t('Its masks') },
    {
      source: 'file',
      label: t('File…'),
      description: t('COCO JSON, QuPath GeoJSON, ImageJ RoiSet.zip, a label image, or a masks archive'),
    },
    { source: 'folder', label: t('Folder…'), description: t('Label images, GeoJSON files or ROI sets') },
  ];
  return (await showQuickPick(items, { title: t('Compare Masks'), placeHolder }))?.source;
}

/** Prompts for a result of a kind. `selected` is the other side, if the user has selected it. */
async function sourceOfKind(
  dependencies: CompareStepsDependencies,
  kind: SourceKind,
  selected?: ResultSource,
): Promise<ResultSource | undefined> {
  if (kind === 'job') return await jobSource(dependencies, [], selected);
  const isFile = kind === 'file';
  const [file] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: isFile,
      canSelectFolders: !isFile,
      openLabel: vscode.l10n.t({ message: 'Compare', comment: 'Verb' }),
      ...(isFile && { filters: { [vscode.l10n.t('Masks')]: EXTENSIONS } }),
    })) ?? [];
  return file && new FileResult(file, 'masks');
}

/**
 * A job with its masks, generated if the user agrees: the job of the clicked nodes, else one that
 * the user selects. `selected` is the other side, if the user has selected it.
 */
async function jobSource(
  { sessions }: CompareStepsDependencies,
  nodes: readonly unknown[],
  selected?: ResultSource,
): Promise<ResultSource | undefined> {
  const session = await sessions.active();
  // A job of another account has other items, and its ID may also belong to another job of this
  // account.
  const otherJob =
    selected instanceof JobResult && selected.accountId === session.account.id ? selected : undefined;
  const job = otherJob
    ? await jobToCompareWith(session, { id: otherJob.jobId, label: otherJob.title })
    : await jobOf(session, nodes, 'succeeded');
  if (!job || !(await masksForPerson(session, job))) return undefined;
  return new JobResult(sessions, session.account.id, job.id, job.label);
}

/** Lets the user select which of two results is the reference; `proposed` is listed first. */
async function chooseReference(
  proposed: ResultSource,
  other: ResultSource,
): Promise<ComparedResults | undefined> {
  const { t } = vscode.l10n;
  const items = [proposed, other].map(source => ({
    label: source.title,
    ...(source instanceof FileResult && { description: path.dirname(source.uri.fsPath) }),
    source,
  }));
  const choice = await showQuickPick(items, {
    title: t('Compare Masks'),
    placeHolder: t('Select the reference (A), such as the ground truth. The other one is judged by it.'),
  });
  if (!choice) return undefined;
  return choice.source === proposed ? { a: proposed, b: other } : { a: other, b: proposed };
}
