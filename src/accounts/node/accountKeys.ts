import { createHmac, randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import { StateFiles } from './stateFiles';

/*
 * A key is only in the secret store of its window. Windows of one machine may have different
 * stores: in a served VS Code, each browser has its own, and windows get no events of other stores.
 * But all windows share the storage folder. It has a file with a revision for each account, a
 * number that grows when the key is replaced or removed. Each secret has the revision it was stored
 * with, and is outdated if the file has a greater one. The files stay after a sign-out. They have
 * only the revision and, while signed in, a salted hash of the key: it tells if a user enters the
 * same key in another browser, or a new key.
 */

interface Revision {
  number: number;
  /** Check of the valid key; absent after a sign-out. */
  check?: KeyCheck;
}

interface KeyCheck {
  salt: string;
  /** 64 bits of the key's HMAC. */
  hash: string;
}

/** The API keys of the accounts, with changes by other windows. */
export class AccountKeys implements Disposable {
  private readonly store = new DisposableStore();
  private readonly revisions: StateFiles;
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  /** The revision of each known secret, until it is deleted. */
  private readonly secretRevisions = new Map<string, number>();
  /** Accounts whose valid secret was deleted. */
  private readonly deleted = new Set<string>();
  /** Used only while changes are watched, and briefly, as a watcher can miss some. */
  private readonly reads = new RecentReads(
    id => this.revision(id),
    MAX_AGE,
    () => performance.now(),
  );
  private isWatching = false;
  /** The greatest known revision of each account. */
  private readonly latestRevisions = new Map<string, number>();

  /** Fires when a key is stored, replaced or removed, in this window or another. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly secrets: SecretStore,
    private readonly directory: string,
    private readonly log: Log,
  ) {
    this.revisions = new StateFiles(directory);
    this.store.add(
      secrets.onDidChange(({ key }) => {
        if (!key.startsWith(SECRETS)) return;
        this.onSecretChanged(key).catch((error: unknown) => log.error('A key could not be read', error));
      }),
    );
  }

  /** The key, if it is still valid. Called for each request, as a window may miss a sign-out. */
  async get(id: string): Promise<string | undefined> {
    const revision = this.isWatching ? await this.reads.get(id) : await this.revision(id);
    const stored = readSecret(await this.secrets.get(secretName(id)));
    const isFirst = !this.latestRevisions.has(id);
    if (this.trackRevision(id, revision) && !isFirst) this.changeEmitter.fire();
    return stored && stored.revision >= revision.number ? stored.key : undefined;
  }

  /** Stores a key; other keys of the account become outdated in all windows. */
  async set(id: string, key: string): Promise<void> {
    const revisionBefore = await this.revision(id);
    const isSame =
      revisionBefore.check !== undefined &&
      revisionBefore.check.hash === hashOf(key, revisionBefore.check.salt);
    const revision = isSame ? revisionBefore : { number: numberAfter(revisionBefore), check: checkOf(key) };
    this.trackRevision(id, revision);
    // The secret is stored first: a window that shares the store must not find an outdated secret.
    const secret = JSON.stringify({ key, revision: revision.number });
    const formerSecret = await this.secrets.get(secretName(id));
    await this.secrets.store(secretName(id), secret);
    this.trackSecret(id, revision.number);
    try {
      if (revision !== revisionBefore) await this.revisions.write(id, revision);
    } catch (error) {
      if (formerSecret === undefined) await this.secrets.delete(secretName(id));
      else await this.secrets.store(secretName(id), formerSecret);
      throw error;
    }
    this.reads.clear();
  }

  /** Deletes the key from the secret store of this window; needs no disk. */
  async deleteSecret(id: string): Promise<void> {
    this.deleted.add(id);
    await this.secrets.delete(secretName(id));
  }

  /**
   * Whether a window with the same secret store signed the account out, and no key was stored
   * since. Only this shows a sign-out that couldn't be written to disk.
   */
  isDeleted(id: string): boolean {
    return this.deleted.has(id);
  }

  /**
   * Forgets sign-outs that are on disk too: a window with another secret store may sign in again.
   */
  forgetDeleted(isKnown: (id: string) => boolean): void {
    for (const id of this.deleted) if (!isKnown(id)) this.deleted.delete(id);
  }

  /** Makes all stored keys invalid in every window. Throws `no-space`, `not-writable`. */
  async revoke(id: string): Promise<void> {
    const revision = { number: numberAfter(await this.revision(id)) };
    this.trackRevision(id, revision);
    try {
      await this.revisions.write(id, revision);
    } finally {
      this.reads.clear();
    }
  }

  /** Deletes keys from this window's secret store that other windows replaced or removed. */
  async deleteOutdated(): Promise<void> {
    for (const name of await this.secrets.keys()) {
      if (!name.startsWith(SECRETS)) continue;
      // The revision is read first: a key stored in the meantime is newer.
      const revision = await this.revision(name.slice(SECRETS.length));
      const stored = readSecret(await this.secrets.get(name));
      if (!stored) continue;
      this.trackSecret(name.slice(SECRETS.length), stored.revision);
      if (stored.revision < revision.number) await this.secrets.delete(name);
    }
  }

  /** Watches for changes by other windows; costs nothing while there are none. */
  async watch(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    if (this.store.isDisposed) return;
    const logFailure = (error: unknown) =>
      this.log.warn(`Accounts of other windows aren't watched: ${String(error)}`);
    const watcher = watch(this.directory, { persistent: false }, (_event, name) => {
      this.reads.clear();
      const id = name === null ? undefined : REVISION_FILE.exec(name)?.[1];
      if (id !== undefined) this.onRevisionWritten(id).catch(logFailure);
    });
    this.isWatching = true;
    watcher.on('error', error => {
      this.isWatching = false;
      logFailure(error);
    });
    this.store.add({ dispose: () => watcher.close() });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async onSecretChanged(name: string): Promise<void> {
    const id = name.slice(SECRETS.length);
    const secret = readSecret(await this.secrets.get(name));
    const revisionBefore = this.secretRevisions.get(id);
    if (secret) this.trackSecret(id, secret.revision);
    // An outdated secret was replaced elsewhere: the account stays, and the user signs in again.
    else if (revisionBefore !== undefined && revisionBefore >= (await this.revision(id)).number)
      this.deleted.add(id);
    if (!this.store.isDisposed) this.changeEmitter.fire();
  }

  private trackSecret(id: string, revision: number): void {
    this.secretRevisions.set(id, revision);
    this.deleted.delete(id);
  }

  private async onRevisionWritten(id: string): Promise<void> {
    if (this.trackRevision(id, await this.revision(id)) && !this.store.isDisposed) this.changeEmitter.fire();
  }

  /** Returns whether the revision is greater than the latest known one. */
  private trackRevision(id: string, { number }: Revision): boolean {
    if (number <= (this.latestRevisions.get(id) ?? -1)) return false;
    this.latestRevisions.set(id, number);
    return true;
  }

  private async revision(id: string): Promise<Revision> {
    return readRevision(await this.revisions.read(id));
  }
}

/** Milliseconds for which a cached revision is used. */
const MAX_AGE = 500;

const SECRETS = 'imageAnalysis.key.';

const REVISION_FILE = /^([0-9a-f]{16})\.json$/;

function secretName(id: string): string {
  return `${SECRETS}${id}`;
}

function numberAfter({ number }: Revision): number {
  return Math.max(Date.now(), number + 1);
}

function checkOf(key: string): KeyCheck {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: hashOf(key, salt) };
}

function hashOf(key: string, salt: string): string {
  return createHmac('sha256', salt).update(key).digest('hex').slice(0, 16);
}

/** A missing or damaged file counts as revision 0, like earlier versions without files. */
function readRevision(value: unknown): Revision {
  const { number, check } = (value ?? {}) as { number?: unknown; check?: unknown };
  const { salt, hash } = (check ?? {}) as { salt?: unknown; hash?: unknown };
  return {
    number: typeof number === 'number' ? number : 0,
    ...(typeof salt === 'string' && typeof hash === 'string' && { check: { salt, hash } }),
  };
}

/** A key with its revision. Earlier versions stored only the key. */
function readSecret(secret: string | undefined): { key: string; revision: number } | undefined {
  if (!secret) return undefined;
  const { key, revision } = (parseJson(secret) ?? {}) as { key?: unknown; revision?: unknown };
  return typeof key === 'string' && typeof revision === 'number'
    ? { key, revision }
    : { key: secret, revision: 0 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Caches values for a moment, so that quick requests read once. Ages are in milliseconds. */
export class RecentReads<T> {
  private readonly reads = new Map<string, { value: T; readAt: number }>();
  private changes = 0;

  constructor(
    private readonly read: (key: string) => Promise<T>,
    private readonly maxAge: number,
    private readonly now: () => number,
  ) {}

  /** The cached value if it is younger than `maxAge`; else it is read. */
  async get(key: string): Promise<T> {
    const cached = this.reads.get(key);
    const now = this.now();
    if (cached && now - cached.readAt < this.maxAge) return cached.value;
    const { changes } = this;
    const value = await this.read(key);
    // A value that changed during reading may be outdated: it isn't cached.
    if (changes === this.changes) this.reads.set(key, { value, readAt: now });
    return value;
  }

  /** Drops all values after a change. */
  clear(): void {
    this.changes += 1;
    this.reads.clear();
  }
}

/**
 * A store of API keys, such as SecretStorage: encrypted, and shared by all windows unless served.
 */
export interface SecretStore {
  keys(): PromiseLike<string[]>;
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  /** Fires when a secret is stored or deleted, in this window or another. */
  readonly onDidChange: Event<{ readonly key: string }>;
}
