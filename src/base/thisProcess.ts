import { randomUUID } from 'node:crypto';
import { hostname, uptime } from 'node:os';

/** A process that owns files in a folder of several windows. */
export interface Owner {
  /** Unique to one run of one window's extension host. */
  session: string;
  pid: number;
  host: string;
}

/** This process, and what it can learn of others. */
export interface ThisProcess extends Owner {
  /** When the machine started. Milliseconds since 1970. */
  bootedAt: number;
  isRunning(pid: number): boolean;
}

/** The running process as an owner of files. */
export function thisProcess(): ThisProcess {
  return {
    session: randomUUID(),
    pid: process.pid,
    host: hostname(),
    bootedAt: Date.now() - uptime() * 1000,
    isRunning,
  };
}

/** Whether an owner is a process of this machine that is over. Of another machine nothing is known. */
export function isOver({ session, pid, host }: Owner, here: ThisProcess): boolean {
  if (session === here.session || host !== here.host) return false;
  // Another run of a process with our number is over.
  return pid === here.pid || !here.isRunning(pid);
}

/** An owner from JSON; undefined where it isn't one. */
export function parseOwner(value: unknown): Owner | undefined {
  const { session, pid, host } = (value ?? {}) as Record<string, unknown>;
  if (typeof session !== 'string' || typeof pid !== 'number' || typeof host !== 'string') return undefined;
  return { session, pid, host };
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
