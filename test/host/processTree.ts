import { spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Name of the variable by which a host's processes are recognized, also those that left its process
 * group.
 */
export const markVariable = 'IMAGE_ANALYSIS_TEST_HOST';

/**
 * Ends a child that was started detached, and everything it started, recognized by `mark` in their
 * environment: with SIGTERM first, by force after `patienceMs`. Resolves when the child is gone.
 */
export async function stopTree(child: ChildProcess, mark: string, patienceMs = 4000): Promise<void> {
  // Those of the group carry the mark too; the child itself must not hear of it twice.
  const strays = marked(mark).filter(pid => pid !== child.pid);
  const gone = new Promise<void>(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  signalGroup(child, 'SIGTERM');
  for (const pid of strays) signal(pid, 'SIGTERM');
  const force = setTimeout(() => signalGroup(child, 'SIGKILL'), patienceMs);
  await gone;
  clearTimeout(force);
  killTreeNow(child, mark);
}

/**
 * The same by force and immediately; for the exit of this process, where nothing can be awaited.
 */
export function killTreeNow(child: ChildProcess, mark: string): void {
  signalGroup(child, 'SIGKILL');
  for (const pid of marked(mark)) signal(pid, 'SIGKILL');
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
  else signal(-child.pid, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It ended by itself in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Processes that carry the mark; readable on Linux only, elsewhere only the process group is known.
 */
function marked(mark: string): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  const wanted = `${markVariable}=${mark}`;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(name => environmentOf(name).includes(wanted))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // Ended in the meantime, or owned by another user.
    return [];
  }
}
