import * as assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CrossWindowFolder } from '../../src/base/node/crossWindowFolder';
import { PendingJobs } from '../../src/jobs/node/pendingJobs';
import { describeWith } from '../unit/capabilities';
import { DONE_JOB, FAILURE, RUNNING_JOB, RunningJobService } from './services/runningJobService';
import { until } from './until';
import { useWorkbench } from './useWorkbench';
import type { Workbench } from './workbench';

// Elsewhere the test can't tell which window polls.
describeWith('proc')('A job that runs in three windows', () => {
  const suite = useWorkbench({ theme: 'dark', settings: { 'imageAnalysis.jobs.pollingInterval': 1 } });
  const windows: Workbench[] = [];
  let service: RunningJobService;

  before(async () => {
    service = await new RunningJobService().listen();
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

  /** What is stored of the account. */
  async function accountFolder(): Promise<string> {
    const storage = join(suite.folder, '..', 'host/data/User/globalStorage/image-analysis.image-analysis');
    const [account] = await readdir(join(storage, 'accounts'));
    return join(storage, 'accounts', account ?? '');
  }

  /** As a window leaves it that is closed while a job runs. */
  async function storeJob(): Promise<void> {
    const jobs = new PendingJobs(new CrossWindowFolder(join(await accountFolder(), 'jobs')));
    const job = { jobId: RUNNING_JOB, what: 'analysis', name: 'coins', startedAt: Date.now() } as const;
    await jobs.add({ ...job, by: 'person' });
  }

  async function allShow(percentage: number): Promise<void> {
    service.percentageCompleted = percentage;
    for (const window of windows) await window.statusBarItem(`${percentage}%`).waitFor();
  }

  /**
   * The one process that polls: where two do, they take turns. A window that its machine keeps from
   * responding for seconds is replaced, which isn't what is tested here.
   */
  async function poller(): Promise<number> {
    await service.polled(pollers => pollers.length >= 6 && new Set(pollers.slice(-6)).size === 1);
    return service.pollers.at(-1) ?? 0;
  }

  /** Resolves once another process polls. After how many heartbeats, windowGroup.test.ts counts. */
  async function replaces(pid: number): Promise<void> {
    await service.polled(pollers => pollers.some(other => other !== pid));
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

  it('has another beside it when two windows submit the same at the same moment', async () => {
    const both = windows.slice(0, 2);
    for (const window of both) {
      const { quickInput } = window;
      await window.runCommand('Image Analysis: Submit Analysis Job…');
      await quickInput.choose('Bright objects');
      await quickInput.chooseSeveral('plate.png');
      await quickInput.widget.getByText('uses credits').waitFor();
      await quickInput.toggle('Also Generate Masks', false).click();
      await quickInput.toggle('Also Generate Masks', true).waitFor();
      await quickInput.widget.locator('input.input').focus();
    }
    const release = service.holdSubmits();
    await Promise.all(both.map(({ quickInput }) => quickInput.accept()));
    for (const window of both) await window.notification('Submitting job').waitFor();
    release();
    for (const window of windows) await window.statusBarItem('2 jobs').waitFor();
    assert.deepEqual(service.submits, ['/analysis-jobs']);
  });

  it('is listed with the other one by a click on the status bar', async () => {
    const [first] = windows;
    assert.ok(first);
    const { quickInput } = first;
    await first.statusBarItem('2 jobs').click();
    await quickInput.titled('Jobs');
    await quickInput.option('coins').hover();
    await quickInput.option('coins').getByRole('button', { name: 'Stop Following' }).waitFor();
    await quickInput.option('plate – Bright objects').waitFor();
    await quickInput.option('Show All Jobs').waitFor();
    // The name once, and what is said of the job below it.
    const row = quickInput.widget.locator('.monaco-list-row', { hasText: 'coins' });
    assert.match((await row.locator('.quick-input-list-entry').innerText()).trim(), /^coins\s+\d+%[^"]*$/);
    await first.screenshot('running-jobs');
    await quickInput.escape();
    await quickInput.closed();
  });

  it("is followed with another, and who stops following that one learns that its masks won't be generated", async () => {
    const [first] = windows;
    assert.ok(first);
    const { quickInput } = first;
    await first.statusBarItem('2 jobs').click();
    await quickInput.titled('Jobs');
    const submitted = quickInput.option('plate – Bright objects');
    await submitted.hover();
    await submitted.getByRole('button', { name: 'Stop Following' }).click();
    assert.equal(
      await first.readNotification('Stopped following'),
      'Stopped following "plate – Bright objects". Its masks won\'t be generated automatically unless you follow it again.',
    );
    for (const window of windows) await window.statusBarItem('2 jobs').waitFor({ state: 'hidden' });
    await first.clickInNotification('Stopped following', 'Follow Job');
    for (const window of windows) await window.statusBarItem('2 jobs').waitFor();
  });

  it('is announced together with the other one, and that can be run again from the list', async () => {
    const [first] = windows;
    assert.ok(first);
    const { quickInput } = first;
    service.haveEnded = true;
    assert.equal(await first.readNotification('Jobs have ended'), 'Jobs have ended: 1 done, 1 failed.');
    await first.clickInNotification('Jobs have ended', 'Show Jobs');
    await quickInput.titled('Jobs');
    await quickInput.option('coins').waitFor();
    await first.screenshot('ended-jobs');
    await quickInput.choose('plate – Bright objects');
    assert.ok((await first.readNotification(FAILURE)).startsWith('The job "plate – Bright objects" failed:'));
    await first.clickInNotification(FAILURE, 'Run Again…');
    await quickInput.titled('Run Again');
    await quickInput.option('Same Pipeline').waitFor();
    await quickInput.choose('Another Pipeline…');
    await quickInput.choose('Dark objects');
    await quickInput.widget.getByText('uses credits').waitFor();
    assert.equal(await quickInput.widget.locator('input.input').inputValue(), 'plate – Dark objects');
    await quickInput.escape();
    await quickInput.closed();
    assert.equal(service.submits.length, 1);
  });

  it('is no reason to request masks twice when two windows request them at the same moment', async () => {
    const both = windows.slice(0, 2);
    for (const window of both) {
      await window.openContainer('Image Analysis');
      await window.tree('Jobs').menu('beads', 'Generate Masks…');
      await window.dialog.getByText('uses credits').waitFor();
    }
    const release = service.holdSubmits();
    await Promise.all(both.map(window => window.clickInDialog('Generate Masks')));
    for (const { dialog } of both) await dialog.waitFor({ state: 'hidden' });
    await until(() => service.submits.length > 1);
    release();
    for (const window of windows) await window.statusBarItem('1 job 1%').waitFor();
    assert.deepEqual(service.submits.slice(1), [`/analysis-jobs/${DONE_JOB}/download-masks`]);
  });

  it('gets another beside it only as a person agrees, where the disk lets other windows see nothing of that', async () => {
    // In the others a request for masks may not be over, which would ask there.
    const [, , third] = windows;
    assert.ok(third);
    const { quickInput, dialog } = third;
    await third.openContainer('Image Analysis');
    const submits = join(await accountFolder(), 'submits');
    await rm(submits, { recursive: true });
    // Nothing can be stored there, as on a disk that is read-only.
    await writeFile(submits, '');
    const before = service.submits.length;
    const now = () => service.submits.slice(before);
    const submit = async () => {
      await third.runCommand('Image Analysis: Submit Analysis Job…');
      await quickInput.choose('Bright objects');
      await quickInput.chooseSeveral('plate.png');
      await quickInput.widget.getByText('uses credits').waitFor();
      await quickInput.accept();
      await dialog
        .getByText("The job wasn't submitted, because other windows couldn't see that it is.")
        .waitFor();
      await dialog.getByText('both run and use credits').waitFor();
    };
    await submit();
    await third.screenshot('submit-anyway');
    await third.clickInDialog('Cancel');
    await dialog.waitFor({ state: 'hidden' });
    await submit();
    assert.deepEqual(now(), []);
    await third.clickInDialog('Submit Anyway');
    await until(() => now().length === 1);
    await third.tree('Jobs').menu('Job …b-4711', 'Generate Masks…');
    await third.clickInDialog('Generate Masks');
    await dialog
      .getByText("The masks weren't requested, because other windows couldn't see that they are.")
      .waitFor();
    assert.deepEqual(now(), ['/analysis-jobs']);
    await third.clickInDialog('Generate Anyway');
    await until(() => now().length === 2);
    assert.deepEqual(now(), ['/analysis-jobs', `/analysis-jobs/${RUNNING_JOB}/download-masks`]);
  });
});
