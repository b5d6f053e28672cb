import type { Disposable } from '../../base/disposable';
import { canceledError, CodedError } from '../../base/errors';
import type { Log } from '../../base/log';
import type { SharedFiles } from '../../base/sharedFolder';
import type { ThisProcess } from '../../base/thisProcess';
import type { DescribedSubmit } from './describedSubmit';
import { intentText, type IntentState } from './intentState';

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
  /** Tells other windows that the request leaves now. Throws `SupersededError` where another window has taken over. */
  send(before: readonly string[] | undefined): Promise<void>;
  /** Tells them how the submit ended, and whether all is done about that. A failure to do so is logged. */
  end(state: IntentState, handled?: 'handled'): Promise<void>;
}

/** Another window considered this one closed, and has the submit now. Nothing was sent from here. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
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
    private readonly checks: { isSuperseded: () => Promise<boolean>; onEnd: () => void },
  ) {
    this.heartbeat = parts.every(HEARTBEAT, () => void parts.files.touch(id.file));
  }

  get generation(): number {
    return this.id.generation;
  }

  async send(before: readonly string[] | undefined): Promise<void> {
    try {
      await this.write({ at: 'sending', ...(before && { before }) }, false);
    } catch (error) {
      // Without it another window would take this submit for one that sent nothing.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      throw new CodedError('no-space', 'A submit could not be stored', {}, { cause: error });
    }
    if (this.isDisposed) throw canceledError();
    // Written first and looked after: of two windows that both consider the submit theirs, at least one sees the other's file.
    if (await this.checks.isSuperseded()) throw new SupersededError();
  }

  async end(state: IntentState, handled?: 'handled'): Promise<void> {
    try {
      await this.write(state, handled === 'handled');
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

  private async write(state: IntentState, isHandled: boolean): Promise<void> {
    if (this.isDisposed) return;
    const { files, here } = this.parts;
    const { session, pid, host } = here;
    const { name, request, file } = this.id;
    const intent = {
      ...{ owner: { session, pid, host }, ...(name !== undefined && { name }), ...(request && { request }) },
      ...(isHandled && { handled: true as const }),
      state,
    };
    await files.replace(file, [intentText(intent)]);
  }
}

/** An intent that can't be stored: the submit is protected in this window alone. */
export const unstoredIntent: OwnIntent = {
  generation: 0,
  send: () => Promise.resolve(),
  end: () => Promise.resolve(),
};
