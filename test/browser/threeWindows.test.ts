import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUNNING_JOB, RunningJobService } from './runningJobService';
import { useWorkbench } from './useWorkbench';
import type { Workbench } from './workbench';

/** How soon another window polls when the one that did is gone. Milliseconds. */
const REPLACED_WITHIN = 5000;

describe('A job that runs in three windows', function () {
  // Three windows take their time to open.
  this.timeout(180_000);
  // Elsewhere the test can't tell which window polls.
  if (!existsSync('/proc/net/tcp')) return;

  const suite = useWorkbench({ theme: 'dark', settings: { 'imageAnalysis.jobs.pollingInterval': 1 } });
  const windows: Workbench[] = [];
  let service: RunningJobService;

  before(async () => {
    service = await RunningJobService.start();
  });

  after(() => service.stop());

  async function signIn(window: Workbench): Promise<void> {
    await window.openContainer('Image Analysis');
    await window.runCommand('Image Analysis: Sign In…');
    await window.quickInput.titled('Sign in');
    await window.quickInput.enter(service.baseUrl);
    await window.quickInput.widget.getByText('API key for').waitFor();
    await window.quickInput.enter(service.key);
    await window.readNotification('Signed in to');
    await window.clearNotifications();
  }

  /** As a window leaves it that is closed while a job runs. */
  async function storeJob(): Promise<void> {
    const storage = join(suite.folder, '..', 'host/data/User/globalStorage/image-analysis.image-analysis');
    const [account] = await readdir(join(storage, 'accounts'));
    const state = join(storage, 'accounts', account ?? '', 'state');
    await mkdir(state, { recursive: true });
    const job = { jobId: RUNNING_JOB, what: 'analysis', name: 'coins', startedAt: Date.now(), by: 'person' };
    await writeFile(join(state, 'jobs.json'), JSON.stringify([job]));
  }

  async function allShow(percentage: number): Promise<void> {
    service.percentageCompleted = percentage;
    for (const window of windows) await window.statusBarItem(`${percentage}%`).waitFor();
  }

  /** The one process that polls. */
  async function poller(): Promise<number> {
    await service.polled(({ length }) => length >= 4);
    const [pid, ...others] = new Set(service.pollers);
    assert.deepEqual(others, [], 'only one window polls');
    return pid ?? 0;
  }

  async function replaces(pid: number): Promise<void> {
    const before = performance.now();
    await service.polled(pollers => pollers.some(other => other !== pid));
    const took = performance.now() - before;
    assert.ok(took < REPLACED_WITHIN, `another window polled after ${Math.round(took)} ms`);
  }

  it('is polled by one of them, and shown by all', async () => {
    const { workbench: first } = suite;
    await signIn(first);
    await storeJob();
    await first.reloadWindow();
    windows.push(
      first,
      await first.openAnother({ ownSecrets: false }),
      await first.openAnother({ ownSecrets: false }),
    );
    await allShow(20);
    await poller();
    await allShow(30);
  });

  it('is polled by another when that one is killed, and again shown by all when it restarts', async () => {
    const pid = await poller();
    const replaced = replaces(pid);
    process.kill(pid, 'SIGKILL');
    await replaced;
    await allShow(40);
    await poller();
  });

  it('is polled by another when that one hangs, which no longer polls when it goes on', async () => {
    const pid = await poller();
    const replaced = replaces(pid);
    process.kill(pid, 'SIGSTOP');
    try {
      await replaced;
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await allShow(50);
    assert.notEqual(await poller(), pid);
  });
});
