import type { Disposable } from '../../base/disposable';
import { canceledError, type CodedError, isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import { diskError } from '../../base/node/fileErrors';
import type { SharedFiles } from '../../base/node/sharedFolder';
import { ownerOf, type ThisProcess } from '../../base/node/thisProcess';
import { reason } from '../../base/reasons';
import { type DescribedSubmit, type IntentState, intentText } from './storedIntents';

/** What intents are kept with. */
export interface IntentParts {
  files: Pick<SharedFiles, 'list' | 'read' | 'makeFolder' | 'create' | 'replace' | 'touch' | 'remove'>;
  here: ThisProcess;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  delay: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  log: Log;
}

/** A submit of this window, before and after its request. */
export interface OwnIntent {
  /** Its number among those of its key. */
  readonly generation: number;
  /**
   * Tells other windows that the request leaves now. Throws `SupersededError` where another window has taken over, and
   * `no-space` or `not-writable` where they can't be told.
   */
  send(before: readonly string[] | undefined): Promise<void>;
  /**
   * Tells them how the submit ended, and whether all is done about that, or all but telling the program that submitted it. A
   * failure to do so is logged.
   */
  end(state: IntentState, done?: IntentDone): Promise<void>;
}

/** See `StoredIntent`. */
type IntentDone = 'handled' | 'owed';

/** Another window considered this one closed, and has the submit now. Nothing was sent from here. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** The error for a submit that other windows can't see: `no-space`, `not-writable`. Nothing was sent. */
export function unprotectedSubmit(error: unknown): CodedError {
  return diskError(error, { reason: reason('submit-unprotected') });
}

/** Whether a submit was refused because other windows can't see it. Only a person can agree that it goes on. */
export function isUnprotected(error: unknown): error is CodedError {
  return isCoded(error) && error.details.reason?.kind === 'submit-unprotected';
}

/** How often an intent is given a new time while its submit is under way. Milliseconds. */
const HEARTBEAT = 2000;

/** An intent that is a file, with a heartbeat until it ends. */
export class StoredOwnIntent implements OwnIntent, Disposable {
  private readonly heartbeat: Disposable;
  private isDisposed = false;

  constructor(
    private readonly parts: Pick<IntentParts, 'files' | 'here' | 'every' | 'log'>,
    private readonly id: { file: string; generation: number; name?: string; request?: DescribedSubmit },
    private readonly checks: {
      isSuperseded: () => Promise<boolean>;
      /** Whether a person agreed that it goes on though other windows can't see it. */
      isAgreed: () => boolean;
      onEnd: () => void;
    },
  ) {
    this.heartbeat = parts.every(HEARTBEAT, () => void parts.files.touch(id.file));
  }

  get generation(): number {
    return this.id.generation;
  }

  async send(before: readonly string[] | undefined): Promise<void> {
    try {
      await this.write({ at: 'sending', ...(before && { before }) });
    } catch (error) {
      if (this.isDisposed) throw canceledError();
      // Without it another window would take this submit for one that sent nothing.
      if (!this.checks.isAgreed()) throw unprotectedSubmit(error);
      this.parts.log.warn(`A submit is protected in this window alone: ${String(error)}`);
    }
    if (this.isDisposed) throw canceledError();
    // Written first and looked after: of two windows that both consider the submit theirs, at least one sees the other's file.
    if (await this.checks.isSuperseded()) throw new SupersededError();
  }

  async end(state: IntentState, done?: IntentDone): Promise<void> {
    try {
      await this.write(state, done);
    } catch (error) {
      this.parts.log.error('How a submit ended could not be stored', error);
    }
    this.heartbeat.dispose();
    this.checks.onEnd();
  }

  /** The window closes or the account goes: nothing is written any more, and what is written stays. */
  dispose(): void {
    this.isDisposed = true;
    this.heartbeat.dispose();
  }

  private async write(state: IntentState, done?: IntentDone): Promise<void> {
    if (this.isDisposed) return;
    const { files, here } = this.parts;
    const { name, request, file } = this.id;
    const intent = {
      ...{ owner: ownerOf(here), ...(name !== undefined && { name }), ...(request && { request }) },
      ...(done && { handled: true as const }),
      ...(done === 'owed' && { owed: true as const }),
      state,
    };
    await files.replace(file, [intentText(intent)]);
  }
}

/** That of a submit which is protected in this window alone. */
export const unstoredIntent: OwnIntent = {
  generation: 0,
  send: () => Promise.resolve(),
  end: () => Promise.resolve(),
};
