import type { Translate } from './translate';

/** Characters of its ID by which a job without a name is told from others. */
const SHORT_ID = 6;

/** What a job is called everywhere: the first of these names that there is, else "Job …a1b2c3" by the end of its ID. */
export function jobName(t: Translate, jobId: string, ...names: (string | undefined)[]): string {
  const named = names.find(name => name !== undefined && name.trim() !== '');
  if (named !== undefined) return named;
  return jobId.length > SHORT_ID ? t('Job …{0}', jobId.slice(-SHORT_ID)) : t('Job {0}', jobId);
}
