import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WAIT_MS } from '../../scripts/patience.mjs';
import manifest from '../../package.json';
import { accountId, Accounts } from '../../src/accounts/node/accounts';
import { AccountSession, type AccountSessionDependencies } from '../../src/workbench/node/accountSession';
import { reasonForLog } from '../../src/base/reasonForLog';
import { thisProcess } from '../../src/base/node/thisProcess';
import { PlainHosts, signIn } from '../../src/accounts/node/signIn';
import { StateFiles } from '../../src/accounts/node/stateFiles';
import { type MaskedLog, maskSecrets } from '../../src/host/logEntries';
import { Settings } from '../../src/host/settings';
import { hashFile } from '../../src/images/engine/fileByteSource';
import { isCoded } from '../../src/base/errors';
import { secretMask } from '../../src/base/secretMask';
import { errorWords } from '../../src/words/errorWords';
import { plainEnglish } from '../../src/words/translate';
import { Keychain } from '../unit/accounts/node/keychain';
import { selfSigned } from '../unit/service/node/selfSigned';
import { ForeignDisk } from '../unit/foreignDisk';
import { KEY } from './account';
import type { Fault } from './fault';
import { SIGNATURE } from './healthyService';
import { HostileService } from './hostileService';
import { hereWindow } from './leftBehind';
import { operations, SUCCEEDED, type OperationName } from './operations';
import { VirtualClock } from './virtualClock';

/** What came of an operation on a service with a fault. */
export interface Outcome {
  /** What the user, or a program, is told. */
  told: string;
  requests: number;
  seconds: number;
  /** Files that nobody wants, by name. */
  filesLeft: string[];
  /** Whether another origin saw the key, or the service saw it where it doesn't belong. */
  isKeyLeaked: boolean;
  postsRepeated: number;
  /** Files of the user, and accounts, that are gone or changed although the operation failed. */
  lost: string[];
  /** What the log has as a warning or an error. */
  warnings: string[];
  /** Everything that was written about it, for users and for the log; no secret may be in there. */
  texts: string[];
  /** What was thrown, if it isn't an error with a code. */
  uncoded?: unknown;
}

/**
 * For what ends only because it takes too long; and for what must not end for that reason, however
 * busy the machine. Milliseconds.
 */
const SLOW_TIMEOUT = 1000;
const TIMEOUT = WAIT_MS / 2;
const identity = selfSigned();
/** A small cache, so that it doesn't take long until a file is too large for it. In MB. */
const settings = new Map<string, unknown>([['results.cacheSize', 64]]);

/**
 * Runs an operation once on a service of its own; with more time where a slow machine didn't get as
 * far as the fault.
 */
export async function run(fault: Fault, name: OperationName, variant = 0, disk = tmpdir()): Promise<Outcome> {
  for (let slowTimeout = SLOW_TIMEOUT; ; slowTimeout *= 4) {
    const { outcome, misbehaved } = await runOnce(fault, name, variant, disk, slowTimeout);
    const isMet = misbehaved >= (operations[name].atOnce ?? 1);
    if (!fault.isSlow || isMet || slowTimeout > TIMEOUT) return outcome;
  }
}

/**
 * A file is hashed while it is uploaded, or else later by an engine, as where the machine is slow.
 */
const hashingEngine = {
  endpoint: {
    request: async (method: string, { path: file }: { path: string }, signal: AbortSignal) => {
      if (method !== 'hashFile') throw new Error(`${method} is not used`);
      return await hashFile(file, signal);
    },
  },
  dispose: () => undefined,
} as unknown as ReturnType<AccountSessionDependencies['startEngine']>;

async function runOnce(
  fault: Fault,
  name: OperationName,
  variant: number,
  disk: string,
  slowTimeout: number,
): Promise<{ outcome: Outcome; misbehaved: number }> {
  const operation = operations[name];
  const clock = new VirtualClock();
  const isOfStorage = name.startsWith('download');
  const service = await HostileService.start({
    fault,
    variant,
    operation: name,
    isOfStorage,
    clock,
    identity,
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'image-analysis-faults-'));
  const storage = await mkdtemp(path.join(fault.onDisk ? folder : disk, 'storage-'));
  /** What the user has. */
  const own = path.join(folder, 'own');
  await mkdir(own);
  const log = new RecordingLog();
  const accounts = new Accounts(new Keychain().storage, storage, log);
  const parts: AccountSessionDependencies = {
    accounts,
    sample: { ensureRunning: () => Promise.reject(new Error('not used')) } as never,
    settings: new Settings(
      { read: name => settings.get(name) },
      manifest.contributes.configuration.properties,
      log,
    ),
    extensionVersion: '0.0.0',
    startEngine: () => hashingEngine,
    network: () => ({ environment: {}, timeoutMs: fault.isSlow ? slowTimeout : TIMEOUT }),
    log,
    testing: {
      delay: clock.delay,
      now: clock.now,
      ...(fault.isSlow && { uploadTimes: { stalled: slowTimeout, headers: slowTimeout, body: slowTimeout } }),
    },
  };
  let session: AccountSession | undefined;
  let before = new Map<string, string>();
  const foreign: ForeignDisk[] = [];
  const beginFault = async () => {
    before = await contentsOf(own);
    if (!fault.onDisk) return;
    const disk = new ForeignDisk(folder);
    foreign.push(disk);
    const existing = new Set((await filesIn(folder)).map(file => path.join(folder, file)));
    fault.onDisk(disk, existing, variant);
  };
  const work = async () => {
    await operation.makeFiles?.(own);
    if (!operation.run) {
      await beginFault();
      const plainHosts = new PlainHosts(new StateFiles(storage));
      await signIn({ ...parts, plainHosts }, service.baseUrl, KEY);
      return SUCCEEDED;
    }
    const account = { id: accountId(service.baseUrl, 'user-1'), baseUrl: service.baseUrl, user: 'user-1' };
    await accounts.add(account, KEY);
    const here = await (fault.onDisk ? hereWindow() : thisProcess());
    session = new AccountSession(account, parts, here);
    await operation.leave?.(session, own, accounts);
    await beginFault();
    return operation.run(session, own, accounts, here);
  };
  const started = performance.now();
  let told: string;
  let uncoded: unknown;
  try {
    told = await bounded(work());
  } catch (error) {
    told = errorWords(plainEnglish, error);
    if (isCoded(error)) {
      const { reason, ...details } = error.details;
      log.lines.push(JSON.stringify([error.message, details, reason && reasonForLog(reason)]));
    } else uncoded = error;
  }
  const seconds = (performance.now() - started) / 1000;
  const hasSucceeded = told.endsWith(SUCCEEDED);
  for (const disk of foreign) disk.dispose();
  if (hasSucceeded) told = (await operation.check?.(own)) ?? told;
  const lost = await lostFiles(own, before, hasSucceeded);
  if (session && name !== 'sign out' && !(await hasAccount(storage, log))) lost.push('account');
  if (!hasSucceeded && operation.left && !(await filesIn(storage)).some(file => operation.left?.test(file)))
    lost.push('what another window left');
  session?.dispose();
  accounts.dispose();
  await service.stop();
  const left = hasSucceeded ? undefined : operation.left;
  const filesLeft = fault.keepsFiles
    ? []
    : await unwantedFiles(storage, file => isWanted(file, hasSucceeded, left));
  await Promise.all([folder, storage].map(used => rm(used, { recursive: true, force: true, maxRetries: 5 })));
  const outcome: Outcome = {
    told: service.named(told),
    requests: service.requests.length,
    seconds,
    filesLeft,
    isKeyLeaked: isKeyLeaked(service),
    postsRepeated: postsRepeated(service),
    lost,
    warnings: log.warnings,
    texts: [told, ...log.lines],
    ...(uncoded !== undefined && { uncoded }),
  };
  return { outcome, misbehaved: service.misbehaved };
}

/** What a user's log would have. */
class RecordingLog implements MaskedLog {
  readonly lines: string[] = [];
  readonly warnings: string[] = [];
  readonly trace = (line: string) => void this.write(line);
  readonly info = (line: string) => void this.write(line);
  readonly warn = (line: string) => void this.warnings.push(this.write(line));
  readonly error = (line: string, error?: unknown) =>
    void this.warnings.push(this.write(`${line} ${String(error)}`));
  private readonly masks = new Map<string, (text: string) => string>();

  addSecret(secret: string): void {
    if (!this.masks.has(secret)) this.masks.set(secret, secretMask(secret));
  }

  private write(line: string): string {
    const written = maskSecrets(line, this.masks.values());
    this.lines.push(written);
    return written;
  }
}

async function bounded<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${WAIT_MS / 1000} s`)), WAIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Files that nobody wants and that stay; those that are being written when an operation ends soon
 * have their names.
 */
async function unwantedFiles(folder: string, isWanted: (file: string) => boolean): Promise<string[]> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const unwanted = (await filesIn(folder)).filter(file => !isWanted(file));
    if (unwanted.length === 0 || Date.now() > end) return unwanted;
    await pause(10);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

async function contentsOf(folder: string): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  for (const file of await filesIn(folder))
    contents.set(file, (await readFile(path.join(folder, file))).toString('latin1'));
  return contents;
}

/**
 * What is not as it was after a failure; after a success, what is gone, and what is there in
 * halves.
 */
async function lostFiles(
  folder: string,
  before: ReadonlyMap<string, string>,
  hasSucceeded: boolean,
): Promise<string[]> {
  const after = await contentsOf(folder);
  const lost = [...before.keys()].filter(file => !after.has(file));
  if (hasSucceeded) return lost;
  const changed = [...before].filter(([file, text]) => after.has(file) && after.get(file) !== text);
  const added = [...after.keys()].filter(file => !before.has(file) && !isHidden(file));
  return [...lost, ...changed.map(([file]) => file), ...added];
}

const isHidden = (file: string) => file.split('/').some(name => name.startsWith('.'));

async function hasAccount(storage: string, log: MaskedLog): Promise<boolean> {
  const accounts = new Accounts(new Keychain().storage, storage, log);
  await accounts.load();
  accounts.dispose();
  return accounts.all.length === 1;
}

/**
 * State of an account is wanted, also how its submits ended, what another window left, and results
 * that were downloaded whole.
 */
function isWanted(file: string, hasSucceeded: boolean, left: RegExp | undefined): boolean {
  // A batch has its claims beside its list.
  if (left?.test(file.replace(/claim-\d+\.json$/, 'files.jsonl'))) return true;
  if (/^accounts\/\w+\/results\/[0-9a-f]{32}-(objects|masks)\.(csv|zip)$/.test(file)) return hasSucceeded;
  return (
    file === 'accounts.json' ||
    /^revisions\/\w+\.json$/.test(file) ||
    /^accounts\/\w+\/windows$/.test(file) ||
    /^accounts\/\w+\/submits\/[0-9a-f]{32}\.\d+\.json$/.test(file) ||
    /^accounts\/\w+\/(state|ended|jobs)\/[\w-]+(\.jsonl?)?$/.test(file) ||
    /^accounts\/\w+\/runs\/[\w-]+\/\w+\.json$/.test(file)
  );
}

function isKeyLeaked({ toService, toOthers }: HostileService): boolean {
  const whole = toOthers.map(
    ({ url, headers, body }) => `${url} ${JSON.stringify(headers)} ${body.toString('latin1')}`,
  );
  const misplaced = toService.map(({ url, headers, body }) => {
    const others = { ...headers, 'x-api-key': undefined };
    return `${url} ${JSON.stringify(others)} ${body.toString('latin1')}`;
  });
  return [...whole, ...misplaced].some(text => text.includes(KEY));
}

/** How many POSTs say what an earlier one said. */
function postsRepeated({ requests }: HostileService): number {
  const posts = requests
    .filter(({ method }) => method === 'POST')
    .map(({ path: posted, body }) => {
      // Each multipart body has another boundary; the file's name tells them apart.
      const [text] = /filename="[^"]*"/.exec(body.toString('latin1')) ?? [body.toString('latin1')];
      return `${posted} ${text}`;
    });
  return posts.length - new Set(posts).size;
}

/** Secrets, stacks and slips of the pen that a text must not contain. */
export const FORBIDDEN = [
  new RegExp(KEY),
  new RegExp(Buffer.from(KEY).toString('base64').slice(0, -4)),
  new RegExp(SIGNATURE),
  /\n\s*at /,
  /\bundefined\b/,
  /\bNaN\b/,
  /\[object /,
  /\{\d\}/,
];
