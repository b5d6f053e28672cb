import type { Translate } from './translate';

/** What a job is called everywhere: the first name there is, else "Job …a1b2c3" by its ID's end. */
export function jobName(t: Translate, jobId: string, ...names: (string | undefined)[]): string {
  const named = names.find(name => name !== undefined && name.trim() !== '');
  if (named !== undefined) return named;
  const end = shortId(jobId);
  return end === undefined ? t('Job {0}', jobId) : t('Job …{0}', end);
}

/** Characters of its ID that identify something without a name. */
const SHORT_ID = 6;

/** The end of a long ID; undefined for one that is short as it is. */
export function shortId(id: string): string | undefined {
  return id.length > SHORT_ID ? id.slice(-SHORT_ID) : undefined;
}
