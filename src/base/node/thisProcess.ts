import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { promisify } from 'node:util';

/** A process that owns files in a folder of several windows. */
export interface OwnerProcess extends SystemId {
  /** Unique to one run of one window's extension host. */
  session: string;
  pid: number;
}

/** This process, and what it can learn of others. */
export interface ThisProcess extends OwnerProcess {
  /** When the machine started. Milliseconds since 1970. */
  bootedAt: number;
  isRunning(pid: number): boolean;
}

/** Clocks and start times are not exact. Milliseconds. */
const BOOT_TOLERANCE = 10_000;

/** The running process as an owner of files; tests give it another system. */
export async function thisProcess(system?: SystemReader): Promise<ThisProcess> {
  return {
    session: randomUUID(),
    pid: process.pid,
    ...(await readSystemId(system)),
    bootedAt: Date.now() - uptime() * 1000,
    isRunning,
  };
}

/** What is stored of a process. */
export function ownerOf({ session, pid, host, boot }: OwnerProcess): OwnerProcess {
  return { session, pid, host, ...(boot !== undefined && { boot }) };
}

/**
 * Whether the owner was a process of this machine that has ended. `writtenAt` is in milliseconds
 * since 1970. False for other machines, of which nothing is known.
 */
export function isOver(owner: OwnerProcess, writtenAt: number, here: ThisProcess): boolean {
  if (owner.session === here.session || owner.host !== here.host) return false;
  // A process that began before the machine did is over, whatever has its number now.
  if (writtenAt < here.bootedAt - BOOT_TOLERANCE) return true;
  // Another run of a process with our number is over.
  return isSameStart(owner, here) && (owner.pid === here.pid || !here.isRunning(owner.pid));
}

/** Whether the owner's process numbers are those of this machine's start, not of a copied ID. */
export function isSameStart(owner: OwnerProcess, here: ThisProcess): boolean {
  return owner.host === here.host && owner.boot === here.boot;
}

/** An owner from JSON; undefined where it isn't one. */
export function parseOwner(value: unknown): OwnerProcess | undefined {
  const { session, pid, host, boot } = (value ?? {}) as Record<string, unknown>;
  if (typeof session !== 'string' || typeof pid !== 'number' || typeof host !== 'string') return undefined;
  return ownerOf({ session, pid, host, ...(typeof boot === 'string' && { boot }) });
}

/** Whether there is a process of this number on this machine. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is there, but takes no signals.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/*
 * Which system this is. Host names change with the network on a Mac, and what is stored in a home
 * directory is on all machines that share it, so only what the system itself says of itself can
 * tell whether the process that a file names may run here.
 */

/** A system by its own IDs. */
interface SystemId {
  /** The same for all windows on it, whatever network it is in and however often it starts. */
  host: string;
  /** Another one at each start, where the system has that. */
  boot?: string;
}

/** What a system is read with; a command is given by its path. */
export interface SystemReader {
  platform: NodeJS.Platform;
  hostname(): string;
  readText(file: string): Promise<string>;
  readLink(link: string): Promise<string>;
  output(command: string, args: readonly string[]): Promise<string>;
}

/** The namespace of process numbers of Linux itself (PROC_PID_INIT_INO); containers have others. */
const FIRST_PROCESSES = 'pid:[4026531836]';

/** A container's own folder, from which its runtime mounts /etc/hostname and others. */
const CONTAINER = /\/(?:containers|overlay-containers|sandboxes|pods)\/([0-9a-f][0-9a-f-]{31,})\//;

/**
 * The system that this process runs on; its host name where policies forbid the command for more,
 * or files are missing. Other windows then take it for another machine, of which they assume
 * nothing.
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
    // Desktops cloned from one image have the same, but not the same name; on Windows names don't
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
      // Nodes of a cluster that start from one image may have the same ID, but never the same
      // start.
      return id ? { host: id, ...(boot && { boot }) } : undefined;
    // Containers of one image have the same ID, if they have any, and one kernel. Their host names
    // are their own.
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
