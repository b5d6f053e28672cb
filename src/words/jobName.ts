import type { Translate } from './translate';

/**
 * A job's name everywhere: the first name that isn't empty, else "Job …a1b2c3" with its ID's end.
 */
export function jobName(t: Translate, jobId: string, ...names: (string | undefined)[]): string {
  const named = names.find(name => name !== undefined && name.trim() !== '');
  if (named !== undefined) return named;
  const end = shortId(jobId);
  return end === undefined ? t('Job {0}', jobId) : t('Job …{0}', end);
}

/** Characters of an ID that stand for a missing name. */
const SHORT_ID = 6;

/** The end of a long ID; undefined for a short ID. */
export function shortId(id: string): string | undefined {
  return id.length > SHORT_ID ? id.slice(-SHORT_ID) : undefined;
}
