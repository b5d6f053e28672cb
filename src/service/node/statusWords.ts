const FAILURE_WORDS = new Set(
  (
    'FAILED FAILURE FAIL ERROR ERRORED CANCELLED CANCELED ABORTED TIMEDOUT TIMEOUT REJECTED TERMINATED KILLED ' +
    'EXPIRED DENIED STOPPED CRASHED INVALID UNSUCCESSFUL'
  ).split(' '),
);

/**
 * Whether a status means failure. Only two statuses are documented, so words in a status are
 * interpreted.
 */
export function namesFailure(status: string): boolean {
  const words = wordsOf(status);
  // "NO_ERROR" and "NOT_FAILED" mean the opposite.
  return words.some(
    (word, index) => FAILURE_WORDS.has(word) && !/^(NO|NOT|NON)$/.test(words[index - 1] ?? ''),
  );
}

/** Whether a status means that a job was canceled rather than failed. */
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

/** Whether a status is a documented or likely one of a running job. */
export function isKnownStatus(status: string): boolean {
  return /^(PENDING|SUBMITTED|QUEUED|RUNNABLE|STARTING|STARTED|RUNNING|PROCESSING|IN_PROGRESS)$/.test(
    status.trim().toUpperCase(),
  );
}

/** Whether a status is the documented one of a finished job. */
export function namesSuccess(status: string): boolean {
  return status.trim().toUpperCase() === 'SUCCEEDED';
}

/** Whether a status is another word for finished, which only counts if the results exist too. */
export function mayNameSuccess(status: string): boolean {
  return /^(SUCCEEDED|SUCCESS|SUCCESSFUL|COMPLETE|COMPLETED|FINISHED|DONE)$/.test(
    status.trim().toUpperCase(),
  );
}
