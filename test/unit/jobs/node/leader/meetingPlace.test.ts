import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, basename, join } from 'node:path';
import { MeetingPlace, runtimeFolder } from '../../../../../src/jobs/node/meetingPlace';
import { describeWith } from '../../../capabilities';
import { ForeignDisk, onMachine, withWindowsPaths } from '../../../foreignDisk';

type Machine = NonNullable<Parameters<typeof MeetingPlace.open>[1]>;

// Windows keeps named pipes instead.
describeWith('socketFiles')('The place where windows meet', function () {
  let folder = '';
  let machine: Machine;

  beforeEach(async () => {
    folder = await mkdtemp('/tmp/meet-');
    await mkdir(join(folder, 'run'));
    await mkdir(join(folder, 'tmp'));
    machine = {
      runtime: join(folder, 'run'),
      temporary: join(folder, 'tmp'),
      shared: join(folder, 'missing'),
      user: process.getuid?.() ?? 0,
    };
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is in the system's folder of the user, else in one among the temporary files", async () => {
    const ofUser = `ia-${machine.user}`;
    assert.equal(await runtimeFolder(machine, 27), join(folder, 'run', 'image-analysis'));
    assert.equal(await runtimeFolder({ ...machine, runtime: undefined }, 27), join(folder, 'tmp', ofUser));
    assert.equal(await runtimeFolder({ ...machine, runtime: 'relative' }, 27), join(folder, 'tmp', ofUser));
    assert.equal(
      await runtimeFolder({ ...machine, runtime: join(folder, 'missing') }, 27),
      join(folder, 'tmp', ofUser),
    );
  });

  it('is closed to other users', async () => {
    const path = await runtimeFolder(machine, 27);
    assert.equal((await stat(path ?? '')).mode & 0o777, 0o700);
  });

  it('is not a folder that others can enter, that is of another user, or that a link leads to', async () => {
    const path = (await runtimeFolder({ ...machine, runtime: undefined }, 27)) ?? '';
    const alone = { ...machine, runtime: undefined };
    await chmod(path, 0o710);
    assert.equal(await runtimeFolder(alone, 27), undefined);
    await chmod(path, 0o700);
    assert.equal(await runtimeFolder(alone, 27), path);
    await rm(path, { recursive: true });
    await mkdir(join(folder, 'elsewhere'), { mode: 0o700 });
    await symlink(join(folder, 'elsewhere'), path);
    assert.equal(await runtimeFolder(alone, 27), undefined);
    await rm(path);
    await mkdir(join(folder, 'tmp', `ia-${machine.user + 1}`), { mode: 0o700 });
    assert.equal(await runtimeFolder({ ...alone, user: machine.user + 1 }, 27), undefined);
    await writeFile(path, '');
    assert.equal(await runtimeFolder(alone, 27), undefined);
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

  it('has room for a socket in the temporary folder of a Mac, for a user with a long number', async () => {
    const temporary = await ofLength(48);
    const socket = `${'0'.repeat(16)}-1790000000`;
    // The user's number, which the owner of a folder must have, is as long as it can be.
    const longer = 10 - String(machine.user).length;
    const found = await runtimeFolder({ ...machine, runtime: undefined, temporary }, socket.length + longer);
    assert.equal(found, join(temporary, `ia-${machine.user}`));
    const place = await MeetingPlace.open(join(folder, 'nonce'), {
      ...machine,
      runtime: undefined,
      temporary,
    });
    const server = createServer().listen(place.address(1_790_000_000));
    await once(server, 'listening');
    assert.equal(await place.latest(), 1_790_000_000);
    server.close();
  });

  it('is in the folder that all users share where the path of their own is too long, else nowhere', async () => {
    const long = { ...machine, runtime: await ofLength(90), temporary: await ofLength(100) };
    await assert.rejects(MeetingPlace.open(join(folder, 'nonce'), long), /short path/);
    assert.deepEqual([await readdir(long.runtime), await readdir(long.temporary)], [[], []]);
    const shared = join(folder, 'tmp');
    const place = await MeetingPlace.open(join(folder, 'nonce'), { ...long, shared });
    assert.equal(dirname(place.address(1)), join(shared, `ia-${machine.user}`));
    assert.equal((await stat(dirname(place.address(1)))).mode & 0o777, 0o700);
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

  it('removes what other groups left behind a day ago, not what somebody listens to', async () => {
    const place = await MeetingPlace.open(join(folder, 'nonce'), machine);
    const others = dirname(place.address(1));
    const now = 1_790_000_000;
    const [left, used, recent] = [now - 90_000, now - 90_001, now - 80_000].map(number =>
      join(others, `${'f'.repeat(16)}-${number}`),
    ) as [string, string, string];
    // A socket stays where its process is killed.
    const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    for (const file of [left, recent]) spawnSync(process.execPath, ['-e', script, file]);
    const server = createServer().listen(used);
    await once(server, 'listening');
    await writeFile(join(others, 'notes'), '');
    await place.removeBefore(now);
    assert.deepEqual((await readdir(others)).sort(), ['notes', basename(used), basename(recent)].sort());
    server.close();
  });

  /** A new folder whose path has so many bytes, at least 10 more than the test's folder. */
  async function ofLength(bytes: number): Promise<string> {
    const made = join(folder, 'x'.repeat(bytes - Buffer.byteLength(folder) - 1));
    await mkdir(made);
    return made;
  }
});

describe('The place where windows meet on Windows', () => {
  let folder = '';
  let disk: ForeignDisk;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meet-'));
    disk = new ForeignDisk(folder);
  });

  afterEach(async () => {
    disk.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const open = () => onMachine({ platform: 'win32' }, () => MeetingPlace.open(join(folder, 'nonce')));
  const address = (place: MeetingPlace) => withWindowsPaths(() => place.address(7));

  it('is a named pipe, for which no folder is needed', async () => {
    assert.match(address(await open()), /^\\\\\.\\pipe\\image-analysis-[0-9a-f]{16}-7$/);
    assert.deepEqual(await readdir(folder), ['nonce']);
  });

  it('is found while a virus scanner reads the file that tells it', async () => {
    const first = address(await open());
    disk.scan();
    assert.equal(address(await open()), first);
    assert.ok((disk.refused.get('read') ?? 0) > 0);
  });
});
