import { deepEqual, equal, ok } from 'node:assert/strict';
import type { AnalysisJob } from '../../../../src/service/wire';
import { jobItem, jobLabel, jobTreeItem } from '../../../../src/jobs/node/treeItems';
import {
  JobGroup,
  JobNode,
  JobNodes,
  JobResultNode,
  type JobTreeNode,
  MissingImageNode,
  MissingImagesNode,
} from '../../../../src/jobs/node/jobNodes';
import { imagesToRunAgain, jobsWithObjects } from '../../../../src/jobs/node/selectedJobs';
import { FailureNode, LoadMoreNode } from '../../../../src/host/node/pagedNodes';
import type { RunRecord } from '../../../../src/jobs/node/runRecords';
import type { TrackedJob } from '../../../../src/jobs/node/jobState';
import { CodedError } from '../../../../src/base/errors';
import { reason } from '../../../../src/base/reasons';
import { plainEnglish } from '../../../../src/words/translate';
import { FakeSessions } from './fakeSessions';

const language = { t: plainEnglish, locale: 'en' };
const job = (id: string, more: Partial<AnalysisJob> = {}): AnalysisJob => ({
  id,
  status: 'RUNNING',
  percentageCompleted: 10,
  ...more,
});
const done = (id: string, more: Partial<AnalysisJob> = {}) =>
  job(id, { status: 'SUCCEEDED', percentageCompleted: 100, ...more });
const tracked = (jobId: string, more: Partial<TrackedJob> = {}) =>
  ({
    jobId,
    what: 'analysis',
    phase: 'running',
    status: 'RUNNING',
    percentageCompleted: 55,
    ...more,
  }) as TrackedJob;

describe('The tree of jobs', () => {
  let sessions: FakeSessions;
  let nodes: JobNodes;
  let redrawn: (JobTreeNode | undefined)[];

  beforeEach(() => {
    sessions = new FakeSessions();
    nodes = new JobNodes(sessions.parts);
    redrawn = [];
    nodes.onDidChange(node => redrawn.push(node));
  });

  afterEach(() => nodes.dispose());

  const groups = async () => (await nodes.children()).filter(node => node instanceof JobGroup);
  const inGroups = async () => (await groups()).map(({ name, jobs }) => [name, ...jobs.map(({ id }) => id)]);
  const firstJob = async () => {
    const [job] = (await groups()).flatMap(({ jobs }) => jobs);
    ok(job);
    return job;
  };

  it('groups jobs by how they stand, with the rest of the list below', async () => {
    sessions.pageSize = 4;
    sessions.jobs = [job('1'), done('2'), job('3', { status: 'FAILED' }), done('4'), done('5')];
    deepEqual(await inGroups(), [
      ['running', '1'],
      ['done', '2', '4'],
      ['failed', '3'],
    ]);
    ok((await nodes.children()).at(-1) instanceof LoadMoreNode);
    const [running] = await groups();
    ok(running);
    deepEqual(await nodes.children(running), running.jobs);
    equal(jobTreeItem(language, running).isExpanded, true);
  });

  it('does not track the jobs it lists, and requests none of them', async () => {
    sessions.jobs = [job('1'), done('2')];
    await nodes.children();
    deepEqual([sessions.tracked, sessions.requested], [[], []]);
    equal(jobItem(language, await firstJob()).contextValue, 'job running unfollowed');
  });

  it('shows the progress of a tracked job, and its masks job', async () => {
    sessions.jobs = [job('1')];
    sessions.followed = [tracked('1', { status: '' })];
    const node = await firstJob();
    equal(jobItem(language, node).contextValue, 'job running followed');
    sessions.jobChanged.fire({ session: sessions.session, job: tracked('1', { expectedEnd: 300_000 }) });
    equal(jobItem(language, node, 0).description, '55% · about 5 min left');
    sessions.jobChanged.fire({
      session: sessions.session,
      job: tracked('1', { what: 'masks', percentageCompleted: 30.7 }),
    });
    equal(jobItem(language, node).description, 'masks 30%');
    deepEqual(redrawn, [node, node]);
  });

  it('moves a job that ends to another group, with its results, without a request', async () => {
    sessions.jobs = [job('1'), done('2')];
    const node = await firstJob();
    const ended = tracked('1', {
      phase: 'succeeded',
      status: 'SUCCEEDED',
      results: { objects: true, aggregate: false },
    });
    sessions.jobChanged.fire({ session: sessions.session, job: ended });
    deepEqual(redrawn, [undefined]);
    deepEqual(await inGroups(), [['done', '1', '2']]);
    deepEqual(sessions.requested, []);
    const results = (await nodes.children(node)).filter(result => result instanceof JobResultNode);
    deepEqual(
      results.map(result => jobTreeItem(language, result).contextValue),
      ['result objects', 'result masks'],
    );
    deepEqual(new Set(results.map(({ id }) => id)), new Set(['1']));
  });

  it('refreshes once for a job that is not listed yet', async () => {
    sessions.jobs = [];
    await nodes.children();
    for (let i = 0; i < 2; i++) sessions.jobChanged.fire({ session: sessions.session, job: tracked('new') });
    deepEqual(redrawn, [undefined]);
  });

  it('stays listed, and follows its jobs, while the service is unreachable', async () => {
    sessions.jobs = [job('1'), done('2')];
    const node = await firstJob();
    sessions.failure = new CodedError('network', 'down');
    nodes.refresh();
    const [failure, ...rest] = await nodes.children();
    ok(failure instanceof FailureNode);
    deepEqual(
      rest.map(group => group instanceof JobGroup && group.name),
      ['running', 'done'],
    );
    redrawn = [];
    sessions.jobChanged.fire({ session: sessions.session, job: tracked('1') });
    deepEqual(redrawn, [node]);
  });

  it('has the images without a result below their job, to be run again one by one, together or all', async () => {
    sessions.jobs = [done('1')];
    const node = await firstJob();
    equal((await nodes.children(node)).length, 3);
    const items = [
      { id: 'a', name: 'c.tif', folder: 'control' },
      { id: 'b' },
      { id: 'c', name: 'c.tif', folder: 'treated' },
      { id: 'd', name: 'd.tif', folder: 'treated' },
    ];
    const outcome = { compared: true as const, withoutResult: ['b', 'c', 'd'] };
    const record = { jobId: '1', items, outcome } as unknown as RunRecord;
    sessions.runs.set('1', record);
    sessions.compared.fire({ session: sessions.session, record, outcome });
    deepEqual(redrawn, [node]);
    const missing = (await nodes.children(node)).at(-1);
    ok(missing instanceof MissingImagesNode);
    const { label, description } = jobTreeItem(language, missing);
    deepEqual([label, description], ['Images without a result', '3']);
    const images = (await nodes.children(missing)).filter(image => image instanceof MissingImageNode);
    deepEqual(
      images.map(image => jobTreeItem(language, image).label),
      ['b', 'treated/c.tif', 'd.tif'],
    );
    const again = (...args: unknown[]) => imagesToRunAgain(args)?.items.map(({ id }) => id);
    deepEqual(again(missing), ['b', 'c', 'd']);
    deepEqual(again(images[1]), ['c']);
    const elsewhere = new MissingImageNode(new JobNode(done('2'), undefined), {
      item: { id: 'x' },
      name: 'x',
      path: '',
    });
    deepEqual(again(images[0], [images[0], images[2], elsewhere, node]), ['b', 'd']);
    equal(again(node), undefined);
  });

  it('has no such images where results were not compared', async () => {
    sessions.jobs = [done('1')];
    const outcome = { compared: false as const, why: 'names' as const };
    sessions.runs.set('1', { jobId: '1', items: [{ id: 'a' }], outcome });
    equal((await nodes.children(await firstJob())).length, 3);
  });

  it('shows the name that a job is given here', async () => {
    sessions.jobs = [done('1')];
    const node = await firstJob();
    sessions.facts.onDidChange(jobId => sessions.learned.fire({ session: sessions.session, jobId }));
    await sessions.facts.add('1', { name: 'Plate 7' });
    deepEqual(redrawn, [node]);
    equal(jobItem(language, node).label, 'Plate 7');
  });

  it('makes a node for each of 1,000 jobs once, and draws only that again which changes', async () => {
    sessions.pageSize = 100;
    sessions.jobs = Array.from({ length: 1000 }, (_, index) => job(`${index}`));
    for (;;) {
      const more = (await nodes.children()).at(-1);
      if (!(more instanceof LoadMoreNode)) break;
      await more.load();
    }
    redrawn = [];
    const made = new Set((await groups()).flatMap(({ jobs }) => jobs));
    equal(made.size, 1000);
    for (let round = 0; round < 20; round++) {
      for (const { id } of sessions.jobs.slice(0, 50)) {
        sessions.jobChanged.fire({
          session: sessions.session,
          job: tracked(id, { percentageCompleted: round }),
        });
      }
    }
    equal(redrawn.length, 1000);
    ok(redrawn.every(node => node instanceof JobNode));
    for (const { jobs } of await groups()) for (const node of jobs) made.add(node);
    equal(made.size, 1000);
  });
});

describe('Several jobs selected in the tree', () => {
  it('have objects tables where the list omits the links of finished jobs', () => {
    const selection = [...[done('1'), done('2'), job('3')].map(one => new JobNode(one, undefined)), {}];
    deepEqual(
      jobsWithObjects(selection).map(({ id }) => id),
      ['1', '2'],
    );
  });

  it('have none where the list names only the other table', () => {
    deepEqual(jobsWithObjects([new JobNode(done('1', { aggregateDataCSVUrl: 'https://a' }), undefined)]), []);
  });
});

describe('The item of a job', () => {
  const item = (resource: AnalysisJob) => jobItem(language, new JobNode(resource, undefined));

  it('has the context value of its menu', () => {
    equal(item(job('1')).contextValue, 'job running unfollowed');
    equal(item(job('1', { status: 'FAILED' })).contextValue, 'job failed');
    equal(item(done('1')).contextValue, 'job succeeded objects aggregate');
    equal(item(done('1', { aggregateDataCSVUrl: 'https://a' })).contextValue, 'job succeeded aggregate');
    const submitted = {
      jobId: '1',
      pipelineId: 'p',
      filesystemIds: ['a'],
      submittedAt: '2026-03-01T11:55:00Z',
      by: 'person' as const,
    };
    const known = (resource: AnalysisJob, filesystemIds = ['a']) =>
      jobItem(language, new JobNode(resource, { ...submitted, filesystemIds })).contextValue;
    equal(known(job('1', { status: 'FAILED' })), 'job failed known');
    equal(known(job('1', { status: 'FAILED' }), []), 'job failed', 'items of old jobs are dropped');
    equal(known(job('1')), 'job running unfollowed', 'a running job is not run again');
  });

  it('describes the state of the job', () => {
    equal(item(done('1')).accessibleLabel, 'Job 1, done');
    const now = Date.parse('2026-03-01T12:00:00Z');
    const facts = { get: () => ({ pipeline: 'Bright objects. Threshold by Otsu.', objects: 1234 }) };
    const submitted = {
      jobId: '1',
      pipelineId: 'p',
      filesystemIds: ['a', 'b'],
      submittedAt: '2026-03-01T11:55:00Z',
      by: 'person' as const,
    };
    const known = (resource: AnalysisJob, name?: string) =>
      jobItem(language, new JobNode(resource, { ...submitted, ...(name && { name }) }, facts), now);
    equal(known(done('1')).description, '1,234 objects · 2 items · 5m ago · Bright objects');
    equal(known(done('1'), 'mine – Bright objects').description, '1,234 objects · 2 items · 5m ago');
    equal(
      known(job('1', { status: 'FAILED', reason: 'Image 2 is damaged. Try again.' })).description,
      'Image 2 is damaged · 1,234 objects · 2 items · 5m ago · Bright objects',
    );
    equal(
      jobItem(language, new JobNode(done('1', { createdAt: '2026-01-02T00:00:00Z' }), undefined), now)
        .description,
      'Jan 2, 2026',
    );
    equal(item(job('1', { status: 'FAILED' })).description, 'failed');
    const failed = item(job('1', { status: 'FAILED', reason: 'No objects' }));
    ok(failed.tooltip?.().includes('Reason: No objects'));
  });

  it('leaves room for its progress beside a long name until it has ended', () => {
    const name = 'plate_7_HeLa_DAPI_2026-03-02_well_C05 – Bright objects';
    const running = item(job('1', { name }));
    equal(running.label, 'plate_7_HeL…ight objects');
    equal(running.description, '10%');
    equal(running.accessibleLabel, `${name}, 10%`);
    equal(running.tooltip?.()[0], name);
    equal(item(job('1', { name, status: 'PENDING' })).description, 'pending · 10%');
    equal(item(done('1', { name })).label, name);
  });

  it('has an icon for each way to end, and for a service that is out of reach', () => {
    const icon = (resource: AnalysisJob, more?: Partial<TrackedJob>) => {
      const node = new JobNode(resource, undefined);
      if (more) node.tracked = tracked('1', more);
      return jobItem(language, node).icon;
    };
    equal(icon(done('1')), 'pass');
    equal(icon(job('1', { status: 'FAILED' })), 'error');
    for (const status of ['CANCELED', 'CANCELLED']) {
      equal(icon(job('1', { status })), 'circle-slash');
      equal(item(job('1', { status })).description, 'canceled');
    }
    equal(icon(job('1')), 'sync');
    equal(icon(job('1'), {}), 'sync~spin');
    equal(icon(job('1'), { unreachable: true }), 'debug-disconnect');
  });

  it('is named as it was named here, submitted here, by the service, or by the end of its ID', () => {
    const submitted = {
      jobId: '1',
      pipelineId: 'p',
      filesystemIds: [],
      submittedAt: '2026-03-01T12:00:00Z',
      by: 'person' as const,
    };
    const label = (parts: Partial<Parameters<typeof jobLabel>[1]>) =>
      jobLabel(plainEnglish, { resource: job('6863f0a1b2c3'), submitted: undefined, fact: {}, ...parts });
    const named = { ...submitted, name: 'a' };
    equal(label({ submitted: named, fact: { name: 'mine' } }), 'mine');
    equal(label({ submitted: named, fact: { name: '' } }), 'a', 'a name that was removed');
    equal(label({ resource: job('1', { name: 'b' }), submitted: named }), 'a');
    equal(label({ resource: job('1', { name: 'b' }), submitted }), 'b');
    equal(label({ submitted }), 'Job …a1b2c3');
    equal(label({ resource: job('1') }), 'Job 1');
  });

  it('says what came out, or why that is unknown', () => {
    const tooltip = (withoutResult: number | 'folders' | 'names') => {
      const submitted = {
        jobId: '1',
        pipelineId: 'p',
        filesystemIds: ['a', 'b'],
        submittedAt: '2026-03-01T12:00:00Z',
        by: 'person' as const,
        withoutResult,
      };
      return jobItem(language, new JobNode(done('1'), submitted)).tooltip?.() ?? [];
    };
    ok(!tooltip(0).some(line => /result/i.test(line)));
    ok(tooltip(1).includes('No result for 1 image'));
    ok(tooltip(2).includes('No result for 2 images'));
    ok(tooltip('folders').includes("Can't compare results with items: some are folders"));
    ok(tooltip('names').includes("Can't compare results with items: names are unknown or ambiguous"));
  });

  it('says what is odd about a job', () => {
    const shown = (more: Partial<TrackedJob>) => {
      const node = new JobNode(job('1'), undefined);
      node.tracked = tracked('1', more);
      const { description, tooltip } = jobItem(language, node);
      return { description, tooltip: tooltip?.() ?? [] };
    };
    const quiet = shown({ quietSince: 0 });
    equal(quiet.description, '55% · no progress');
    ok(quiet.tooltip.some(line => line.startsWith('No progress since ')));
    equal(shown({ unreachable: true, expectedEnd: 9e15 }).description, "55% · can't reach the service");
    ok(shown({ fellFrom: 80.5 }).tooltip.includes('Progress fell from 80%'));
    ok(shown({ status: 'WARMING' }).tooltip.includes('Unknown status "WARMING"; counted as running'));
    equal(shown({ phase: 'finishing' }).description, 'finishing');
    const stopped = shown({ stopped: true, unreachable: true, quietSince: 0, expectedEnd: 9e15 });
    equal(stopped.description, '55%');
    ok(!stopped.tooltip.some(line => line.includes('retrying')));
    const dropped = shown({ phase: 'unknown', reason: reason('It made no progress for {0} hours', 24) });
    equal(dropped.description, '55% · no longer followed');
    ok(dropped.tooltip.includes('Reason: It made no progress for 24 hours'));
  });
});
