import type { Disposable } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { Log } from '../../base/log';
import type { SharedFiles } from '../../base/node/sharedFolder';
import { ownerOf, type ThisProcess } from '../../base/node/thisProcess';
import { claimText, type ClaimPhase, type FileState } from './uploadBatch';

/** What batches are kept with. */
export interface BatchParts {
  disk: SharedFiles;
  here: ThisProcess;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  log: Log;
}

/** The list of a batch's files; a folder without it holds no batch. */
export const LIST = 'files.jsonl';

/** A file of this name asks the owner to cancel the batch. */
export const CANCEL = 'cancel';

/** The file of a claim. Claims are numbered: the one with the highest number owns the batch. */
export function claimFile(id: string, generation: number): string {
  return `${id}/claim-${generation}.json`;
}

/** The numbers of the claims among the names in a batch's folder, the owner's first. */
export function generations(names: readonly string[]): number[] {
  return names
    .flatMap(name => /^claim-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((left, right) => right - left);
}

/**
 * This window's claim to a batch. A claim is never handed back: who takes a batch over creates the claim with the next
 * number, which only one window can, and an owner that finds a higher number stops.
 */
export class BatchClaim {
  private readonly ending = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: BatchParts,
    readonly id: string,
    private readonly generation: number,
  ) {}

  /** Stores where the files stand; writes follow each other. A failure costs what it would have told, and is logged. */
  write(phase: ClaimPhase, states: readonly FileState[]): Promise<void> {
    const { disk, log } = this.parts;
    const text = this.text(phase, states);
    const writing = this.turn.then(async () => {
      if (this.ending.signal.aborted) return;
      try {
        await disk.replace(this.file, [text], this.ending.signal);
      } catch (error) {
        if (!isCoded(error, 'cancelled')) log.error('The state of an upload could not be stored', error);
      }
    });
    this.turn = writing;
    return writing;
  }

  /** Whether the batch is still there and this window's, and whether it is to be canceled. */
  async look(): Promise<{ isOurs: boolean; isCanceled: boolean }> {
    const names = await this.parts.disk.list(this.id);
    return {
      isOurs: names.includes(LIST) && generations(names)[0] === this.generation,
      isCanceled: names.includes(CANCEL),
    };
  }

  /** Lets another window claim the batch. */
  async release(states: readonly FileState[]): Promise<void> {
    await this.write('released', states);
    this.ending.abort();
  }

  /** As release, before this returns: the window closes. */
  releaseNow(states: readonly FileState[]): void {
    if (this.ending.signal.aborted) return;
    this.ending.abort();
    try {
      this.parts.disk.replaceNow(this.file, this.text('released', states));
    } catch (error) {
      this.parts.log.error('An upload could not be released', error);
    }
  }

  /** Deletes the batch, unless another window has taken it over. */
  async remove(): Promise<void> {
    if (this.ending.signal.aborted) return;
    this.ending.abort();
    await this.turn;
    if ((await this.look()).isOurs) await removeBatch(this.parts.disk, this.id);
  }

  private get file(): string {
    return claimFile(this.id, this.generation);
  }

  private text(phase: ClaimPhase, states: readonly FileState[]): string {
    return claimText({ owner: ownerOf(this.parts.here), phase, states: [...states] });
  }
}

/** Deletes a batch: first its list, as a list without claims would be a batch of which nothing is known. */
export async function removeBatch(disk: SharedFiles, id: string): Promise<void> {
  await disk.remove(`${id}/${LIST}`);
  await disk.remove(id);
}
