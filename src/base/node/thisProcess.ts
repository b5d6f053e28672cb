import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import { readSystemId, type SystemId, type SystemReader } from './systemId';

/** A process that owns files in a folder of several windows. */
export interface Owner extends SystemId {
  /** Unique to one run of one window's extension host. */
  session: string;
  pid: number;
}

/** This process, and what it can learn of others. */
export interface ThisProcess extends Owner {
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
export function ownerOf({ session, pid, host, boot }: Owner): Owner {
  return { session, pid, host, ...(boot !== undefined && { boot }) };
}

/**
 * Whether an owner that last wrote at a time (milliseconds since 1970) is a process of this machine that is over. Of another
 * machine nothing is known.
 */
export function isOver(owner: Owner, writtenAt: number, here: ThisProcess): boolean {
  if (owner.session === here.session || owner.host !== here.host) return false;
  // All that began before the machine did is over, whoever has its process number now.
  if (writtenAt < here.bootedAt - BOOT_TOLERANCE) return true;
  // Another run of a process with our number is over.
  return isSameStart(owner, here) && (owner.pid === here.pid || !here.isRunning(owner.pid));
}

/** Whether process numbers of an owner mean something here. With another start it may be a machine with a copied ID. */
export function isSameStart(owner: Owner, here: ThisProcess): boolean {
  return owner.host === here.host && owner.boot === here.boot;
}

/** An owner from JSON; undefined where it isn't one. */
export function parseOwner(value: unknown): Owner | undefined {
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
