import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { promisify } from 'node:util';

/** A process that owns files in a folder that several windows share. */
export interface OwnerProcess extends SystemId {
  /** Unique to one run of one window's extension host. */
  session: string;
  pid: number;
}

/** This process; it can check whether other processes run. */
export interface ThisProcess extends OwnerProcess {
  /** When the machine started. Milliseconds since 1970. */
  bootedAt: number;
  isRunning(pid: number): boolean;
}

/** Tolerance for inexact clocks and start times, in milliseconds. */
const BOOT_TOLERANCE = 10_000;

/** The running process as an owner of files; tests pass another system. */
export async function thisProcess(system?: SystemReader): Promise<ThisProcess> {
  return {
    session: randomUUID(),
    pid: process.pid,
    ...(await readSystemId(system)),
    bootedAt: Date.now() - uptime() * 1000,
    isRunning,
  };
}

/** The members of a process that are stored. */
export function ownerOf({ session, pid, host, boot }: OwnerProcess): OwnerProcess {
  return { session, pid, host, ...(boot !== undefined && { boot }) };
}

/**
 * Whether the owner was a process of this machine that has ended. `writtenAt` is in milliseconds
 * since 1970. False for processes of other machines, because they can't be checked.
 */
export function isOwnerGone(owner: OwnerProcess, writtenAt: number, currentProcess: ThisProcess): boolean {
  if (owner.session === currentProcess.session || owner.host !== currentProcess.host) return false;
  // The machine has restarted since: the process has ended, although its ID may be in use again.
  if (writtenAt < currentProcess.bootedAt - BOOT_TOLERANCE) return true;
  // The IDs count only for the same start. If the owner had this process's ID, it has ended.
  return (
    isSameStart(owner, currentProcess) &&
    (owner.pid === currentProcess.pid || !currentProcess.isRunning(owner.pid))
  );
}

/** Whether the owner runs on this machine since its last start, so that its process ID counts. */
export function isSameStart(owner: OwnerProcess, currentProcess: ThisProcess): boolean {
  return owner.host === currentProcess.host && owner.boot === currentProcess.boot;
}

/** An owner from JSON; undefined where it isn't one. */
export function parseOwner(value: unknown): OwnerProcess | undefined {
  const { session, pid, host, boot } = (value ?? {}) as Record<string, unknown>;
  if (typeof session !== 'string' || typeof pid !== 'number' || typeof host !== 'string') return undefined;
  return ownerOf({ session, pid, host, ...(typeof boot === 'string' && { boot }) });
}

/** Whether a process with this ID runs on this machine. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user, so it can't be signaled, but it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/*
 * Identifies the system. A Mac's host name changes with the network, and several machines may share
 * a home directory. So only the system's own IDs tell whether the owner of a file can run here.
 */

/** IDs of a system. */
interface SystemId {
  /** The same for all windows on the system, in every network and after every restart. */
  host: string;
  /** A new ID at each start of the system, if the system has one. */
  boot?: string;
}

/** Functions that read a system's IDs. A command is given by its path. */
export interface SystemReader {
  platform: NodeJS.Platform;
  hostname(): string;
  readText(file: string): Promise<string>;
  readLink(link: string): Promise<string>;
  output(command: string, args: readonly string[]): Promise<string>;
}

/** Linux's root namespace of process IDs (PROC_PID_INIT_INO); containers have other namespaces. */
const FIRST_PROCESSES = 'pid:[4026531836]';

/** Path of a container's folder, from which its runtime mounts /etc/hostname and other files. */
const CONTAINER = /\/(?:containers|overlay-containers|sandboxes|pods)\/([0-9a-f][0-9a-f-]{31,})\//;

/**
 * The IDs of the system that this process runs on. If a policy forbids the command or files are
 * missing, it is the host name. Other windows then take it for another machine, which is safe.
 */
export async function readSystemId(system: SystemReader = thisSystem): Promise<SystemId> {
  const id = await readers[system.platform]?.(system).catch(() => undefined);
  return id ?? { host: system.hostname() };
}

const readers: Partial<Record<NodeJS.Platform, (system: SystemReader) => Promise<SystemId | undefined>>> = {
  win32: async system => {
    const root = process.env['SystemRoot'] ?? 'C:\\Windows';
    const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
    const args = ['query', key, '/v', 'MachineGuid', '/reg:64'];
    const id = /MachineGuid\s+REG_SZ\s+(\S+)/.exec(
      await system.output(`${root}\\System32\\reg.exe`, args),
    )?.[1];
    // Desktops cloned from one image share the GUID, so add the host name, which on Windows doesn't
    // change with the network.
    return id === undefined ? undefined : { host: `${id}/${system.hostname()}` };
  },
  darwin: async system => {
    const args = ['-rd1', '-c', 'IOPlatformExpertDevice'];
    const id = /"IOPlatformUUID" = "([^"]+)"/.exec(await system.output('/usr/sbin/ioreg', args))?.[1];
    return id === undefined ? undefined : { host: id };
  },
  linux: async system => {
    const read = (file: string) => system.readText(file).then(text => text.trim());
    const none = () => '';
    const [etc, dbus, boot, processes] = await Promise.all([
      read('/etc/machine-id').catch(none),
      read('/var/lib/dbus/machine-id').catch(none),
      read('/proc/sys/kernel/random/boot_id').catch(none),
      system.readLink('/proc/self/ns/pid').catch(none),
    ]);
    const id = /^[0-9a-f]{32}$/.exec(etc || dbus)?.[0] ?? '';
    if (processes === FIRST_PROCESSES)
      // Nodes of a cluster that start from one image may share the ID, but never the boot ID.
      return id ? { host: id, ...(boot && { boot }) } : undefined;
    // Containers of one image share the machine ID, if any, and the kernel's boot ID. Their host
    // names differ.
    const mounts = await read('/proc/self/mountinfo').catch(none);
    const container = CONTAINER.exec(mounts)?.[1] ?? system.hostname();
    return { host: `${id}/${container}`, ...(boot && { boot }) };
  },
};

const thisSystem: SystemReader = {
  get platform() {
    return process.platform;
  },
  hostname: () => hostname(),
  readText: file => readFile(file, 'utf8'),
  readLink: link => readlink(link),
  output: async (command, args) =>
    (await promisify(execFile)(command, args, { timeout: 10_000, windowsHide: true })).stdout,
};
