import { createHmac, randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import { StateFiles } from './stateFiles';

/*
 * A key is in the secret store of its window and nowhere else. Windows of one machine need not
 * share that store: in a VS Code that is served, each browser has its own, and no window hears of
 * another's. What they do share is the storage folder. A file there has a revision for each
 * account, a number which grows when its key is replaced or removed; the secret has the revision it
 * was stored with, and is no longer used once the file's is greater. The files stay when an account
 * is signed out: they hold no more than that number and, while it is signed in, a salted check of
 * the key, by which signing in with the same key in another browser is told from replacing it.
 */

interface Revision {
  number: number;
  /** Of the key that is valid since; none after a sign-out. */
  check?: KeyCheck;
}

interface KeyCheck {
  salt: string;
  /** 64 bits of the key's HMAC. */
  hash: string;
}

/** The API keys of the accounts, and word of what other windows do to them. */
export class AccountKeys implements Disposable {
  private readonly store = new DisposableStore();
  private readonly revisions: StateFiles;
  private readonly changed = this.store.add(new Emitter<void>());
  /** The revision of each secret that was seen, until it is deleted. */
  private readonly stored = new Map<string, number>();
  /** Accounts whose secret was deleted while it was valid. */
  private readonly deleted = new Set<string>();
  /** Used only while changes are watched, and briefly: a watch can miss some. */
  private readonly recent = new RecentReads(
    id => this.revision(id),
    MAX_AGE,
    () => performance.now(),
  );
  private isWatching = false;
  /** The greatest revision that was noticed of each account. */
  private readonly noticed = new Map<string, number>();

  /** A key was stored, replaced or removed, in this window or another. */
  readonly onDidChange = this.changed.event;

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

  /** The key, if still valid. Called before every request: a window may miss a sign-out event. */
  async get(id: string): Promise<string | undefined> {
    const revision = this.isWatching ? await this.recent.get(id) : await this.revision(id);
    const stored = readSecret(await this.secrets.get(secretName(id)));
    const isFirst = !this.noticed.has(id);
    if (this.notice(id, revision) && !isFirst) this.changed.fire();
    return stored && stored.revision >= revision.number ? stored.key : undefined;
  }

  /** Stores a key; any other of the account is no longer used, in all windows. */
  async set(id: string, key: string): Promise<void> {
    const before = await this.revision(id);
    const isSame = before.check !== undefined && before.check.hash === hashOf(key, before.check.salt);
    const revision = isSame ? before : { number: numberAfter(before), check: checkOf(key) };
    this.notice(id, revision);
    // First the secret: a window that shares it must not find it older than the file says.
    const secret = JSON.stringify({ key, revision: revision.number });
    const former = await this.secrets.get(secretName(id));
    await this.secrets.store(secretName(id), secret);
    this.seeStored(id, revision.number);
    try {
      if (revision !== before) await this.revisions.write(id, revision);
    } catch (error) {
      if (former === undefined) await this.secrets.delete(secretName(id));
      else await this.secrets.store(secretName(id), former);
      throw error;
    }
    this.recent.clear();
  }

  /** Deletes the key that this window and others with its secret store have; needs no disk. */
  async deleteSecret(id: string): Promise<void> {
    this.deleted.add(id);
    await this.secrets.delete(secretName(id));
  }

  /**
   * Whether a window with the same secret store signed the account out, and no key was stored
   * since. Only this shows a sign-out that the disk couldn't store.
   */
  isDeleted(id: string): boolean {
    return this.deleted.has(id);
  }

  /** The disk has the sign-out too: a window with another secret store may sign in again. */
  forgetDeleted(isKnown: (id: string) => boolean): void {
    for (const id of this.deleted) if (!isKnown(id)) this.deleted.delete(id);
  }

  /** Makes all stored keys invalid in every window. Throws `no-space`, `not-writable`. */
  async revoke(id: string): Promise<void> {
    const revision = { number: numberAfter(await this.revision(id)) };
    this.notice(id, revision);
    try {
      await this.revisions.write(id, revision);
    } finally {
      this.recent.clear();
    }
  }

  /** Deletes keys from this window's secret store that others replaced or removed. */
  async deleteOutdated(): Promise<void> {
    for (const name of await this.secrets.keys()) {
      if (!name.startsWith(SECRETS)) continue;
      // In this order: a key that is stored meanwhile is newer than this revision.
      const revision = await this.revision(name.slice(SECRETS.length));
      const stored = readSecret(await this.secrets.get(name));
      if (!stored) continue;
      this.seeStored(name.slice(SECRETS.length), stored.revision);
      if (stored.revision < revision.number) await this.secrets.delete(name);
    }
  }

  /** Follows what other windows do from now on. Costs nothing while they do nothing. */
  async watch(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    if (this.store.isDisposed) return;
    const failed = (error: unknown) =>
      this.log.warn(`Accounts of other windows aren't watched: ${String(error)}`);
    const watcher = watch(this.directory, { persistent: false }, (_event, name) => {
      this.recent.clear();
      const id = name === null ? undefined : REVISION_FILE.exec(name)?.[1];
      if (id !== undefined) this.onRevisionWritten(id).catch(failed);
    });
    this.isWatching = true;
    watcher.on('error', error => {
      this.isWatching = false;
      failed(error);
    });
    this.store.add({ dispose: () => watcher.close() });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async onSecretChanged(name: string): Promise<void> {
    const id = name.slice(SECRETS.length);
    const secret = readSecret(await this.secrets.get(name));
    const before = this.stored.get(id);
    if (secret) this.seeStored(id, secret.revision);
    // One that is older than the file says was replaced elsewhere: the account stays, and is signed
    // in again.
    else if (before !== undefined && before >= (await this.revision(id)).number) this.deleted.add(id);
    if (!this.store.isDisposed) this.changed.fire();
  }

  private seeStored(id: string, revision: number): void {
    this.stored.set(id, revision);
    this.deleted.delete(id);
  }

  private async onRevisionWritten(id: string): Promise<void> {
    if (this.notice(id, await this.revision(id)) && !this.store.isDisposed) this.changed.fire();
  }

  /** Whether the revision is greater than what was noticed so far. */
  private notice(id: string, { number }: Revision): boolean {
    if (number <= (this.noticed.get(id) ?? -1)) return false;
    this.noticed.set(id, number);
    return true;
  }

  private async revision(id: string): Promise<Revision> {
    return readRevision(await this.revisions.read(id));
  }
}

/** How long a revision that was read counts. Milliseconds. */
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

/** A missing or damaged file is that of an earlier version, which had none. */
function readRevision(value: unknown): Revision {
  const { number, check } = (value ?? {}) as { number?: unknown; check?: unknown };
  const { salt, hash } = (check ?? {}) as { salt?: unknown; hash?: unknown };
  return {
    number: typeof number === 'number' ? number : 0,
    ...(typeof salt === 'string' && typeof hash === 'string' && { check: { salt, hash } }),
  };
}

/** A key and the revision it was stored with. Earlier versions stored the key alone. */
function readSecret(secret: string | undefined): { key: string; revision: number } | undefined {
  if (!secret) return undefined;
  const { key, revision } = (parsed(secret) ?? {}) as { key?: unknown; revision?: unknown };
  return typeof key === 'string' && typeof revision === 'number'
    ? { key, revision }
    : { key: secret, revision: 0 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Caches reads for a moment, so that quick requests read once. Ages are in milliseconds. */
export class RecentReads<T> {
  private readonly reads = new Map<string, { value: T; at: number }>();
  private changes = 0;

  constructor(
    private readonly read: (key: string) => Promise<T>,
    private readonly maxAge: number,
    private readonly now: () => number,
  ) {}

  /** The value read within `maxAge` and not known to have changed; else it is read. */
  async get(key: string): Promise<T> {
    const recent = this.reads.get(key);
    const at = this.now();
    if (recent && at - recent.at < this.maxAge) return recent.value;
    const { changes } = this;
    const value = await this.read(key);
    // What changed while it was being read may have been read as it was before.
    if (changes === this.changes) this.reads.set(key, { value, at });
    return value;
  }

  /** Something has changed: the next `get` reads it. */
  clear(): void {
    this.changes += 1;
    this.reads.clear();
  }
}

/** Stores API keys: encrypted, shared by all windows unless served. SecretStorage is one. */
export interface SecretStore {
  keys(): PromiseLike<string[]>;
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  /** A secret was stored or deleted, in this window or another. */
  readonly onDidChange: Event<{ readonly key: string }>;
}
