import type { Disposable } from '../../base/disposable';
import { canceledError, isCoded, throwIfCanceled } from '../../base/errors';
import { isOver, ownerOf } from '../../base/node/thisProcess';
import {
  type IntentParts,
  type OwnIntent,
  StoredOwnIntent,
  unprotectedSubmit,
  unstoredIntent,
} from './ownIntent';
import {
  deleteOldIntents,
  type DescribedSubmit,
  fileOf,
  type IntentState,
  intentText,
  isPending,
  leftIntents,
  type LeftState,
  nameOf,
  numbersByName,
  parseIntent,
  type StoredIntent,
} from './storedIntents';

/** What is submitted: intents of one key exclude each other. */
export interface IntentSubject {
  key: string;
  /** A submit with another name is not the same one; it waits for this one to end. */
  name?: string;
  /** With which a window that opens later goes on where this one ends before the submit. */
  request?: DescribedSubmit;
}

/** How a submit begins. */
interface EnterOptions {
  signal?: AbortSignal | undefined;
  /** This submit's intent that another window took over. */
  superseded?: OwnIntent | undefined;
  /** Whether a person agreed that it goes on though other windows can't see it; called when it can't be stored. */
  isAgreed?: (() => boolean) | undefined;
}

/** A submit of a window that is gone, which this window has taken over in order to do what is left to be done. */
export interface TakenIntent {
  intent: OwnIntent;
  request: DescribedSubmit;
  state: LeftState;
}

/** What a submit finds of the same submit in other windows. */
type IntentEntry =
  /** It is this window's. `left` is an earlier one of which it is unknown whether it was sent, to be resolved first. */
  | { kind: 'own'; intent: OwnIntent; left?: LeftSubmit }
  /** Another window submitted it meanwhile, or left it unresolved. `left` where no job had appeared until then. */
  | { kind: 'ended'; state: EndedState; left?: LeftSubmit };

/** A submit whose window ended, or stopped responding, after its request may have left. */
export interface LeftSubmit {
  name?: string;
  /** The jobs that there were before it; undefined where that isn't known. */
  before?: readonly string[];
}

export type EndedState = Extract<IntentState, { at: 'submitted' | 'failed' | 'unclaimed' | 'unresolved' }>;

interface FoundIntent extends StoredIntent {
  generation: number;
  /** Whether its submit is still under way in a window. */
  isAlive: boolean;
  /** Whether the program that submitted it has yet to learn of its job. */
  isOwed: boolean;
}

/** How often a window that waits looks again. Milliseconds. */
const POLL = 500;

/**
 * Number of looks, fifteen seconds, in which the file of an intent that has an owner gets a new time. Looks are counted, as
 * clocks of machines differ and a computer may sleep.
 */
const MAX_SILENT_LOOKS = 30;

/**
 * The submits of an account that are under way or unresolved in any window of this machine. Each is a file, created before
 * anything is requested; the files of one key are numbered, and the highest number owns the submit. So a window that was
 * wrongly considered closed sends nothing once another has taken over: before its request it writes that it sends, and then
 * checks for a higher number. A window that takes over creates the higher number, and then checks what the others wrote.
 */
export class SubmitIntents implements Disposable {
  private readonly own = new Map<string, StoredOwnIntent>();
  /** Files of unresolved submits that are settled, though that can't be stored. */
  private readonly settledHere = new Set<string>();
  /** Files of submits whose program was told the job here. */
  private readonly toldHere = new Set<string>();
  private tidying: Promise<void> | undefined;
  private isDisposed = false;

  constructor(private readonly parts: IntentParts) {}

  /**
   * Waits for a submit of the same key to end, or begins one. What can't be stored is begun only if a person agreed, without
   * protection from other windows. Throws `cancelled`, and `no-space` or `not-writable` for what `isUnprotected`.
   */
  async enter(subject: IntentSubject, options: EnterOptions = {}): Promise<IntentEntry> {
    try {
      return await this.enterStored(subject, options);
    } catch (error) {
      return { kind: 'own', intent: this.unstored(error, options) };
    }
  }

  /** An unresolved submit was reported to the user or program that submitted it: the next one of its key is a new one. */
  async settle(key: string): Promise<void> {
    try {
      const { found } = await this.look(key, new Silence());
      if (found) await this.markSettled(key, found);
    } catch (error) {
      // It will be reported again.
      this.parts.log.error('An unresolved submit could not be read', error);
    }
  }

  /** The job of a submit is stored: windows that open later have nothing to do about it. */
  async markStored(key: string, jobId: string): Promise<void> {
    try {
      for (const generation of await this.generations(nameOf(key))) {
        const file = fileOf(nameOf(key), generation);
        const intent = parseIntent((await this.parts.files.read(file))?.text ?? '');
        const isOurs = intent.state.at === 'submitted' && intent.state.jobId === jobId && !intent.handled;
        if (isOurs && !this.isDisposed)
          await this.parts.files.replace(file, [intentText({ ...intent, handled: true })]);
      }
    } catch (error) {
      // The next window stores the job once more.
      this.parts.log.warn(`That a job is stored could not be noted: ${String(error)}`);
    }
  }

  /**
   * Takes over the submits that windows left which are gone, each of them in one window. A person or program that submits the
   * same meanwhile waits for them to end.
   */
  async takeLeft(): Promise<TakenIntent[]> {
    const { files, here } = this.parts;
    const taken: TakenIntent[] = [];
    for (const { prefix, generation, top, text, request, state } of await leftIntents(files, () =>
      Promise.resolve(here),
    )) {
      const { name } = request;
      const subject = { request, ...(name !== undefined && { name }) };
      const intent = await this.create(prefix, subject, top + 1);
      if (!intent) continue;
      // Another window may have done something about it just before.
      const now = await files.read(fileOf(prefix, generation)).catch(() => undefined);
      if (now?.text === text) taken.push({ intent, request, state });
      else await intent.end({ at: 'withdrawn' });
    }
    return taken;
  }

  dispose(): void {
    this.isDisposed = true;
    for (const intent of this.own.values()) intent.dispose();
    this.own.clear();
  }

  private async enterStored(subject: IntentSubject, options: EnterOptions): Promise<IntentEntry> {
    const { key } = subject;
    const { signal, superseded, isAgreed } = options;
    const silence = new Silence();
    /** The submits with this number or a higher one have been under way at the same time as this one. */
    let from = superseded && superseded.generation + 1;
    for (;;) {
      throwIfCanceled(signal);
      const { top, found } = await this.look(key, silence);
      from ??= found && isPending(found.state) ? found.generation : top + 1;
      if (found?.isAlive) {
        await this.parts.delay(POLL, signal);
        silence.lookAgain();
        continue;
      }
      const state = found && endFor(subject, found, from);
      if (state) {
        if (state.at === 'submitted') await this.markSettled(key, found);
        if (state.at === 'submitted' && isByProgram(subject)) await this.markTold(key, found);
        return { kind: 'ended', state, ...(mayHaveAppeared(found.state) && { left: leftBy(found) }) };
      }
      const intent = await this.create(nameOf(key), subject, top + 1, isAgreed).catch((error: unknown) =>
        this.unstored(error, options),
      );
      if (!intent) continue;
      if (intent === unstoredIntent) return { kind: 'own', intent, ...(found && leftOf(found)) };
      // The window that had it before may have continued meanwhile.
      const { found: before } = await this.look(key, silence, top);
      if (before && (before.isAlive || endFor(subject, before, from))) {
        await intent.end({ at: 'withdrawn' });
        continue;
      }
      return { kind: 'own', intent, ...(before && leftOf(before)) };
    }
  }

  /**
   * The highest number of a key, and the submit that counts: the highest one that has not withdrawn, and did not end before
   * it sent anything. Only numbers up to `limit` are looked at.
   */
  private async look(
    key: string,
    silence: Silence,
    limit = Number.MAX_SAFE_INTEGER,
  ): Promise<{ top: number; found?: FoundIntent }> {
    const generations = await this.generations(nameOf(key));
    for (const generation of generations) {
      if (generation > limit) continue;
      const file = fileOf(nameOf(key), generation);
      const read = await this.parts.files.read(file);
      const stored = parseIntent(read?.text ?? '');
      const candidates = candidatesOf(stored.state);
      const intent: StoredIntent =
        candidates && this.settledHere.has(file)
          ? { ...stored, state: { at: 'settled', candidates } }
          : stored;
      silence.see(generation, read?.writtenAt);
      const isAlive =
        isPending(intent.state) &&
        this.hasOwner(intent, file, read?.writtenAt ?? 0, silence.isSilent(generation));
      if (intent.state.at === 'withdrawn' || (intent.state.at === 'preparing' && !isAlive)) continue;
      const isOwed = !this.toldHere.has(file) && this.owesJob(intent, read?.writtenAt ?? 0);
      return { top: generations[0] ?? 0, found: { ...intent, generation, isAlive, isOwed } };
    }
    return { top: generations[0] ?? 0 };
  }

  /** Whether the program that submitted it never learned of its job, since its window crashed. */
  private owesJob({ state, request, owner, handled, owed }: StoredIntent, writtenAt: number): boolean {
    if (state.at !== 'submitted' || request?.by !== 'program') return false;
    // Until it is picked up, its job isn't stored either.
    return owed ?? (!handled && owner !== undefined && isOver(owner, writtenAt, this.parts.here));
  }

  private hasOwner({ owner }: StoredIntent, file: string, writtenAt: number, isSilent: boolean): boolean {
    const { here } = this.parts;
    if (owner?.session === here.session) return this.own.has(file);
    return !isSilent && !(owner && isOver(owner, writtenAt, here));
  }

  /** The numbers of a key's intents, the highest first. */
  private async generations(keyName: string): Promise<readonly number[]> {
    return numbersByName(await this.parts.files.list('')).get(keyName) ?? [];
  }

  /** Creates the file of an intent; undefined where another window was first. */
  private async create(
    keyName: string,
    { name, request }: Omit<IntentSubject, 'key'>,
    generation: number,
    isAgreed: () => boolean = () => false,
  ): Promise<OwnIntent | undefined> {
    const { files, here } = this.parts;
    const file = fileOf(keyName, generation);
    // The folder of an account that is gone must not be created again.
    if (this.isDisposed) throw canceledError();
    await files.makeFolder('');
    const content = {
      owner: ownerOf(here),
      ...(name !== undefined && { name }),
      ...(request && { request }),
      state: { at: 'preparing' as const },
    };
    if (!(await files.create(file, intentText(content)))) return undefined;
    // The account may have gone meanwhile: no heartbeat may begin any more.
    if (this.isDisposed) throw canceledError();
    const intent = new StoredOwnIntent(
      this.parts,
      { file, generation, ...(name !== undefined && { name }), ...(request && { request }) },
      {
        isAgreed,
        isSuperseded: async () => ((await this.generations(keyName))[0] ?? generation) !== generation,
        onEnd: () => this.own.delete(file),
      },
    );
    this.own.set(file, intent);
    this.settledHere.delete(file);
    this.toldHere.delete(file);
    this.tidying ??= this.tidy(file);
    return intent;
  }

  private async markSettled(
    key: string,
    { generation, name, owner, request, state }: FoundIntent,
  ): Promise<void> {
    const candidates = candidatesOf(state);
    if (!candidates || this.isDisposed) return;
    const settled = {
      ...(owner && { owner }),
      ...(name !== undefined && { name }),
      ...(request && { request }),
      state: { at: 'settled' as const, candidates },
    };
    const file = fileOf(nameOf(key), generation);
    try {
      await this.parts.files.replace(file, [intentText(settled)]);
    } catch (error) {
      // Other windows, and later ones, will report it again.
      this.settledHere.add(file);
      this.parts.log.error('That a submit is settled could not be stored', error);
    }
  }

  /** The program that submitted it knows the job now: its next identical call is a new one. */
  private async markTold(
    key: string,
    { generation, isOwed, isAlive: _, owed, ...intent }: FoundIntent,
  ): Promise<void> {
    if (!isOwed) return;
    const file = fileOf(nameOf(key), generation);
    this.toldHere.add(file);
    // One that isn't stored yet is marked once it is.
    if (!owed || this.isDisposed) return;
    try {
      await this.parts.files.replace(file, [intentText(intent)]);
    } catch (error) {
      this.parts.log.error('That a program knows its job could not be stored', error);
    }
  }

  /** The intent of a submit that a person agreed to send though it can't be stored; throws the error for any other. */
  private unstored(error: unknown, { signal, isAgreed }: EnterOptions): OwnIntent {
    throwIfCanceled(signal);
    if (this.isDisposed) throw canceledError();
    if (isCoded(error) || !isAgreed?.()) throw unprotectedSubmit(error);
    this.parts.log.warn(`A submit is protected in this window alone: ${String(error)}`);
    return unstoredIntent;
  }

  /** Deletes intents that ended long ago, once per window. The time is that of a file just written. */
  private async tidy(written: string): Promise<void> {
    const { files, log } = this.parts;
    try {
      const now = (await files.read(written))?.writtenAt ?? 0;
      await deleteOldIntents(files, now, () => this.isDisposed);
    } catch (error) {
      log.warn(`Intents of earlier submits could not be deleted: ${String(error)}`);
    }
  }
}

/** How long the files of intents have had the same time, counted in looks. */
class Silence {
  private readonly seen = new Map<number, { writtenAt: number | undefined; since: number }>();
  private looks = 0;

  lookAgain(): void {
    this.looks += 1;
  }

  see(generation: number, writtenAt: number | undefined): void {
    if (this.seen.get(generation)?.writtenAt === writtenAt && this.seen.has(generation)) return;
    this.seen.set(generation, { writtenAt, since: this.looks });
  }

  isSilent(generation: number): boolean {
    return this.looks - (this.seen.get(generation)?.since ?? this.looks) >= MAX_SILENT_LOOKS;
  }
}

/**
 * What an intent that ended means to a submit of its key; undefined where a new job may be submitted. One that
 * was not concurrent doesn't matter to a later submit, unless it is unresolved, or the program that submitted it never learned of
 * its job.
 */
function endFor(subject: IntentSubject, found: FoundIntent, from: number): EndedState | undefined {
  const { state } = found;
  const { name } = subject;
  if (state.at === 'submitted' && found.isOwed && found.name === name && isByProgram(subject)) return state;
  const isSame = found.generation >= from && found.name === name;
  switch (state.at) {
    case 'submitted':
    case 'failed':
      return isSame ? state : undefined;
    case 'unclaimed':
      return isSame ? { at: 'submitted', jobId: state.jobId } : state;
    case 'unresolved':
      return state;
    case 'settled':
      return isSame ? { at: 'unresolved', candidates: state.candidates } : undefined;
    default:
      return undefined;
  }
}

function isByProgram({ request }: IntentSubject): boolean {
  return request?.by === 'program';
}

/** Whether the job of an unresolved submit, of which there was no trace, can be sought once more. */
function mayHaveAppeared(state: IntentState): boolean {
  return state.at === 'unresolved' && state.candidates.length === 0 && state.before !== undefined;
}

/** What is left of a submit that may have been sent, for the next one of its key to resolve. */
function leftOf(found: FoundIntent): { left?: LeftSubmit } {
  return found.state.at === 'sending' ? { left: leftBy(found) } : {};
}

/** The jobs of which one may be that of an unresolved submit; undefined for one that isn't. */
function candidatesOf(state: IntentState): readonly string[] | undefined {
  return state.at === 'unclaimed' ? [state.jobId] : state.at === 'unresolved' ? state.candidates : undefined;
}

function leftBy({ name, state }: FoundIntent): LeftSubmit {
  return {
    ...(name !== undefined && { name }),
    ...('before' in state && state.before && { before: state.before }),
  };
}
