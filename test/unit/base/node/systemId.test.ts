import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import {
  isOwnerGone,
  readSystemId,
  type SystemReader,
  type ThisProcess,
} from '../../../../src/base/node/thisProcess';

const MAC =
  '+-o J314sAP  <class IOPlatformExpertDevice>\n    "IOPlatformUUID" = "564D-AAAA"\n    "board-id" = <00>\n';
const WINDOWS =
  '\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    7c3f-01\r\n\r\n';
const MACHINE = 'a'.repeat(32);
const FIRST = 'pid:[4026531836]';
const CONTAINER = 'pid:[4026532404]';

/** A system whose commands and files say what a test gives; all else is missing. */
function system(
  platform: NodeJS.Platform,
  { name = 'one', texts = {} }: { name?: string; texts?: Readonly<Record<string, string>> } = {},
): SystemReader & { commands: string[] } {
  const commands: string[] = [];
  const text = (path: string) => {
    const found = texts[path];
    return found === undefined ? Promise.reject(new Error(`no ${path}`)) : Promise.resolve(found);
  };
  return {
    platform,
    commands,
    hostname: () => name,
    readText: text,
    readLink: text,
    output: (command, args) => {
      commands.push([command, ...args].join(' '));
      return text(command.replace(/^.*[\\/]/, ''));
    },
  };
}

const linux = (machine: string, processes: string, more: Readonly<Record<string, string>> = {}) => ({
  '/etc/machine-id': `${machine}\n`,
  '/proc/sys/kernel/random/boot_id': 'boot-1\n',
  '/proc/self/ns/pid': processes,
  ...more,
});
const mount = (id: string) =>
  `610 600 8:1 /var/lib/docker/containers/${id}/hostname /etc/hostname rw - ext4 x rw\n`;

describe('The ID of a system', () => {
  it('is the UUID of a Mac, whatever network gives it a name', async () => {
    const lab = await readSystemId(system('darwin', { name: 'lab', texts: { ioreg: MAC } }));
    const home = await readSystemId(system('darwin', { name: 'home', texts: { ioreg: MAC } }));
    deepEqual([lab, home], [{ host: '564D-AAAA' }, { host: '564D-AAAA' }]);
  });

  it("is Windows' own, with the name that tells desktops cloned from one image apart", async () => {
    const windows = system('win32', { name: 'PC-1', texts: { 'reg.exe': WINDOWS } });
    deepEqual(await readSystemId(windows), { host: '7c3f-01/PC-1' });
    match(
      windows.commands[0] ?? '',
      /System32\\reg\.exe query HKLM\\SOFTWARE\\Microsoft\\Cryptography \/v MachineGuid/,
    );
  });

  it('is that of Linux with its start, whatever its name', async () => {
    const before = await readSystemId(system('linux', { name: 'a', texts: linux(MACHINE, FIRST) }));
    const after = await readSystemId(system('linux', { name: 'b', texts: linux(MACHINE, FIRST) }));
    deepEqual([before, after], new Array(2).fill({ host: MACHINE, boot: 'boot-1' }));
    const { '/etc/machine-id': id = '', ...others } = linux(MACHINE, FIRST);
    const old = await readSystemId(system('linux', { texts: { ...others, '/var/lib/dbus/machine-id': id } }));
    equal(old.host, MACHINE);
  });

  it('is another one in each container, of one image and on one machine', async () => {
    const of = (more?: Readonly<Record<string, string>>, name?: string) =>
      readSystemId(system('linux', { ...(name && { name }), texts: linux(MACHINE, CONTAINER, more) }));
    const first = await of({ '/proc/self/mountinfo': mount('1'.repeat(64)) });
    const second = await of({ '/proc/self/mountinfo': mount('2'.repeat(64)) });
    const renamed = await of({ '/proc/self/mountinfo': mount('2'.repeat(64)) }, 'other');
    notEqual(first.host, second.host);
    deepEqual(renamed, second);
    notEqual((await of({}, 'pod-a')).host, (await of({}, 'pod-b')).host);
    equal(
      (await readSystemId(system('linux', { name: 'pod-a', texts: linux('', CONTAINER) }))).host,
      '/pod-a',
    );
  });

  it('is its name where it tells nothing else', async () => {
    for (const platform of ['darwin', 'win32', 'linux', 'freebsd'] as const)
      deepEqual(
        await readSystemId(system(platform, { name: 'pc' })).then(({ host }) => host.replace('/', '')),
        'pc',
      );
    deepEqual(await readSystemId(system('linux', { texts: linux('uninitialized', FIRST) })), { host: 'one' });
  });

  it('is found on this system', async () => {
    const [first, second] = [await readSystemId(), await readSystemId()];
    notEqual(first.host, '');
    deepEqual(first, second);
  });
});

describe('A process of a machine', () => {
  const now = 1_000_000_000;
  const currentProcess: ThisProcess = {
    ...{ session: 'mine', pid: 1, host: 'id', boot: 'this', bootedAt: now - 60_000 },
    isRunning: pid => pid < 10,
  };
  const other = (pid: number, boot: string, host = 'id') => ({ session: 'other', pid, host, boot });

  it('is over where its number is free, or ours', () => {
    const over = [20, 1, 2].map(pid => isOwnerGone(other(pid, 'this'), now, currentProcess));
    deepEqual(over, [true, true, false]);
  });

  it('is over where the machine has started since, whoever has its number now', () => {
    equal(isOwnerGone(other(2, 'last'), currentProcess.bootedAt - 11_000, currentProcess), true);
  });

  it('is not over as far as is known on a machine with the same ID and another start, as nodes of a cluster', () => {
    equal(isOwnerGone(other(20, 'last'), now, currentProcess), false);
  });

  it('is not over as far as is known on another machine', () => {
    equal(isOwnerGone(other(20, 'this', 'another'), 0, currentProcess), false);
  });
});
