import { formatDuration } from './format';
import { nameInSentence } from './inertText';
import type { Translate } from './translate';

/** Maximum lines for running jobs in a tooltip. */
const MAX_LINES = 10;

/** A finished job, as a message names it. */
interface EndedJob {
  what: 'analysis' | 'masks';
  name: string;
  /** Why it failed, or its status; undefined if it succeeded or was canceled without a reason. */
  failure?: string | undefined;
  isCanceled?: boolean;
  /** Whether the job is no longer followed, because of `failure`, and may still run. */
  mayStillRun?: boolean | undefined;
}

/** The message at the end of a job. */
export function jobEndWords(
  t: Translate,
  { what, name: fullName, failure, isCanceled, mayStillRun }: EndedJob,
): string {
  const name = nameInSentence(fullName);
  if (isCanceled) {
    const canceled =
      what === 'masks'
        ? t('Generating the masks of "{0}" was canceled.', name)
        : t('The job "{0}" was canceled.', name);
    return failure === undefined ? canceled : `${canceled} ${failure}`;
  }
  if (mayStillRun) {
    return what === 'masks'
      ? t('No longer following the masks of "{0}": {1}', name, failure ?? '')
      : t('No longer following the job "{0}": {1}', name, failure ?? '');
  }
  if (what === 'masks') {
    return failure === undefined
      ? t('The masks of "{0}" are ready.', name)
      : t('Couldn\'t generate the masks of "{0}": {1}', name, failure);
  }
  return failure === undefined
    ? t('The job "{0}" is done.', name)
    : t('The job "{0}" failed: {1}', name, failure);
}

/** How a job ended, for the description beside its name. */
export function jobEndNote(
  t: Translate,
  { what, failure, isCanceled, mayStillRun }: Omit<EndedJob, 'name'>,
): string {
  if (isCanceled) return what === 'masks' ? t('masks canceled') : t('canceled');
  if (mayStillRun) return t('no longer followed: {0}', failure ?? '');
  if (what === 'masks') return failure === undefined ? t('masks ready') : t('masks failed: {0}', failure);
  return failure === undefined ? t('done') : t('failed: {0}', failure);
}

/** The message about several jobs that ended at the same time. */
export function jobEndsWords(
  t: Translate,
  ends: readonly { failure?: unknown; isCanceled?: boolean }[],
): string {
  const canceled = ends.filter(({ isCanceled }) => isCanceled).length;
  const failed = ends.filter(({ failure, isCanceled }) => failure !== undefined && !isCanceled).length;
  const finished = ends.length - canceled - failed;
  if (finished === ends.length) return t('{0} jobs are done.', finished);
  if (failed === ends.length) return t('{0} jobs failed.', failed);
  if (canceled === ends.length) return t('{0} jobs were canceled.', canceled);
  return t('Jobs have ended: {0}.', jobCountsWords(t, { finished, failed, canceled }).join(', '));
}

/** Counts of done, failed and canceled jobs; omits zeros. */
export function jobCountsWords(
  t: Translate,
  { finished, failed, canceled }: { finished: number; failed: number; canceled: number },
): string[] {
  return [
    ...(finished > 0 ? [t('{0} done', finished)] : []),
    ...(failed > 0 ? [t('{0} failed', failed)] : []),
    ...(canceled > 0 ? [t('{0} canceled', canceled)] : []),
  ];
}

/** The progress of a running job, with its name. */
export function runningJobWords(
  t: Translate,
  {
    what,
    name,
    percent,
    secondsLeft,
  }: { what: EndedJob['what']; name: string; percent: number; secondsLeft?: number },
): string {
  const progress = what === 'masks' ? t('Masks of {0}: {1}%', name, percent) : t('{0}: {1}%', name, percent);
  return withTimeLeft(t, progress, secondsLeft);
}

/** The progress of a running job, for the description beside its name. */
export function runningJobNote(
  t: Translate,
  job: Omit<Parameters<typeof runningJobWords>[1], 'name'>,
): string {
  const progress = progressWords(t, job);
  return job.what === 'masks' ? t('Masks: {0}', progress) : progress;
}

/** The progress alone, where text nearby names the job and its phase. */
export function progressWords(
  t: Translate,
  { percent, secondsLeft }: { percent: number; secondsLeft?: number },
): string {
  return withTimeLeft(t, t('{0}%', percent), secondsLeft);
}

function withTimeLeft(t: Translate, progress: string, secondsLeft: number | undefined): string {
  return secondsLeft === undefined
    ? progress
    : t('{0} · about {1} left', progress, formatDuration(t, secondsLeft));
}

/** The progress of running jobs, one per line. The last line counts jobs that don't fit. */
export function runningJobLines(
  t: Translate,
  jobs: readonly Parameters<typeof runningJobWords>[1][],
): string[] {
  const shown = jobs.length > MAX_LINES ? jobs.slice(0, MAX_LINES - 1) : jobs;
  const hiddenCount = jobs.length - shown.length;
  return [
    ...shown.map(job => runningJobWords(t, job)),
    ...(hiddenCount > 0 ? [t('… and {0} more', hiddenCount)] : []),
  ];
}

/** Labels of the buttons that open results of a finished job. */
export function openResultLabels(t: Translate): Record<'objects' | 'aggregate' | 'masks', string> {
  return {
    objects: t('Open Objects Table'),
    aggregate: t('Open Aggregate Table'),
    masks: t('Open Masks'),
  };
}

/** Title of the column with the job's name, in a table of several jobs. */
export function jobColumnName(t: Translate): string {
  return t('Job');
}
