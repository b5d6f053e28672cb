import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { arePeersInstalled } from '../bench/table/peers';

/*
 * What a system must be able to do for some tests. One that isn't run for lack of it says why in
 * its title, as "(not here: …)", by which scripts/mocha/countingReporter.cjs knows it: only other
 * skipped tests fail a run in CI.
 */

/** Why a capability is missing here; undefined where it is there. */
type Missing = string | undefined;

/** What a probe in a folder of its own says. */
function probe(tell: (folder: string) => Missing): Missing {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  try {
    return tell(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether work on the disk is done without an error, and comes to what is expected. */
function does<T>(work: () => T, expected?: T): boolean {
  try {
    const found = work();
    return expected === undefined || found === expected;
  } catch {
    return false;
  }
}

function whyNoLinks(folder: string): Missing {
  const link = join(folder, 'link');
  if (!does(() => symlinkSync('missing', link))) return 'making symbolic links needs rights';
  return does(() => readlinkSync(link), 'missing') ? undefined : "symbolic links can't be read";
}

/** Without rights on Windows too, where they are junctions. */
function whyNoFolderLinks(folder: string): Missing {
  mkdirSync(join(folder, 'real'));
  const link = () => symlinkSync(join(folder, 'real'), join(folder, 'link'), 'junction');
  return does(link) ? undefined : "folders can't be linked";
}

function whyNoQuotedNames(folder: string): Missing {
  const name = 'a "b".png';
  // Some systems store it under another name.
  const isStored = does(() => {
    writeFileSync(join(folder, name), '');
    return readdirSync(folder).includes(name);
  }, true);
  return isStored ? undefined : "names of files can't have quotes";
}

function whyNoAccessTimes(folder: string): Missing {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const longAgo = new Date(2001, 0);
  utimesSync(file, longAgo, longAgo);
  return statSync(file).atimeMs === longAgo.getTime() ? undefined : "times of access can't be set";
}

const isWindows = process.platform === 'win32';
const PIPES = '\\\\.\\pipe\\';
const isLinux = process.platform === 'linux' && existsSync('/proc/self/task');
const proc: Missing = isLinux ? undefined : 'there is no /proc';
/** What else than missing rights EPERM may mean, and on Windows EACCES. */
const OTHER_MEANINGS: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'a refusal may mean an open file',
  darwin: 'a refusal may mean privacy settings',
};
const isUnhurried = getPriority() >= constants.priority.PRIORITY_BELOW_NORMAL;

export const missing = {
  symbolicLinks: probe(whyNoLinks),
  folderLinks: probe(whyNoFolderLinks),
  accessTimes: probe(whyNoAccessTimes),
  quotedNames: probe(whyNoQuotedNames),
  /** Linux alone tells the priorities of threads and the open files of a process. */
  proc,
  lowerPriority: proc ?? (isUnhurried ? 'this process has a low priority itself' : undefined),
  plainRefusals: OTHER_MEANINGS[process.platform],
  fileModes: isWindows ? 'files have no modes' : undefined,
  /** Elsewhere a signal ends a process at once. */
  signals: isWindows ? 'programs get no signals' : undefined,
  socketFiles: isWindows ? 'sockets have no files' : undefined,
  /** By which windows meet on Windows. */
  listedPipes:
    isWindows && !does(() => readdirSync(PIPES).length) ? "the system doesn't list its pipes" : undefined,
  namedPipes: isWindows ? 'pipes have no files' : undefined,
  /** It is installed over the network, by a benchmark or the full run. */
  duckDb: process.env['IA_FULL'] || arePeersInstalled() ? undefined : "DuckDB isn't installed",
  anyAddress: isWindows ? "0.0.0.0 doesn't lead to this machine" : undefined,
} as const satisfies Record<string, Missing>;

export type Capability = keyof typeof missing;

/** Mocha's `it` where the system has what the tests need. */
export function itWith(capability: Capability): (title: string, work: () => Promise<void> | void) => void {
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
