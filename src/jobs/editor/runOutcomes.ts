import type { JobSessions } from '../node/jobSessions';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { showFailure } from '../../host/editor/userMessages';

/** Reports which images of a job have no result, once its results were read, and offers to run these again. */
export function reportRunOutcomes(parts: { sessions: JobSessions; log: Log }): Disposable {
  return parts.sessions.onDidCompareRun(run => {
    const { session, record, outcome } = run;
    if (!outcome.compared || outcome.withoutResult.length === 0) return;
    import('./reportRunOutcome')
      .then(({ reportRunOutcome }) => reportRunOutcome(parts, { session, record, outcome }))
      .catch(showFailure);
  });
}
