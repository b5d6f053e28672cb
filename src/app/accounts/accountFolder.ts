import * as path from 'node:path';

/** Everything an account owns on disk. Sign-out deletes `path`, so whatever is to be removed with the account is a path in it. */
export interface AccountFolder {
  path: string;
  /** Small state files: upload records, choices made for results. */
  state: string;
  /** Jobs that were requested from here and have not ended. */
  jobs: string;
  /** Which window reported which finished job. */
  finishedJobs: string;
  /** Proves to the windows of this account that another is one of them. */
  windowNonce: string;
  /** Submits that are under way or unresolved in any window. */
  submits: string;
  /** What each job that was submitted from here was run with. */
  runs: string;
  /** Uploads that are under way or were not finished. */
  uploads: string;
  /** Downloaded results. */
  results: string;
}

/** The folder of an account below the extension's storage folder. */
export function accountFolder(storage: string, accountId: string): AccountFolder {
  const folder = path.join(storage, 'accounts', accountId);
  return {
    path: folder,
    state: path.join(folder, 'state'),
    jobs: path.join(folder, 'jobs'),
    finishedJobs: path.join(folder, 'ended'),
    windowNonce: path.join(folder, 'windows'),
    submits: path.join(folder, 'submits'),
    runs: path.join(folder, 'runs'),
    uploads: path.join(folder, 'uploads'),
    results: path.join(folder, 'results'),
  };
}
