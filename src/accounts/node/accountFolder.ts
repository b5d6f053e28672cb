import { createHash } from 'node:crypto';
import * as path from 'node:path';

/**
 * All that an account owns on disk. Sign-out deletes `path` and `cache`, so whatever goes with the
 * account is a path in one of them.
 */
export interface AccountFolder {
  path: string;
  /** What can be downloaded again; the same as `path`, or a folder outside the storage. */
  cache: string;
  /** Small state files: upload records, choices made for results. */
  state: string;
  /** Jobs that were requested from here and have not ended. */
  jobs: string;
  /** Which window reported which finished job. */
  finishedJobs: string;
  /** Proves to the windows of this account that another is one of them. */
  windowNonce: string;
  /** Submits that are under way or unresolved in any window. */
  submits: string;
  /** What each job that was submitted from here was run with. */
  runs: string;
  /** Uploads that are under way or were not finished. */
  uploads: string;
  /** Downloaded results. */
  results: string;
  /** Where earlier versions stored them, if elsewhere. */
  formerResults?: string;
}

/** The folders that accounts' folders are in. */
export interface AccountPlaces {
  accounts: string;
  /** For what can be downloaded again. */
  caches: string;
}

/** What decides where accounts are stored. */
interface StorageFacts {
  /** The extension's storage folder, in a user's roaming profile on Windows. */
  storage: string;
  /** Whether the editor uses this machine's user profile: not remote, served or portable. */
  usesProfile: boolean;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}

/**
 * Where accounts are stored. Windows copies a roaming profile at each logon, and backups take the
 * storage of an editor for settings: gigabytes that can be downloaded again go to the system's
 * folder for such, there into one of this storage alone.
 */
export function accountPlaces({ storage, usesProfile, platform, env, home }: StorageFacts): AccountPlaces {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const accounts = join(storage, 'accounts');
  if (!usesProfile) return { accounts, caches: accounts };
  const given = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME'];
  const usual = { win32: ['AppData', 'Local'], darwin: ['Library', 'Caches'] };
  const folders = platform === 'win32' || platform === 'darwin' ? usual[platform] : ['.cache'];
  // The XDG specification has a relative path ignored.
  const isGiven = platform !== 'darwin' && given !== undefined && isAbsolute(given);
  const parent = isGiven ? given : join(home, ...folders);
  // Another storage, as of VS Code Insiders, has its own accounts: neither shares files with the
  // other, nor deletes them.
  const spelled = platform === 'win32' ? storage.toLowerCase() : storage;
  const hash = createHash('sha256').update(spelled).digest('hex').slice(0, 16);
  return { accounts, caches: join(parent, 'image-analysis.image-analysis', hash) };
}

/** The folder of an account. */
export function accountFolder({ accounts, caches }: AccountPlaces, accountId: string): AccountFolder {
  const folder = path.join(accounts, accountId);
  const cache = path.join(caches, accountId);
  const formerResults = path.join(folder, 'results');
  const results = path.join(cache, 'results');
  return {
    path: folder,
    cache,
    state: path.join(folder, 'state'),
    jobs: path.join(folder, 'jobs'),
    finishedJobs: path.join(folder, 'ended'),
    windowNonce: path.join(folder, 'windows'),
    submits: path.join(folder, 'submits'),
    runs: path.join(folder, 'runs'),
    uploads: path.join(folder, 'uploads'),
    results,
    ...(results !== formerResults && { formerResults }),
  };
}
