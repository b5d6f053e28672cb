import { shortId } from './shortId';
import type { Translate } from './translate';

/** What a job is called everywhere: the first of these names that there is, else "Job …a1b2c3" by the end of its ID. */
export function jobName(t: Translate, jobId: string, ...names: (string | undefined)[]): string {
  const named = names.find(name => name !== undefined && name.trim() !== '');
  if (named !== undefined) return named;
  const end = shortId(jobId);
  return end === undefined ? t('Job {0}', jobId) : t('Job …{0}', end);
}
