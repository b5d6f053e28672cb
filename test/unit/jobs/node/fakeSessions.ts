import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { finish } from '../../../../src/base/steps';
import type { JobWithNewFacts, SessionJob, SessionRun } from '../../../../src/jobs/node/jobSessions';
import { JobFacts } from '../../../../src/jobs/node/jobFacts';
import type { PagedNodesDependencies } from '../../../../src/host/node/pagedNodes';
import type { JobNodes } from '../../../../src/jobs/node/jobNodes';
import type { PipelineNodes } from '../../../../src/jobs/node/pipelineNodes';
import type { AnalysisJob, FilesystemItem, Pipeline } from '../../../../src/service/wire';
import { SubmitChoices } from '../../../../src/jobs/node/submitChoices';
import { Emitter } from '../../../../src/base/event';
import { silentLog } from '../../../../src/base/log';
import type { JobKey } from '../../../../src/jobs/node/jobState';
import type { TrackedJob } from '../../../../src/jobs/node/jobState';
import { imagesWithoutResult } from '../../../../src/jobs/node/accountRuns';
import type { RunRecord, SubmittedJob } from '../../../../src/jobs/node/runRecords';
import { MemoryLines } from '../../uploads/node/memoryLines';
import { MemoryState } from './memoryState';

/** An account with files and jobs in memory; pages hold two entries at first. */
export class FakeSessions {
  readonly facts = new JobFacts({ lines: new MemoryLines(), log: silentLog });
  readonly learned = new Emitter<JobWithNewFacts>();
  readonly compared = new Emitter<SessionRun>();
  readonly runs = new Map<string, Partial<RunRecord>>();
  readonly activeChanged = new Emitter<void>();
  readonly jobChanged = new Emitter<SessionJob>();
  readonly jobEnded = new Emitter<SessionJob>();
  readonly tracked: string[] = [];
  readonly requested: string[] = [];
  followed: TrackedJob[] = [];
  /** How many entries a page has. */
  pageSize = 2;
  readonly submitted = new Map<string, SubmittedJob>();
  readonly loadMoreFailures: unknown[] = [];
  /** By folder ID; '' is the top. */
  files: Record<string, FilesystemItem[]> = {};
  jobs: AnalysisJob[] = [];
  pipelines: Pipeline[] = [];
  readonly submitChoices = new SubmitChoices(new MemoryState());
  failure: Error | undefined;
  active: { id: string; baseUrl: string; sample?: boolean } | undefined = {
    id: 'ada',
    baseUrl: 'https://lab.example:8443',
  };

  readonly session = {
    account: { id: 'ada' },
    client: {
      listFilesystemItems: ({ folderId, startingAfter }: { folderId?: string; startingAfter?: string }) =>
        this.page(this.files[folderId ?? ''] ?? [], startingAfter),
      listAnalysisJobs: ({ startingAfter }: { startingAfter?: string }) =>
        this.page(this.jobs, startingAfter),
      listPipelines: ({ startingAfter }: { startingAfter?: string }) =>
        this.page(this.pipelines, startingAfter),
      analysisJob: (id: string) => {
        this.requested.push(id);
        return Promise.resolve(this.jobs.find(job => job.id === id));
      },
    },
    jobFacts: this.facts,
    runs: {
      imagesWithoutResult: (id: string) =>
        Promise.resolve(finish(imagesWithoutResult({ items: [], ...this.runs.get(id) }))),
    },
    submitChoices: this.submitChoices,
    submittedJobs: { find: (id: string) => Promise.resolve(this.submitted.get(id)) },
    tracker: {
      track: (id: string) => Promise.resolve(void this.tracked.push(id)),
      find: ({ jobId, what }: JobKey) => this.followed.find(job => job.jobId === jobId && job.what === what),
    },
  } as unknown as AccountSession;

  get parts(): ConstructorParameters<typeof JobNodes>[0] & ConstructorParameters<typeof PipelineNodes>[0] {
    const sessions = {
      accounts: {} as PagedNodesDependencies<AccountSession>['sessions']['accounts'],
      active: () => Promise.resolve(this.session),
      onDidChangeActive: this.activeChanged.event,
      onDidChangeJob: this.jobChanged.event,
      onDidEndJob: this.jobEnded.event,
      onDidChangeJobFacts: this.learned.event,
      onDidCompareRun: this.compared.event,
      onDidChangeSubmitChoices: this.submitChoices.onDidChange,
    };
    Object.defineProperty(sessions.accounts, 'active', { get: () => this.active });
    return { sessions, onLoadMoreFailed: error => void this.loadMoreFailures.push(error), log: silentLog };
  }

  private page<T extends { id: string }>(
    all: readonly T[],
    startingAfter: string | undefined,
  ): Promise<{ results: T[]; count: number; skipped: number }> {
    if (this.failure) return Promise.reject(this.failure);
    const start = startingAfter === undefined ? 0 : all.findIndex(({ id }) => id === startingAfter) + 1;
    return Promise.resolve({
      results: all.slice(start, start + this.pageSize),
      count: all.length,
      skipped: 0,
    });
  }
}
