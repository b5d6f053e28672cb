import type { LabeledJob } from '../../jobs/node/nameOfJob';

/** What a page stores of its result's source across a reload: enough to find it again, nothing secret. */
export type StoredSource =
  | { kind: 'job'; accountId: string; jobId: string; title: string }
  | { kind: 'jobs'; accountId: string; jobs: LabeledJob[] }
  | { kind: 'file'; uri: string; holds: 'file' | 'masks' };
