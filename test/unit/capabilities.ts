import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * What a system must be able to do for some tests. One that isn't run for lack of it says why in its title, as
 * "(not here: …)", by which scripts/mocha/countingReporter.cjs knows it: only other skipped tests fail a run in CI.
 */

/** Why a capability is missing here; undefined where it is there. */
type Missing = string | undefined;

function whyNoLinks(): Missing {
  const folder = mkdtempSync(join(tmpdir(), 'links-'));
  try {
    symlinkSync('missing', join(folder, 'link'));
    return undefined;
  } catch {
    return 'making symbolic links needs rights';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isWindows = process.platform === 'win32';
const proc: Missing = existsSync('/proc/self/task') ? undefined : 'there is no /proc';
const isUnhurried = getPriority() >= constants.priority.PRIORITY_BELOW_NORMAL;

export const missing = {
  symbolicLinks: whyNoLinks(),
  /** Linux alone tells the priorities of threads and the open files of a process. */
  proc,
  lowerPriority: proc ?? (isUnhurried ? 'this process has a low priority itself' : undefined),
  fileModes: isWindows ? 'files have no modes' : undefined,
  /** Elsewhere a signal ends a process at once. */
  signals: isWindows ? 'programs get no signals' : undefined,
  socketFiles: isWindows ? 'sockets have no files' : undefined,
  namedPipes: isWindows ? 'pipes have no files' : undefined,
  anyAddress: isWindows ? "0.0.0.0 doesn't lead to this machine" : undefined,
} as const satisfies Record<string, Missing>;

type Capability = keyof typeof missing;

/** Mocha's `it` where the system has what the tests need. */
export function itWith(capability: Capability): (title: string, work: Mocha.AsyncFunc) => void {
  const why = missing[capability];
  return (title, work) => {
    if (why === undefined) it(title, work);
    else it.skip(`${title} (not here: ${why})`, work);
  };
}

/** Mocha's `describe` likewise. */
export function describeWith(
  capability: Capability,
): (title: string, define: (this: Mocha.Suite) => void) => void {
  const why = missing[capability];
  return (title, define) => {
    if (why === undefined) describe(title, define);
    else describe.skip(`${title} (not here: ${why})`, define);
  };
}
