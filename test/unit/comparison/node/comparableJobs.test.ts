import { deepEqual, equal } from 'node:assert/strict';
import { ComparableJobs } from '../../../../src/jobs/node/comparableJobs';
import type { RunItem, SubmittedJob } from '../../../../src/jobs/node/runRecords';
import { finish } from '../../../../src/base/steps';
import { pairImages, type PairableSide } from '../../../../src/comparison/node/imagePairing';
import { FakeSessions } from '../../jobs/node/fakeSessions';

describe('The jobs to compare a job with', () => {
  let sessions: FakeSessions;

  beforeEach(() => {
    sessions = new FakeSessions();
  });

  const submitted = (jobId: string, items: readonly RunItem[]): SubmittedJob => ({
    ...{ jobId, pipelineId: 'p', items, filesystemIds: items.map(({ id }) => id) },
    ...{ submittedAt: '2026-03-01T12:00:00Z', by: 'person' as const },
  });
  const addJob = (id: string, items?: readonly RunItem[], status = 'SUCCEEDED') => {
    sessions.jobs.push({ id, status, percentageCompleted: 100 });
    if (items) sessions.submitted.set(id, submitted(id, items));
  };
  const listed = async (id: string) => {
    const jobs = new ComparableJobs(sessions.session, { id, submitted: sessions.submitted.get(id) });
    await jobs.loadMore();
    return { jobs, items: () => jobs.items.map(job => [job.id, job.inCommon]) };
  };
  const images = (...ids: string[]) => ids.map(id => ({ id, name: `${id}.png` }));

  it('leave out the job itself, and those without results', async () => {
    sessions.pageSize = 9;
    addJob('mine', images('1', '2'));
    addJob('failed', images('1', '2'), 'FAILED');
    addJob('running', images('1', '2'), 'RUNNING');
    addJob('other', images('1', '2'));
    deepEqual((await listed('mine')).items(), [['other', 2]]);
  });

  it('begin with those that have images in common, and end with those that have none', async () => {
    sessions.pageSize = 9;
    addJob('none', images('7', '8'));
    addJob('unknown');
    addJob('mine', images('1', '2'));
    addJob('folder', [{ id: 'f', name: 'plate', isFolder: true }]);
    addJob('some', images('2', '3'));
    deepEqual((await listed('mine')).items(), [
      ['some', 1],
      ['unknown', undefined],
      ['folder', undefined],
      ['none', 0],
    ]);
    // Nothing is known of the one that is compared.
    deepEqual(
      (await listed('unknown')).items().map(([, inCommon]) => inCommon),
      [undefined, undefined, undefined, undefined],
    );
  });

  it('are looked for on further pages where the first ones have only the job itself', async () => {
    addJob('mine', images('1'));
    for (let at = 0; at < 4; at++) addJob(`failed${at}`, [], 'FAILED');
    addJob('other', images('1'));
    addJob('later', images('1'));
    const { jobs, items } = await listed('mine');
    deepEqual(items(), [['other', 1]]);
    equal(jobs.mayHaveMore, true);
    await jobs.loadMore();
    deepEqual(items(), [
      ['other', 1],
      ['later', 1],
    ]);
    await jobs.loadMore();
  });

  it('know images again that were uploaded twice', async () => {
    sessions.pageSize = 9;
    addJob('mine', [
      { id: '1', name: 's1.png', folder: 'plate/control', sha256: 'aa' },
      { id: '2', name: 's1.png', folder: 'plate/treated', sha256: 'bb' },
    ]);
    addJob('renamed', [{ id: '3', name: 'copy.png', sha256: 'aa' }]);
    addJob('moved', [{ id: '4', name: 's1.png', folder: 'treated' }]);
    addJob('deeper', [{ id: '5', name: 's1.png', folder: 'old/plate/treated' }]);
    addJob('elsewhere', [{ id: '6', name: 's1.png', folder: 'mock' }]);
    deepEqual((await listed('mine')).items(), [
      ['renamed', 1],
      ['moved', 1],
      ['deeper', 1],
      ['elsewhere', 0],
    ]);
  });

  it('may be selected where images may be the same, and only a person knows', async () => {
    sessions.pageSize = 9;
    addJob('mine', [
      { id: '1', name: 'a.png', folder: 'x', sha256: 'aa' },
      { id: '2', name: 'a.png', folder: 'y', sha256: 'bb' },
    ]);
    addJob('changed', [{ id: '3', name: 'a.png', folder: 'x', sha256: 'cc' }]);
    addJob('bare', [{ id: '4', name: 'a.png' }]);
    deepEqual((await listed('mine')).items(), [
      ['changed', undefined],
      ['bare', undefined],
    ]);
  });

  it('have as many images in common as the comparison pairs', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const item = (): RunItem => ({
      id: `${random(30)}`,
      name: `s${random(4)}.png`,
      ...(random(2) && { folder: ['control', 'treated', 'plate/control'][random(3)] ?? '' }),
      ...(random(2) && { sha256: `hash${random(20)}` }),
    });
    const side = (items: readonly RunItem[]): PairableSide => ({
      format: 'archive',
      images: items.map(({ id, name = '', folder, sha256 }) => {
        const path = folder ? `${folder}/${name}` : name;
        return { id, path, item: id, itemPath: path, ...(sha256 && { sha256 }) };
      }),
    });
    let paired = 0;
    for (let round = 0; round < 300; round++) {
      sessions = new FakeSessions();
      const [mine, others] = [1, 2].map(() => Array.from({ length: 1 + random(3) }, item)) as [
        RunItem[],
        RunItem[],
      ];
      addJob('mine', mine);
      addJob('other', others);
      const [[, inCommon] = []] = (await listed('mine')).items();
      const { pairs } = finish(pairImages(side(mine), side(others)));
      if (pairs.length > 0) paired++;
      const isSame = pairs.length > 0 ? inCommon === pairs.length : !inCommon;
      equal(isSame, true, JSON.stringify([inCommon, pairs, mine, others]));
    }
    equal(paired > 50 && paired < 300, true, `${paired} of 300`);
  });
});
