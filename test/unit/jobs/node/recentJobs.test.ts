import * as assert from 'node:assert/strict';
import { deepEqual } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import type { SessionJob } from '../../../../src/jobs/node/jobSessions';
import { RecentJobs } from '../../../../src/jobs/node/recentJobs';
import { Emitter } from '../../../../src/base/event';
import type { TrackedJob } from '../../../../src/jobs/node/jobState';

describe('The jobs that ended recently', () => {
  const session = {} as AccountSession;
  let all: AccountSession[];
  let isShown: boolean;
  let ended: Emitter<SessionJob>;
  let recent: RecentJobs;

  beforeEach(() => {
    all = [session];
    isShown = false;
    ended = new Emitter();
    const sessions = {
      get all() {
        return all;
      },
      onDidEndJob: ended.event,
    };
    recent = new RecentJobs(sessions, () => isShown);
  });

  afterEach(() => recent.dispose());

  const end = (jobId: string, phase: TrackedJob['phase'], by?: 'person' | 'program', status = '') =>
    ended.fire({ session, job: { jobId, phase, status, ...(by && { by }) } as TrackedJob });

  it('are listed with the latest first, twenty at most, of the accounts that are signed in', () => {
    for (let index = 0; index < 25; index++) end(`${index}`, 'succeeded');
    deepEqual(
      recent.ended.map(({ job }) => job.jobId),
      Array.from({ length: 20 }, (_, index) => `${24 - index}`),
    );
    all = [];
    deepEqual(recent.ended, []);
  });

  it('count the failures that nobody has seen, and what was announced but not opened', () => {
    let changes = 0;
    recent.onDidChange(() => changes++);
    end('1', 'failed', 'person');
    end('2', 'unknown', 'person');
    end('3', 'failed', 'program');
    end('4', 'succeeded', 'person');
    deepEqual(recent.unseen, { finished: 0, failed: 1, canceled: 0 });
    const [latest] = recent.ended;
    assert.ok(latest);
    recent.markUnseen(latest);
    recent.markUnseen(latest);
    deepEqual([recent.unseen, changes], [{ finished: 1, failed: 1, canceled: 0 }, 5]);
    recent.markSeen(['4']);
    recent.markSeen(['4']);
    deepEqual([recent.unseen, changes], [{ finished: 0, failed: 1, canceled: 0 }, 6]);
    recent.markSeen();
    recent.markSeen();
    isShown = true;
    end('5', 'failed', 'person');
    recent.markUnseen(latest);
    deepEqual([recent.unseen, changes], [{ finished: 0, failed: 0, canceled: 0 }, 8]);
  });

  it('count canceled jobs as such', () => {
    end('1', 'failed', 'person', 'CANCELLED');
    end('2', 'failed', 'person', 'FAILED');
    deepEqual(recent.unseen, { finished: 0, failed: 1, canceled: 1 });
  });

  it('count none of an account that signed out, nor those that are no longer listed', () => {
    end('1', 'failed', 'person');
    for (let index = 0; index < 20; index++) end(`later ${index}`, 'succeeded', 'person');
    deepEqual(recent.unseen, { finished: 0, failed: 0, canceled: 0 });
    end('2', 'failed', 'person');
    all = [];
    deepEqual(recent.unseen, { finished: 0, failed: 0, canceled: 0 });
  });
});
