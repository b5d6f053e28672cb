import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndClaims } from '../../../../src/jobs/node/jobEnds';

describe('The claim to announce the end of a job', () => {
  let root: string;
  let folder: string;
  const end = { jobId: 'a/b', what: 'analysis', phase: 'succeeded', startedAt: 1 } as const;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'image-analysis-claims-'));
    folder = join(root, 'ended');
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is given to one of several windows', async () => {
    const windows = Array.from({ length: 5 }, () => new EndClaims(folder));
    const claims = await Promise.all(windows.map(window => window.claim(end)));
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal(await new EndClaims(folder).claim(end), false);
  });

  it('is separate for each job, for its masks, and for a failure that later succeeds or fails again', async () => {
    const claims = new EndClaims(folder);
    const ends = [
      end,
      { ...end, jobId: 'a' },
      { ...end, what: 'masks', phase: 'failed' },
      { ...end, what: 'masks', phase: 'failed', startedAt: 2 },
      { ...end, what: 'masks' },
    ] as const;
    for (const one of ends) assert.equal(await claims.claim(one), true);
  });

  it("is given to every window where it can't be written", async () => {
    await writeFile(folder, 'a file in the way');
    assert.equal(await new EndClaims(folder).claim(end), true);
    assert.equal(await new EndClaims(folder).claim(end), true);
  });

  it('expires after a day', async () => {
    const claims = new EndClaims(folder);
    await claims.claim(end);
    const [name = ''] = await readdir(folder);
    const old = new Date(Date.now() - 25 * 60 * 60_000);
    await utimes(join(folder, name), old, old);
    await claims.claim({ ...end, jobId: 'next' });
    assert.equal((await readdir(folder)).includes(name), false);
  });

  it('does not recreate the folder of an account that is gone', async () => {
    const claims = new EndClaims(folder);
    claims.dispose();
    assert.equal(await claims.claim(end), false);
    assert.deepEqual(await readdir(root), []);
  });
});
