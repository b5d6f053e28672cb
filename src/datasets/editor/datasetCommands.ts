import * as path from 'node:path';
import * as vscode from 'vscode';
import { fileStems } from '../../results/node/fileStems';
import { showQuickPick } from '../../host/editor/boxes';
import { command } from '../../host/editor/command';
import { selectExportFolder } from '../../host/editor/exportFolder';
import { userMessage } from '../../host/editor/language';
import { showInformationMessage, showWarningMessage } from '../../host/editor/messages';
import { withCancelIfSlow } from '../../host/editor/progress';
import { optionalUris, pathOnDisk } from '../../host/editor/uriOptions';
import { badOption, oneOf, optional, optionalFlag, texts } from '../../host/options';
import { percentIncrements } from '../../host/workProgress';
import { jobOf } from '../../jobs/editor/jobOf';
import { JobGroup, jobOfNode } from '../../jobs/node/jobNodes';
import { jobsWithObjects } from '../../jobs/node/selectedJobs';
import type { JobSession, JobSessions } from '../../jobs/node/jobSessions';
import { jobLabel } from '../../jobs/node/treeItems';
import type { OpenResults } from '../../session/node/openResults';
import { activeJobResult, FileResult, JobResult } from '../../session/node/resultSource';
import { confirmReplacing } from '../../results/editor/savePlace';
import type { ResultPopulations } from '../../linking/node/tablePopulations';
import { tableFileFormats } from '../../results/node/tableFormats';
import { askForPopulations } from '../../table/editor/askForPopulations';
import { type DatasetReport, type ExportedResult, exportTables } from '../node/exportTables';

interface DatasetCommandDependencies {
  sessions: JobSessions;
  results: OpenResults;
  populations: ResultPopulations | undefined;
}

/** The formats of datasets. CSV has no types. */
const formats = [...tableFileFormats, { id: 'csv', name: 'CSV' }];
const formatIds = formats.map(({ id }) => id);
const formatOf = (id: string) => tableFileFormats.find(format => format.id === id);

/** Commands that export the tables of jobs, or of files on disk, as one dataset. */
export function datasetCommands({
  sessions,
  results,
  populations: resultPopulations,
}: DatasetCommandDependencies) {
  return {
    exportTables: command({
      options: {
        jobIds: optional(texts),
        uris: optionalUris,
        format: oneOf(formatIds),
        destination: pathOnDisk,
        populations: optionalFlag,
        overwrite: optionalFlag,
      },
      program: async ({ jobIds, uris, format, ...request }) => {
        if ((jobIds === undefined) === (uris.length === 0))
          throw badOption('jobIds', 'given, or else "uris"');
        const exported = jobIds ? await resultsOfJobs(sessions, [...new Set(jobIds)]) : resultsOfFiles(uris);
        return programReport(
          await exportTables(
            results,
            { ...request, results: exported, format: formatOf(format) },
            () => undefined,
            new AbortController().signal,
          ),
        );
      },
      person: async menuArguments => {
        const exported = await selectedResults(sessions, menuArguments);
        if (exported && exported.length > 0) await exportAsPerson(results, resultPopulations, exported);
      },
    }),
  };
}

/** The report for programs. */
function programReport({ files, asText, failed }: DatasetReport) {
  return {
    files: files.map(({ id, ...file }) => ({ ...file, jobId: id })),
    asText,
    failed: failed.map(({ id, error }) => ({ jobId: id, code: error.code, message: userMessage(error) })),
  };
}

async function resultsOfJobs(sessions: JobSessions, jobIds: readonly string[]): Promise<ExportedResult[]> {
  const session = await sessions.active();
  const exported: ExportedResult[] = [];
  for (const id of jobIds)
    exported.push(resultOfJob(session, await activeJobResult(vscode.l10n.t, sessions, id)));
  return exported;
}

function resultOfJob(session: JobSession, source: JobResult): ExportedResult {
  return {
    source,
    id: source.jobId,
    parts: [
      { kind: 'objects', folder: 'objects' },
      { kind: 'aggregate', folder: 'images' },
    ],
    facts: async () => {
      // Only jobs submitted from here have a record.
      const record = await session.runs.find(source.jobId).catch(() => undefined);
      const { id, description } = record?.pipeline ?? {};
      return factsOf({
        service: new URL(session.account.baseUrl).host,
        job_id: source.jobId,
        job: source.title,
        pipeline_id: id,
        pipeline: description,
        result_id: record?.resultId,
      });
    },
  };
}

/** Tables on disk, identified by their files' names. */
function resultsOfFiles(selected: readonly vscode.Uri[]): ExportedResult[] {
  const uris = [...new Map(selected.map(uri => [uri.toString(), uri])).values()];
  const names = uris.map(({ path: name }) => path.posix.basename(name));
  const stems = fileStems(names.map(name => name.replace(/\.(?:gz|zst)$/i, '')));
  return uris.map((uri, at) => ({
    source: new FileResult(uri, 'file'),
    id: stems[at] ?? '',
    parts: [{ kind: 'file', folder: 'objects' }],
    facts: () => Promise.resolve(factsOf({ file: names[at] })),
  }));
}

function factsOf(facts: Record<string, string | undefined>): Record<string, string> {
  const extension = vscode.extensions.getExtension('image-analysis.image-analysis');
  const { version } = (extension?.packageJSON ?? {}) as { version?: string };
  return Object.fromEntries(
    Object.entries({ ...facts, extension_version: version }).flatMap(([key, value]) =>
      value === undefined || value === '' ? [] : [[`image_analysis.${key}`, value]],
    ),
  );
}

/** The selected files, jobs, and jobs of selected groups; else a job that the user selects. */
async function selectedResults(
  sessions: JobSessions,
  [clicked, selected]: readonly unknown[],
): Promise<ExportedResult[] | undefined> {
  const selection = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [clicked];
  const files = selection.filter(entry => entry instanceof vscode.Uri);
  if (files.length > 0) return resultsOfFiles(files);
  const session = await sessions.active();
  const nodes = selection.flatMap((node): readonly unknown[] =>
    node instanceof JobGroup ? node.jobs : [node],
  );
  const jobs = jobsWithObjects(nodes).map(node => ({ id: node.id, label: jobLabel(vscode.l10n.t, node) }));
  if (jobs.length === 0) {
    const job = await jobOf(session, nodes.map(jobOfNode), 'succeeded');
    if (!job) return undefined;
    jobs.push(job);
  }
  return jobs.map(({ id, label }) =>
    resultOfJob(session, new JobResult(sessions, session.account.id, id, label)),
  );
}

async function exportAsPerson(
  results: OpenResults,
  resultPopulations: ResultPopulations | undefined,
  exported: readonly ExportedResult[],
): Promise<void> {
  const { t } = vscode.l10n;
  const [first] = exported;
  const title =
    exported.length === 1
      ? t('Export Tables of {0}', first?.source.title ?? '')
      : t('Export Tables of {0} Results', exported.length);
  const items = formats.map(({ id, name }) => ({
    id,
    label: name,
    detail: formatOf(id)
      ? t('One dataset with types, for DuckDB, Polars, pandas, Spark, Dask and R')
      : t('One dataset of text files'),
  }));
  const format = await showQuickPick(items, {
    title,
    placeHolder: t('Select a format'),
    matchOnDetail: true,
  });
  if (!format) return;
  const havePopulations = await Promise.all(
    exported.map(async ({ source }) => await resultPopulations?.areIn(source)),
  );
  const populations = havePopulations.includes(true) && (await askForPopulations(title));
  if (populations === undefined) return;
  const destination = await selectExportFolder();
  if (destination === undefined) return;
  const request = { results: exported, format: formatOf(format.id), destination, populations };
  const report = await confirmReplacing(
    overwrite =>
      withCancelIfSlow(title, (signal, progress) => {
        const increment = percentIncrements();
        return exportTables(
          results,
          { ...request, overwrite },
          (message, share) => progress.report({ message, increment: increment(share * 100) }),
          signal,
        );
      }),
    t('The files of these jobs in the folder will be replaced. Those of other jobs stay.'),
  );
  if (report) void showReport(report).then(undefined, () => undefined);
}

async function showReport({ files, asText, failed }: DatasetReport): Promise<void> {
  const { t } = vscode.l10n;
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const number = (count: number) => count.toLocaleString(vscode.env.language);
  const sentences = [t('Exported {0} rows into {1} files.', number(rows), number(files.length))];
  const columns = [...new Set(asText.map(({ column }) => column))];
  if (columns.length > 0)
    sentences.push(
      t('Text in all files, as the jobs differ in their types: {0}.', columns.slice(0, 5).join(', ')),
    );
  for (const { title, error } of failed.slice(0, 3))
    sentences.push(t('“{0}” was left out: {1}', title, userMessage(error)));
  if (failed.length > 3) sentences.push(t('{0} more were left out.', failed.length - 3));
  const reveal = t('Reveal in Explorer');
  const message = sentences.join(' ');
  const show = failed.length > 0 ? showWarningMessage : showInformationMessage;
  const [first] = files;
  if ((await show(message, reveal)) === reveal && first)
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(first.path));
}
