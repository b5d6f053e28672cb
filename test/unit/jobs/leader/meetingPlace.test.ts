import * as assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MeetingPlace } from '../../../../src/jobs/leader/meetingPlace';
import { runtimeFolder, type Machine } from '../../../../src/jobs/leader/runtimeFolder';

describe('The place where windows meet', function () {
  // There the system keeps the named pipes.
  if (process.platform === 'win32') return;

  let folder = '';
  let machine: Machine;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meeting-'));
    await mkdir(join(folder, 'run'));
    await mkdir(join(folder, 'tmp'));
    machine = { runtime: join(folder, 'run'), temporary: join(folder, 'tmp'), user: process.getuid?.() ?? 0 };
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is in the system's folder of the user, else in one among the temporary files", async () => {
    const ofUser = `image-analysis-${machine.user}`;
    assert.equal(await runtimeFolder(machine), join(folder, 'run', 'image-analysis'));
    assert.equal(await runtimeFolder({ ...machine, runtime: undefined }), join(folder, 'tmp', ofUser));
    assert.equal(await runtimeFolder({ ...machine, runtime: 'relative' }), join(folder, 'tmp', ofUser));
    assert.equal(
      await runtimeFolder({ ...machine, runtime: join(folder, 'missing') }),
      join(folder, 'tmp', ofUser),
    );
  });

  it('is closed to other users', async () => {
    const path = await runtimeFolder(machine);
    assert.equal((await stat(path ?? '')).mode & 0o777, 0o700);
  });

  it('is not a folder that others can enter, that is of another user, or that a link leads to', async () => {
    const path = (await runtimeFolder({ ...machine, runtime: undefined })) ?? '';
    const alone = { ...machine, runtime: undefined };
    await chmod(path, 0o710);
    assert.equal(await runtimeFolder(alone), undefined);
    await chmod(path, 0o700);
    assert.equal(await runtimeFolder(alone), path);
    await rm(path, { recursive: true });
    await mkdir(join(folder, 'elsewhere'), { mode: 0o700 });
    await symlink(join(folder, 'elsewhere'), path);
    assert.equal(await runtimeFolder(alone), undefined);
    await rm(path);
    await mkdir(join(folder, 'tmp', `image-analysis-${machine.user + 1}`), { mode: 0o700 });
    assert.equal(await runtimeFolder({ ...alone, user: machine.user + 1 }), undefined);
    await writeFile(path, '');
    assert.equal(await runtimeFolder(alone), undefined);
  });

  it('is the same for all that share a nonce, which is readable by its owner alone', async () => {
    const nonce = join(folder, 'nonce');
    const places = await Promise.all(Array.from({ length: 5 }, () => MeetingPlace.open(nonce, machine)));
    assert.equal(new Set(places.map(place => place.address(1))).size, 1);
    assert.equal((await stat(nonce)).mode & 0o777, 0o600);
    const other = await MeetingPlace.open(join(folder, 'other'), machine);
    assert.notEqual(other.address(1), places[0]?.address(1));
  });

  it('does not create the folder of an account that was signed out again', async () => {
    const gone = join(folder, 'accounts', 'gone');
    await assert.rejects(MeetingPlace.open(join(gone, 'nonce'), machine), { code: 'ENOENT' });
    await assert.rejects(stat(dirname(gone)), { code: 'ENOENT' });
  });

  it('is none where the path of a socket would be too long', async () => {
    const runtime = join(folder, 'x'.repeat(100));
    await mkdir(runtime);
    await assert.rejects(MeetingPlace.open(join(folder, 'nonce'), { ...machine, runtime }), /too long/);
  });

  it('knows the latest number of its own windows, and removes the earlier ones', async () => {
    const place = await MeetingPlace.open(join(folder, 'nonce'), machine);
    const other = await MeetingPlace.open(join(folder, 'other'), machine);
    assert.equal(await place.latest(), undefined);
    for (const number of [9, 10, 2]) await writeFile(place.address(number), '');
    await writeFile(other.address(99), '');
    await writeFile(`${place.address(11)}.old`, '');
    assert.equal(await place.latest(), 10);
    await place.removeBefore(10);
    assert.equal((await readdir(dirname(place.address(1)))).length, 3);
    assert.deepEqual([await place.latest(), await other.latest()], [10, 99]);
  });
});
