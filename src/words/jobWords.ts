import { formatDuration } from './format';
import { nameInSentence } from './inertText';
import type { Translate } from './translate';

/** Lines for running jobs in a tooltip. */
const MAX_LINES = 10;

/** A finished job, as a message names it. */
export interface EndedJob {
  what: 'analysis' | 'masks';
  name: string;
  /** Why it failed, or its status; undefined for a job that succeeded. */
  failure?: string;
  /** Whether the job is no longer followed, because of `failure`, and may still run. */
  mayStillRun?: boolean;
}

/** The message at the end of a job. */
export function jobEndWords(t: Translate, { what, name: whole, failure, mayStillRun }: EndedJob): string {
  const name = nameInSentence(whole);
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
    ? t('The job "{0}" has finished.', name)
    : t('The job "{0}" failed: {1}', name, failure);
}

/** How a finished job ended, beside its name. */
export function jobEndNote(t: Translate, { what, failure, mayStillRun }: Omit<EndedJob, 'name'>): string {
  if (mayStillRun) return t('no longer followed: {0}', failure ?? '');
  if (what === 'masks') return failure === undefined ? t('masks ready') : t('masks failed: {0}', failure);
  return failure === undefined ? t('finished') : t('failed: {0}', failure);
}

/** What a message says of several jobs that ended at once. */
export function jobEndsWords(
  t: Translate,
  { succeeded, failed }: { succeeded: number; failed: number },
): string {
  if (failed === 0) return t('{0} jobs have finished.', succeeded);
  if (succeeded === 0) return t('{0} jobs failed.', failed);
  return t('Jobs have ended: {0} finished, {1} failed.', succeeded, failed);
}

/** How far a running job is. */
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

/** The same where the job is named beside it. */
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

/** How far the running jobs are, a line each, of many only the first; the last line then says how many more there are. */
export function runningJobLines(
  t: Translate,
  jobs: readonly Parameters<typeof runningJobWords>[1][],
): string[] {
  const shown = jobs.length > MAX_LINES ? jobs.slice(0, MAX_LINES - 1) : jobs;
  const more = jobs.length - shown.length;
  return [...shown.map(job => runningJobWords(t, job)), ...(more > 0 ? [t('… and {0} more', more)] : [])];
}

/** Labels of the buttons that open results of a finished job. */
export function openResultLabels(t: Translate): Record<'objects' | 'aggregate' | 'masks', string> {
  return {
    objects: t('Open Objects Table'),
    aggregate: t('Open Aggregate Table'),
    masks: t('Open Masks'),
  };
}

/** Name of the column that names the job, in a table made of several jobs' tables. */
export function jobColumnName(t: Translate): string {
  return t('Job');
}
