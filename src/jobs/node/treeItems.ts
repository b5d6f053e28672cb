import type { TreeItemData } from '../../host/node/pagedNodes';
import { pathParts } from '../../base/pathParts';
import { isKnownStatus, namesCancel } from '../../service/node/statusWords';
import type { AnalysisJob } from '../../service/wire';
import { countObjects, firstClause, formatDuration, formatTimestamp } from '../../words/format';
import { nameInRow } from '../../words/inertText';
import { jobName, shortId } from '../../words/jobName';
import { reasonWords } from '../../words/reasonWords';
import { inputName } from '../../words/submitWords';
import type { Language, Translate } from '../../words/translate';
import type { JobFact } from './jobFacts';
import {
  JobGroup,
  type JobNode,
  JobResultNode,
  type JobTreeNode,
  MissingImageNode,
  MissingImagesNode,
} from './jobNodes';
import type { PipelineNode } from './pipelineNodes';
import { type JobPhase, listedPhase } from './jobState';
import type { SelectableJob } from './listedJobs';
import type { SubmittedJob } from './runRecords';

/** The name of a listed job; see nameOfJob. */
export function jobLabel(
  t: Translate,
  {
    resource,
    submitted,
    fact,
  }: { resource: AnalysisJob; submitted: SubmittedJob | undefined; fact: JobFact },
): string {
  return jobName(t, resource.id, fact.name, submitted?.name, resource.name);
}

/** A job in a list to select from, with facts that distinguish jobs of the same name. */
export function selectableJobItem(
  { t, locale }: Language,
  job: SelectableJob,
): { label: string; description: string; detail: string } {
  const { resource, submitted, fact } = job;
  const phases: Partial<Record<JobPhase, string>> = {
    succeeded: t({ message: 'Done', comment: 'State of a job' }),
    failed: t({ message: 'Failed', comment: 'State of a job' }),
  };
  const moment = submitted?.submittedAt ?? resource.createdAt;
  const items = submitted?.items ?? [];
  const folders = [...new Set(items.map(({ folder = '' }) => pathParts(folder).at(-1) ?? ''))];
  const names = items.flatMap(({ name }) => name ?? []);
  const [onlyName] = names;
  const pipeline = firstClause(fact.pipeline ?? '');
  return {
    label: jobLabel(t, job),
    description: [
      phases[listedPhase(resource)] ?? t({ message: 'Running', comment: 'State of a job' }),
      ...(moment === undefined ? [] : [formatTimestamp(locale, moment)]),
    ].join(' · '),
    detail: [
      ...(onlyName !== undefined && items.length === 1 ? [onlyName] : []),
      ...(names.length > 1
        ? [inputName(t, { names, count: items.length, folders: folders.includes('') ? [] : folders })]
        : []),
      ...(pipeline === '' ? [] : [pipeline]),
    ].join(' · '),
  };
}

/** The tree item of a node of the Jobs view. `now` is in milliseconds since 1970. */
export function jobTreeItem(language: Language, node: JobTreeNode, now = Date.now()): TreeItemData {
  if (node instanceof JobGroup) return groupItem(language, node);
  if (node instanceof JobResultNode) return resultItem(language, node);
  if (node instanceof MissingImagesNode) return missingImagesItem(language, node);
  if (node instanceof MissingImageNode) return missingImageItem(language, node);
  return jobItem(language, node, now);
}

/**
 * The tree item of a job. The words of `contextValue` (phase, whether it is followed, whether its
 * input is known, its tables) select its menu in package.json. Before its end, a long name is cut
 * to leave room for the progress.
 */
export function jobItem({ t, locale }: Language, node: JobNode, now = Date.now()): TreeItemData {
  const { phase, results, isTracked, submitted } = node;
  const label = jobLabel(t, node);
  const description = jobDescription({ t, locale }, node, { label, now });
  const isPending = phase !== 'succeeded' && phase !== 'failed';
  return {
    id: node.id,
    label: isPending ? nameInRow(label) : label,
    description,
    tooltip: () => jobTooltip({ t, locale }, node, [label, description]),
    contextValue: [
      'job',
      phase,
      ...(isPending ? [isTracked ? 'followed' : 'unfollowed'] : []),
      ...(!isPending && submitted && submitted.filesystemIds.length > 0 ? ['known'] : []),
      ...(results.objects ? ['objects'] : []),
      ...(results.aggregate ? ['aggregate'] : []),
    ].join(' '),
    ...jobIcon(node),
    // Screen readers don't read the icon.
    accessibleLabel: [label, phase === 'succeeded' ? t('done') : '', description]
      .filter(words => words !== '')
      .join(', '),
    expandable: phase === 'succeeded',
    command: 'imageAnalysis.openJob',
  };
}

function groupItem({ t, locale }: Language, { name, jobs }: JobGroup): TreeItemData {
  const labels = {
    running: t({ message: 'Running', comment: 'State of a job' }),
    done: t({ message: 'Done', comment: 'State of a job' }),
    failed: t({ message: 'Failed', comment: 'State of a job' }),
  };
  return {
    id: `group ${name}`,
    label: labels[name],
    description: jobs.length.toLocaleString(locale),
    contextValue: 'group',
    expandable: true,
    isExpanded: true,
  };
}

function resultItem({ t }: Language, { job, part }: JobResultNode): TreeItemData {
  const items = {
    objects: { label: t('Objects table'), icon: 'table', command: 'imageAnalysis.openObjectsTable' },
    aggregate: { label: t('Aggregate table'), icon: 'graph', command: 'imageAnalysis.openAggregateTable' },
    masks: { label: t('Masks'), icon: 'layers', command: 'imageAnalysis.openMasks' },
  };
  return { id: `${job.id} ${part}`, ...items[part], contextValue: `result ${part}` };
}

function missingImagesItem({ t, locale }: Language, { job, images }: MissingImagesNode): TreeItemData {
  return {
    id: `${job.id} missing`,
    label: t('Images without a result'),
    description: images.length.toLocaleString(locale),
    tooltip: () => [t('Neither the aggregate table nor the masks name them.')],
    contextValue: 'missing',
    icon: 'warning',
    expandable: true,
  };
}

function missingImageItem(
  { t }: Language,
  { job, id, image: { name, path } }: MissingImageNode,
): TreeItemData {
  return {
    id: `${job.id} missing ${id}`,
    label: name,
    tooltip: () => [...(path ? [path] : []), t('ID {0}', id)],
    contextValue: 'missingImage',
    icon: 'file-media',
  };
}

function jobIcon({ phase, resource, isTracked, tracked }: JobNode): Pick<TreeItemData, 'icon' | 'iconColor'> {
  switch (phase) {
    case 'succeeded':
      return { icon: 'pass', iconColor: 'testing.iconPassed' };
    case 'failed':
      return namesCancel(resource.status)
        ? { icon: 'circle-slash' }
        : { icon: 'error', iconColor: 'testing.iconFailed' };
    default:
      if (!isTracked) return { icon: 'sync' };
      return { icon: tracked?.unreachable ? 'debug-disconnect' : 'sync~spin' };
  }
}

function jobDescription(
  language: Language,
  node: JobNode,
  { label, now }: { label: string; now: number },
): string {
  const { t } = language;
  const { resource, phase, masks, tracked, isTracked } = node;
  if (masks) return t('masks {0}%', Math.floor(masks.percentageCompleted));
  if (phase === 'succeeded' || phase === 'failed') return endedDescription(language, node, { label, now });
  if (phase === 'finishing') return t({ message: 'finishing', comment: 'State of a job' });
  const percent = t('{0}%', Math.floor(resource.percentageCompleted));
  const progress =
    resource.status.toUpperCase() === 'RUNNING'
      ? percent
      : t('{0} · {1}', resource.status.toLowerCase(), percent);
  if (phase === 'unknown') return t('{0} · no longer followed', progress);
  // For a job that is no longer followed, the last known facts may be outdated.
  const { expectedEnd, quietSince, unreachable } = (isTracked && tracked) || {};
  if (unreachable) return t("{0} · can't reach the service", progress);
  if (quietSince !== undefined) return t('{0} · no progress', progress);
  if (expectedEnd === undefined) return progress;
  return t('{0} · about {1} left', progress, formatDuration(t, Math.max(0, expectedEnd - now) / 1000));
}

/**
 * The description of an ended job: failure, results, input; its pipeline unless the name has it.
 */
function endedDescription(
  { t, locale }: Language,
  { resource, phase, tracked, submitted, fact }: JobNode,
  { label, now }: { label: string; now: number },
): string {
  const failureReason = resource.reason ?? (tracked?.reason && reasonWords(t, tracked.reason));
  const failure = phase === 'failed' ? [firstClause(failureReason ?? statusWords(t, resource))] : [];
  const count = submitted?.filesystemIds.length ?? 0;
  const items = count === 1 ? [t('1 item')] : count > 1 ? [t('{0} items', count.toLocaleString(locale))] : [];
  const pipeline = firstClause(fact.pipeline ?? '');
  const moment = Date.parse(submitted?.submittedAt ?? resource.createdAt ?? '');
  return [
    ...failure,
    ...(fact.objects === undefined ? [] : [countObjects(t, locale, fact.objects)]),
    ...items,
    ...(Number.isNaN(moment) ? [] : [timeAgo(locale, moment, now)]),
    // The longest text comes last, because a narrow view cuts the end.
    ...(pipeline !== '' && !label.includes(pipeline) ? [pipeline] : []),
  ].join(' · ');
}

/** The status of an ended job, in words. */
function statusWords(t: Translate, { status }: AnalysisJob): string {
  return namesCancel(status) ? t('canceled') : status.toLowerCase();
}

function withoutResultLines(t: Translate, count: SubmittedJob['withoutResult']): string[] {
  if (count === 'folders') return [t("Can't compare results with items: some are folders")];
  if (count === 'names') return [t("Can't compare results with items: names are unknown or ambiguous")];
  if (count === 1) return [t('No result for 1 image')];
  return count ? [t('No result for {0} images', count)] : [];
}

function jobTooltip({ t, locale }: Language, node: JobNode, firstLines: readonly string[]): string[] {
  const { resource, submitted, phase, tracked, isTracked, fact } = node;
  const isPending = phase === 'running' || phase === 'unknown';
  const moment = (milliseconds: number) => formatTimestamp(locale, new Date(milliseconds).toISOString());
  return [
    ...firstLines.filter(line => line !== ''),
    ...(resource.reason ? [t('Reason: {0}', resource.reason)] : []),
    ...(tracked?.reason ? [t('Reason: {0}', reasonWords(t, tracked.reason))] : []),
    ...(isTracked && tracked?.unreachable ? [t("Can't reach the service; retrying.")] : []),
    ...(tracked?.quietSince !== undefined ? [t('No progress since {0}', moment(tracked.quietSince))] : []),
    ...(tracked?.fellFrom !== undefined ? [t('Progress fell from {0}%', Math.floor(tracked.fellFrom))] : []),
    ...(phase === 'finishing' ? [t("Finished; the results aren't available yet")] : []),
    ...(isPending && !isKnownStatus(resource.status)
      ? [t('Unknown status "{0}"; counted as running', resource.status)]
      : []),
    ...(isPending && !isTracked ? [t('Not followed; select Follow Job to see its progress')] : []),
    ...withoutResultLines(t, submitted?.withoutResult),
    ...(fact.pipeline ? [t('Pipeline: {0}', fact.pipeline)] : []),
    ...(submitted && !fact.pipeline
      ? [t('Pipeline: {0}', pipelineName(t, { id: submitted.pipelineId }))]
      : []),
    ...(submitted?.filesystemIds.length ? [t('Items: {0}', submitted.filesystemIds.length)] : []),
    ...(submitted
      ? [t('Submitted {0}', formatTimestamp(locale, submitted.submittedAt))]
      : resource.createdAt
        ? [t('Created {0}', formatTimestamp(locale, resource.createdAt))]
        : []),
    t('ID {0}', node.id),
  ];
}

/** The tree item of a pipeline. */
export function pipelineItem({ t, locale }: Language, { resource, isLastUsed }: PipelineNode): TreeItemData {
  const { id, description, createdAt } = resource;
  const label = pipelineName(t, resource);
  return {
    id,
    label,
    ...(isLastUsed && { description: t('last used') }),
    tooltip: () => [
      description || label,
      ...(createdAt ? [t('Created {0}', formatTimestamp(locale, createdAt))] : []),
      t('ID {0}', id),
    ],
    contextValue: 'pipeline',
    icon: 'server-process',
    accessibleLabel: description || label,
  };
}

/**
 * A pipeline's name: the start of its description, because the service has no names for pipelines.
 * Without a description, "Pipeline …a1b2c3" with the end of its ID.
 */
export function pipelineName(
  t: Translate,
  { id, description = '' }: { id: string; description?: string },
): string {
  const clause = firstClause(description);
  if (clause !== '') return clause;
  const end = shortId(id);
  return end === undefined ? t('Pipeline {0}', id) : t('Pipeline …{0}', end);
}

/** Units of a relative time, the largest first, in milliseconds. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Milliseconds beyond which a date is shown instead. */
const MAX_RELATIVE_AGE = 7 * 86_400_000;

/**
 * A short age: "now", "5m ago", "yesterday", then the date. Times are in milliseconds since 1970.
 */
export function timeAgo(locale: string, moment: number, now: number): string {
  const age = now - moment;
  if (age > MAX_RELATIVE_AGE) return new Date(moment).toLocaleDateString(locale, { dateStyle: 'medium' });
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
  for (const [unit, length] of UNITS) if (age >= length) return words.format(-Math.floor(age / length), unit);
  // If this clock is behind the service's, show a future time as "now".
  return words.format(0, 'second');
}
