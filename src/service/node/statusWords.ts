const failures = new Set(
  (
    'FAILED FAILURE FAIL ERROR ERRORED CANCELLED CANCELED ABORTED TIMEDOUT TIMEOUT REJECTED TERMINATED KILLED ' +
    'EXPIRED DENIED STOPPED CRASHED INVALID UNSUCCESSFUL'
  ).split(' '),
);

/** Whether a status means failure. Only two statuses are documented, so its words are read. */
export function namesFailure(status: string): boolean {
  const words = wordsOf(status);
  // "NO_ERROR" and "NOT_FAILED" say the contrary.
  return words.some((word, index) => failures.has(word) && !/^(NO|NOT|NON)$/.test(words[index - 1] ?? ''));
}

/** Whether a job that ended badly was canceled, which nobody calls a failure. */
export function namesCancel(status: string): boolean {
  return wordsOf(status).some(word => /^CANCELL?ED$/.test(word));
}

function wordsOf(status: string): string[] {
  return status
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/TIMED[^A-Z]*OUT/, 'TIMEDOUT')
    .split(/[^A-Z]+/);
}

/** Whether a status of a job that has not ended is documented, or likely. */
export function isKnownStatus(status: string): boolean {
  return /^(PENDING|SUBMITTED|QUEUED|RUNNABLE|STARTING|STARTED|RUNNING|PROCESSING|IN_PROGRESS)$/.test(
    status.trim().toUpperCase(),
  );
}

/** Whether a status is the documented one of a finished job. */
export function namesSuccess(status: string): boolean {
  return status.trim().toUpperCase() === 'SUCCEEDED';
}

/** Whether a status is another word for finished; believed only if the results exist too. */
export function mayNameSuccess(status: string): boolean {
  return /^(SUCCEEDED|SUCCESS|SUCCESSFUL|COMPLETE|COMPLETED|FINISHED|DONE)$/.test(
    status.trim().toUpperCase(),
  );
}
