import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { showFailure } from '../../host/editor/messages';
import type { JobSessions } from '../node/jobSessions';

/** Reports which images of a job have no result, once its results were read, and offers to run these again. */
export function reportRunOutcomes(parts: { sessions: JobSessions; log: Log }): Disposable {
  return parts.sessions.onDidCompareRun(run => {
    const { session, record, outcome } = run;
    if (!outcome.compared || outcome.withoutResult.length === 0) return;
    import('./runAgainOffers')
      .then(({ reportRunOutcome }) => reportRunOutcome(parts, { session, record, outcome }))
      .catch(showFailure);
  });
}
