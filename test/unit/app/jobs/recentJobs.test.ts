import { deepEqual, equal } from 'node:assert/strict';
import type { AccountSession } from '../../../../src/app/accounts/accountSession';
import type { SessionJob } from '../../../../src/app/accounts/accountSessions';
import { RecentJobs } from '../../../../src/app/jobs/recentJobs';
import { Emitter } from '../../../../src/base/event';
import type { TrackedJob } from '../../../../src/jobs/trackedJob';

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

  const end = (jobId: string, phase: TrackedJob['phase'], by?: 'person' | 'program') =>
    ended.fire({ session, job: { jobId, phase, ...(by && { by }) } as TrackedJob });

  it('are listed with the latest first, twenty at most, of the accounts that are signed in', () => {
    for (let index = 0; index < 25; index++) end(`${index}`, 'succeeded');
    deepEqual(
      recent.ended.map(({ job }) => job.jobId),
      Array.from({ length: 20 }, (_, index) => `${24 - index}`),
    );
    all = [];
    deepEqual(recent.ended, []);
  });

  it('count the failures that nobody has seen', () => {
    let changes = 0;
    recent.onDidChange(() => changes++);
    end('1', 'failed', 'person');
    end('2', 'failed');
    end('3', 'failed', 'program');
    end('4', 'succeeded', 'person');
    equal(recent.unseenFailures, 2);
    recent.markSeen();
    recent.markSeen();
    isShown = true;
    end('5', 'failed', 'person');
    deepEqual([recent.unseenFailures, changes], [0, 6]);
  });
});
