import { createHash } from 'node:crypto';
import * as path from 'node:path';

/**
 * The paths of an account on disk. Sign-out deletes `path` and `cache`, so all data of an account
 * is in one of them.
 */
export interface AccountFolder {
  path: string;
  /** For data that can be downloaded again: equal to `path`, or a folder outside the storage. */
  cache: string;
  /** Small state files: upload records, choices made for results. */
  state: string;
  /** Jobs that were requested from here and haven't finished. */
  jobs: string;
  /** The windows that reported finished jobs. */
  finishedJobs: string;
  /** Proves to other windows of this account that a window is one of them. */
  windowNonce: string;
  /** Submits in progress or unresolved, of any window. */
  submits: string;
  /** The inputs of each job that was submitted from here. */
  runs: string;
  /** Uploads in progress or unfinished. */
  uploads: string;
  /** Downloaded results. */
  results: string;
  /** The folder of results of earlier versions, if it was another one. */
  formerResults?: string;
}

/** The parent folders of accounts' folders. */
export interface AccountPlaces {
  accounts: string;
  /** For data that can be downloaded again. */
  caches: string;
}

/** The facts that determine where accounts are stored. */
interface StorageFacts {
  /** The extension's storage folder; on Windows, it is in a user's roaming profile. */
  storage: string;
  /** Whether the editor uses this machine's user profile: not remote, served or portable. */
  usesProfile: boolean;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}

/**
 * Where accounts are stored. Windows copies a roaming profile at each logon, and backups include
 * the editor's storage as settings. So data that can be downloaded again, which may be gigabytes,
 * is in the system's cache folder, in a subfolder for this storage.
 */
export function accountPlaces({ storage, usesProfile, platform, env, home }: StorageFacts): AccountPlaces {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const accounts = join(storage, 'accounts');
  if (!usesProfile) return { accounts, caches: accounts };
  const variable = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME'];
  const usualFolders = { win32: ['AppData', 'Local'], darwin: ['Library', 'Caches'] };
  const folders = platform === 'win32' || platform === 'darwin' ? usualFolders[platform] : ['.cache'];
  // By the XDG specification, relative paths are ignored.
  const isVariableUsed = platform !== 'darwin' && variable !== undefined && isAbsolute(variable);
  const parent = isVariableUsed ? variable : join(home, ...folders);
  // Another storage, such as that of VS Code Insiders, has its own accounts: they must not share
  // files.
  const storageKey = platform === 'win32' ? storage.toLowerCase() : storage;
  const hash = createHash('sha256').update(storageKey).digest('hex').slice(0, 16);
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
