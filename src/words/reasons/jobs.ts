import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of jobs. */
export const jobReasons = {
  'results-missing': t => t("The job succeeded, but its results didn't appear"),
  'job-not-found': t => t("The service doesn't know this job"),
  'no-progress': (t, hours) => t('It made no progress for {0} hours', hours),
  'response-late': t => t("The service didn't respond in time"),
  'response-status': (t, status) => t('The service returned status {0}', status),
  'canceled-after-sending': t => t('The same job was submitted before, and canceled after it was sent'),
  'input-gone': t => t('The pipeline or one of the items no longer exists'),
  'run-unknown': t => t("The job wasn't submitted from here, so what it was run with isn't known"),
  'submit-unprotected': t => t("Other windows can't see this request, so the same one could be sent twice"),
} satisfies Partial<ReasonSentences>;
