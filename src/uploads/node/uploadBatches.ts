import { randomBytes } from 'node:crypto';
import { ownerOf } from '../../base/node/thisProcess';
import { BatchClaim, CANCEL, claimFile, generations, LIST, removeBatch, type BatchParts } from './batchClaim';
import { BatchJournal } from './batchJournal';
import { hasOwner, MAX_SILENCE } from './batchOwner';
import {
  claimText,
  contentText,
  parseClaim,
  parseContent,
  type BatchContent,
  type BatchFile,
  type FileState,
} from './uploadBatch';

/** A batch on disk. */
export interface StoredBatch {
  id: string;
  /** What the window that has it does with it; a batch that no window has may be claimed. */
  owner?: { isHere: boolean; isSending: boolean };
  /** Where its files stand, as its owner last wrote; empty before that. */
  states: readonly FileState[];
}

/** A batch that its window did not finish, claimed by this one. */
export interface ClaimedBatch {
  claim: BatchClaim;
  destinationFolder: string;
  /** Before the first of its files was sent. Milliseconds since 1970. */
  startedAt: number;
  /** What was not uploaded, as far as is known. */
  unfinished: UnfinishedFile[];
  /** Where all of its files stand. */
  states: readonly FileState[];
}

export interface UnfinishedFile {
  file: BatchFile;
  /** Its place among all files of the batch. */
  index: number;
  /** Whether another file of the batch has the same name and folder. */
  hasNamesake: boolean;
  /** It was being sent when its window ended: it may be on the service. */
  mayBeSent: boolean;
}

/** The uploads of an account that are under way or were not finished, in any window. */
export class UploadBatches {
  constructor(private readonly parts: BatchParts) {}

  /** Stores a new batch, which this window owns. Throws what the file system throws; nothing is left then. */
  async create(content: BatchContent): Promise<BatchJournal> {
    const { disk, here } = this.parts;
    const id = randomBytes(8).toString('hex');
    try {
      await disk.makeFolder(id);
      // The claim first: a batch without one would be taken for one of which nothing is known.
      await disk.create(claimFile(id, 1), claimText({ owner: ownerOf(here), phase: 'sending' }));
      await disk.replace(`${id}/${LIST}`, contentText(content));
    } catch (error) {
      await disk.remove(id).catch(() => undefined);
      throw error;
    }
    return new BatchJournal(new BatchClaim(this.parts, id, 1), this.parts, content.files.length);
  }

  /** All batches of the account, in any window. What is left of a batch that was half deleted is removed. */
  async all(): Promise<StoredBatch[]> {
    const found: StoredBatch[] = [];
    for (const id of await this.parts.disk.list('')) {
      const names = await this.parts.disk.list(id);
      const [newest] = generations(names);
      const owner = newest === undefined ? undefined : await this.owner(id, newest);
      if (names.includes(LIST))
        found.push({ id, ...(owner?.isThere && { owner }), states: owner?.states ?? [] });
      else if (newest !== undefined && !owner?.isThere) await this.parts.disk.remove(id);
    }
    return found;
  }

  /**
   * Claims a batch that has no owner; undefined where it has one, another window was first, or nothing of it is left to
   * upload. Of several windows that try at the same time one gets it.
   */
  async claim(id: string): Promise<ClaimedBatch | undefined> {
    const { disk, here, log } = this.parts;
    const names = await disk.list(id);
    if (!names.includes(LIST)) return undefined;
    const before = generations(names);
    const [newest = 0] = before;
    if (newest > 0 && (await this.owner(id, newest)).isThere) return undefined;
    // Before the claim: a list that can't be read now stays for another time. It never changes.
    const list = await disk.read(`${id}/${LIST}`);
    const content = list && (await parseContent(list.text));
    // Without states: until they are written, those of the claim before this one count.
    const text = claimText({ owner: ownerOf(here), phase: 'offering' });
    if (!(await disk.create(claimFile(id, newest + 1), text))) return undefined;
    const claim = new BatchClaim(this.parts, id, newest + 1);
    // The states are read after the claim was created: an owner that was only slow has stopped writing them by now, or
    // has marked what it sends.
    if (!content) {
      log.warn('An unfinished upload could not be read, and is dropped');
      await removeBatch(disk, id);
      return undefined;
    }
    const states = fitted(await this.states(id, before), content.files.length);
    const counts = countsOf(content.files);
    const unfinished = content.files.flatMap((file, index) => {
      const state = states[index];
      if (!file || state === 'done' || state === 'canceled') return [];
      const hasNamesake = counts.get(pathOf(file)) !== 1;
      return [{ file, index, hasNamesake, mayBeSent: state === 'sending' }];
    });
    const { isOurs, isCanceled } = await claim.look();
    if (unfinished.length === 0 || isCanceled) await claim.remove();
    if (unfinished.length === 0 || isCanceled || !isOurs) return undefined;
    await claim.write('offering', states);
    const { destinationFolder } = content;
    return { claim, destinationFolder, startedAt: list.writtenAt, unfinished, states };
  }

  /** Cancels a batch of any window. The owner notices at once; without one, the batch is deleted when it is next found. */
  async cancel(id: string): Promise<void> {
    await this.parts.disk.create(`${id}/${CANCEL}`, '');
  }

  private async owner(id: string, generation: number) {
    const { disk, here, now } = this.parts;
    let file: { text: string; writtenAt: number } | undefined;
    try {
      file = await disk.read(claimFile(id, generation));
    } catch (error) {
      // Taking it from a window that sends would cancel the upload there, and its files might be sent twice.
      this.parts.log.warn(
        `The claim of an upload can't be read, and counts as another window's: ${String(error)}`,
      );
      return { isThere: true, isHere: false, isSending: true, states: undefined };
    }
    const claim = file && parseClaim(file.text);
    // A damaged one may have been created a moment ago, and be written next.
    if (!file || !claim) {
      const isThere = file !== undefined && now() - file.writtenAt < MAX_SILENCE;
      return { isThere, isHere: false, isSending: true, states: undefined };
    }
    return {
      isThere: hasOwner(claim, file.writtenAt, here, now()),
      isHere: claim.owner.session === here.session,
      isSending: claim.phase === 'sending',
      states: claim.states,
    };
  }

  /** The states of the newest claim that has some; undefined where nothing is known. */
  private async states(id: string, claims: readonly number[]): Promise<FileState[] | undefined> {
    let isNewestKnown = claims.length > 0;
    for (const generation of claims) {
      const file = await this.parts.disk.read(claimFile(id, generation)).catch(() => undefined);
      const claim = file && parseClaim(file.text);
      // A damaged claim, or one that can't be read, may have said more than those before it.
      if (!claim) isNewestKnown = false;
      else if (claim.states) return isNewestKnown ? claim.states : claim.states.map(unsure);
    }
    // The first claim has no states until the first file is about to be sent.
    return isNewestKnown ? [] : undefined;
  }
}

function pathOf({ folder, fileName }: BatchFile): string {
  return `${folder}/${fileName}`;
}

function countsOf(files: readonly (BatchFile | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) if (file) counts.set(pathOf(file), (counts.get(pathOf(file)) ?? 0) + 1);
  return counts;
}

function unsure(state: FileState): FileState {
  return state === 'queued' ? 'sending' : state;
}

/** A state for each file: of those that none was written for, none was sent, or where nothing is known any may be. */
function fitted(states: FileState[] | undefined, count: number): FileState[] {
  const missing = states?.length === 0 ? 'queued' : 'sending';
  return Array.from({ length: count }, (_, index) => states?.[index] ?? missing);
}
