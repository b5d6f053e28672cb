import { isSame } from '../../base/namedList';
import type { ResultSession } from '../../session/node/resultSession';
import * as v from 'valibot';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { canceledError, CodedError, throwIfCanceled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Log } from '../../base/log';
import { reasonForLog } from '../../base/reasonForLog';
import { delay, untilCanceled } from '../../base/waiting';
import type { ObjectRef } from '../../archives/masksSummary';
import type { ComparedSide, ImagePair, SkippedPair } from '../comparison';
import {
  type ObjectOfSide,
  type ComparisonChoice,
  comparisonChoice,
  type SelectedPair,
  type ShownPairs,
} from '../comparisonPage';
import { ofOtherFiles } from '../../archives/imageIdentity';
import type { PairByHand } from './imagePairing';
import { thresholdOf } from '../scores';
import type { ResultPart } from '../../service/resultParts';
import type { Engine } from '../../session/engineProtocol';
import {
  type CompareChoice,
  type CompareProgress,
  comparableFile,
  comparableResult,
  type MasksComparer,
  type OpenedComparison,
} from './masksComparer';
import { pairsAfter, type PairingAction, type PairStore } from './storedPairs';
import { FileResult, type ResultSource } from '../../session/node/resultSource';
import { sessionLinks } from '../../linking/node/sessionLinks';
import { sessionRows } from '../../linking/node/sessionRows';

/** Settings of a comparison, with the threshold of pairs. */
export interface HowCompared {
  choice?: CompareChoice;
  threshold?: number;
  /** Whether areas of a label image with one label are objects each. */
  separatesAreas?: boolean;
}

/** Settings of a comparison in its page. */
export function compareChoice({ classes, classPairs, region }: ComparisonChoice): CompareChoice {
  return { classes, classPairs, ...(region && { region }) };
}

/** The inverse, as it is stored; undefined until a user made a choice. */
export function storedChoice({ classes, classPairs, region }: CompareChoice): ComparisonChoice | undefined {
  return classPairs && { classes, classPairs: [...classPairs], region: region ? [...region] : null };
}

/** Settings before a reload, if the stored ones are valid. */
export function howCompared({
  choice,
  threshold,
  separatesAreas,
}: Partial<Record<keyof HowCompared, unknown>>): HowCompared {
  const { success, output } = v.safeParse(comparisonChoice, choice);
  return {
    ...(success && { choice: compareChoice(output) }),
    ...(typeof threshold === 'number' && thresholdOf(threshold) !== undefined && { threshold }),
    ...(separatesAreas === true && { separatesAreas }),
  };
}

/** Dependencies in the session of the table of pairs. */
type PairsTable = Pick<ResultSession, 'get' | 'replaceObjects'>;

interface ComparisonSessionDependencies {
  a: ResultSource;
  b: ResultSource;
  comparer: MasksComparer;
  kept: PairStore;
  log: Log;
}

/** Changes without the last one that is the same as another. */
function withoutLast(actions: readonly PairingAction[], action: PairingAction): readonly PairingAction[] {
  const at = actions.findLastIndex(each => isSame(each, action));
  return at < 0 ? actions : actions.toSpliced(at, 1);
}

/** After more crashes of its thread a comparison isn't opened again by itself. */
const MAX_CRASHES = 2;

/** Time for the threshold to rest before the table of pairs follows. Milliseconds. */
const TABLE_FOLLOWS = 400;

/**
 * Two sets of masks compared, while a panel shows them or their pairs are open as a table. They are
 * opened when that is first wanted, in a thread that ends with the session; the table is opened in
 * it too, so that its rows can be linked to objects of both sides. The table has the pairs of the
 * view: it is written anew where these change.
 */
export class ComparisonSession implements Disposable {
  private readonly store = new DisposableStore();
  private readonly lifetime = new AbortController();
  private readonly progressEmitter = this.store.add(new Emitter<Parameters<CompareProgress>>());
  private readonly crashEmitter = this.store.add(new Emitter<void>());
  private readonly selectEmitter = this.store.add(new Emitter<ObjectOfSide | null>());
  private readonly hoverEmitter = this.store.add(new Emitter<ObjectOfSide | null>());
  private readonly filterEmitter = this.store.add(new Emitter<ShownPairs | null>());
  private opening: Promise<OpenedComparison> | undefined;
  private current: OpenedComparison | undefined;
  private crashes = 0;
  private chosen: CompareChoice;
  /** The pairs after the user's changes. */
  private byHand: readonly PairByHand[] = [];
  /** Stored changes that this window may undo: those of others, made since it opened, aren't. */
  private undoable: readonly PairingAction[] | undefined;
  private skippedPairs: readonly SkippedPair[] = [];
  private at: number;
  private areAreasSeparate: boolean;
  /** Number of comparisons so far. */
  private comparisons = 0;
  private readonly files: PairsFiles;
  private table: { session: PairsTable; listening: DisposableStore } | undefined;
  private following = new AbortController();

  constructor(
    private readonly parts: ComparisonSessionDependencies,
    { choice = { classes: 'all' }, threshold = 0.5, separatesAreas = false }: HowCompared = {},
  ) {
    this.chosen = choice;
    this.areAreasSeparate = separatesAreas;
    this.at = threshold;
    this.files = new PairsFiles(parts.log);
  }

  get a(): ResultSource {
    return this.parts.a;
  }

  get b(): ResultSource {
    return this.parts.b;
  }

  get choice(): CompareChoice {
    return this.chosen;
  }

  /** Whether areas of a label image with one label are objects each. */
  get separatesAreas(): boolean {
    return this.areAreasSeparate;
  }

  /** Pairs of images that couldn't be compared. */
  get skipped(): readonly SkippedPair[] {
    return this.skippedPairs;
  }

  get threshold(): number {
    return this.at;
  }

  get onDidProgress(): Event<Parameters<CompareProgress>> {
    return this.progressEmitter.event;
  }

  /** All was closed; it reopens on demand. */
  get onDidCrash(): Event<void> {
    return this.crashEmitter.event;
  }

  /** A row was selected in the table of pairs. */
  get onDidSelect(): Event<ObjectOfSide | null> {
    return this.selectEmitter.event;
  }

  /** A row of the table of pairs is pointed at. */
  get onDidHover(): Event<ObjectOfSide | null> {
    return this.hoverEmitter.event;
  }

  /** The filters of the table let other rows through; null for all. */
  get onDidFilter(): Event<ShownPairs | null> {
    return this.filterEmitter.event;
  }

  /** The comparison, opened on first use and after a failure. Throws errors of opening masks. */
  opened(): Promise<OpenedComparison> {
    if (this.opening) return this.opening;
    const opening = this.open();
    this.opening = opening;
    opening.catch(() => {
      if (this.opening === opening) this.opening = undefined;
    });
    return opening;
  }

  /** The comparison, if it is open. */
  get openedNow(): OpenedComparison | undefined {
    return this.current;
  }

  /** The user retries: earlier crashes no longer count. */
  resetCrashes(): void {
    this.crashes = 0;
  }

  /** Compares all images in another way. Where that fails all is as before. */
  async compareAgain(choice: CompareChoice, signal: AbortSignal): Promise<OpenedComparison> {
    const opened = await this.opened();
    const skipped = await opened.compare(choice, this.report, signal);
    // First, as its table stores how it is compared.
    this.chosen = choice;
    this.compared(opened, skipped);
    return opened;
  }

  /**
   * The settings when its panel closed. Its table of pairs may have returned first, and stores them
   * later: then all is compared again.
   */
  restore({ choice = { classes: 'all' }, separatesAreas = false }: HowCompared): void {
    const isSame = JSON.stringify(storedChoice(choice)) === JSON.stringify(storedChoice(this.chosen));
    const areSeparateNow = this.areAreasSeparate;
    if (isSame && separatesAreas === areSeparateNow) return;
    this.chosen = choice;
    this.areAreasSeparate = separatesAreas;
    const { opening } = this;
    if (!opening) return;
    const { signal } = this.lifetime;
    const again = opening.then(async opened => {
      if (separatesAreas !== areSeparateNow) await opened.separateAreas(separatesAreas, this.report, signal);
      this.compared(opened, await opened.compare(choice, this.report, signal));
      return opened;
    });
    this.opening = again;
    again.catch(() => {
      if (this.opening === again) this.opening = undefined;
    });
  }

  /**
   * Makes areas with one label separate objects, or one again, and compares again. Restores all on
   * failure.
   */
  async separateAreas(separates: boolean, signal: AbortSignal): Promise<void> {
    const opened = await this.opened();
    try {
      await opened.separateAreas(separates, this.report, signal);
      this.areAreasSeparate = separates;
    } finally {
      // Rereading the masks drops the comparison. Only a closing window ends it.
      this.compared(opened, await opened.compare(this.chosen, this.report, this.lifetime.signal));
    }
  }

  /** Pairs two images, by their positions, and compares again; stores the pair. */
  async pairImages(pair: Record<ComparedSide, number>, signal: AbortSignal): Promise<OpenedComparison> {
    return await this.pairByHand(await this.opened(), [pair], signal);
  }

  /** Pairs all images of which only the hashes of their files say that they aren't the same. */
  async pairDoubtful(signal: AbortSignal): Promise<OpenedComparison> {
    const opened = await this.opened();
    return await this.pairByHand(opened, ofOtherFiles(opened.pairs.doubtful), signal);
  }

  /**
   * Undoes this window's last change of pairs of existing images, as a whole, and restores these
   * images' earlier pairs. Changes of other images stay stored, but nobody sees them now.
   */
  async undoPairing(signal: AbortSignal): Promise<OpenedComparison> {
    const opened = await this.opened();
    const action = this.lastUndoable(opened);
    if (!action) return opened;
    const paired = await this.pair(opened, actions => withoutLast(actions, action), signal);
    this.undoable = withoutLast(this.undoable ?? [], action);
    return paired;
  }

  /** Whether there is a change to undo. */
  canUndoPairing(opened: OpenedComparison): boolean {
    return this.lastUndoable(opened) !== undefined;
  }

  private lastUndoable(opened: OpenedComparison): PairingAction | undefined {
    const keyOf = ({ a, b }: PairByHand) => JSON.stringify([a, b]);
    const seen = new Set(opened.pairs.byHand.flatMap(at => this.byHand[at] ?? []).map(keyOf));
    return this.undoable?.findLast(action => action.some(pair => seen.has(keyOf(pair))));
  }

  private async pairByHand(
    opened: OpenedComparison,
    pairs: readonly ImagePair[],
    signal: AbortSignal,
  ): Promise<OpenedComparison> {
    const added = opened.keysOf(pairs);
    const paired = await this.pair(opened, actions => [...actions, added], signal);
    this.undoable = [...(this.undoable ?? []), added];
    return paired;
  }

  /** The view has another threshold. */
  setThreshold(threshold: number): void {
    if (threshold === this.at) return;
    this.at = threshold;
    this.changed();
  }

  /** The view has selected objects: their row is marked in the table. */
  select(selected: Omit<SelectedPair, 'byTable'> | null): void {
    const object = selected && this.objectOf(selected);
    void this.table?.session.get(sessionLinks).selected.setObject(object);
  }

  /** The same for an object of a side, as where it was selected beside the comparison. */
  selectObject(found: ObjectOfSide | null): void {
    const { current } = this;
    const image = found && current ? this.imageInTable(current, found.side, found.image) : -1;
    void this.table?.session
      .get(sessionLinks)
      .selected.setObject(found && image >= 0 ? { image, object: found.object } : null);
  }

  /** The selection in the table, once open. */
  get selected(): ObjectOfSide | null {
    const object = this.table?.session.get(sessionLinks).selected.object;
    return object ? this.comparedObject(object) : null;
  }

  /** How many rows match the table's filters; null without filters. */
  get filtered(): ShownPairs | null {
    const shown = this.table?.session.get(sessionRows).shown;
    return shown ? { rowCount: shown.rowCount, total: shown.total } : null;
  }

  /**
   * Per object of a side's image, 1 if its row matches the table's filters, else 0; null without
   * filters.
   */
  async shownObjects(side: ComparedSide, image: number, signal: AbortSignal): Promise<ArrayBuffer | null> {
    const shown = this.table?.session.get(sessionRows).shown;
    if (!shown) return null;
    const opened = await this.opened();
    const { filters = [] } = shown.view;
    const of = { image: this.imageInTable(opened, side, image), view: { sort: [], filters } };
    return (await opened.request('objectsInView', of, signal)).shown;
  }

  /**
   * The file of the table of pairs in the current view. Throws errors of opening masks and writing,
   * `cancelled`.
   */
  async pairsFile(signal: AbortSignal): Promise<string> {
    const opened = await untilCanceled(this.opened(), signal);
    const { threshold } = this;
    const version = this.version();
    return await this.files.get(version, path =>
      opened.request('writePairsTable', { path, threshold }, signal),
    );
  }

  /**
   * The thread, for the table of pairs: disposing of it only closes the table. Throws `cancelled`
   * while nothing is open.
   */
  engine(): Engine {
    if (!this.current) throw canceledError();
    return this.current.engineOfTable();
  }

  /** The pairs are open as a table from now on. */
  tableOpened(session: PairsTable): void {
    this.tableClosed();
    const listening = new DisposableStore();
    this.table = { session, listening };
    listening.add(
      session
        .get(sessionLinks)
        .selected.onDidChangeObject(object => this.selectEmitter.fire(object && this.comparedObject(object))),
    );
    listening.add(
      session
        .get(sessionLinks)
        .hovered.onDidChangeObject(object => this.hoverEmitter.fire(object && this.comparedObject(object))),
    );
    const filtered = () => this.filterEmitter.fire(this.filtered);
    listening.add(session.get(sessionRows).onDidChangeShown(filtered));
    // Only now it is known which objects are in the rows that are shown.
    listening.add(session.get(sessionLinks).onDidLink(filtered));
  }

  tableClosed(): void {
    if (!this.table) return;
    this.table.listening.dispose();
    this.table = undefined;
    this.following.abort();
    this.filterEmitter.fire(null);
  }

  dispose(): void {
    this.lifetime.abort();
    this.tableClosed();
    const { opening } = this;
    this.opening = undefined;
    this.current = undefined;
    // The signal cancels pending opens.
    opening?.then(
      opened => opened.dispose(),
      () => undefined,
    );
    this.files.dispose();
    this.store.dispose();
  }

  private readonly report: CompareProgress = (...progress) => this.progressEmitter.fire(progress);

  private async open(): Promise<OpenedComparison> {
    const { a, b, comparer, kept } = this.parts;
    const { signal } = this.lifetime;
    if (this.crashes > MAX_CRASHES)
      throw new CodedError('unexpected-response', 'Comparing crashed repeatedly');
    const opened = await comparer.open(
      comparable(a),
      comparable(b),
      this.report,
      signal,
      this.areAreasSeparate,
    );
    try {
      const stored = await kept.read();
      this.undoable ??= stored;
      this.byHand = pairsAfter(stored);
      if (this.byHand.length > 0) await opened.pairByHand(this.byHand);
      this.compared(opened, await opened.compare(this.chosen, this.report, signal));
      throwIfCanceled(signal);
      opened.onDidCrash(error => this.crashed(error));
      this.current = opened;
      return opened;
    } catch (error) {
      opened.dispose();
      throw error;
    }
  }

  private crashed(error: Error): void {
    this.parts.log.error('The thread of a comparison crashed', error);
    this.opening = undefined;
    this.current = undefined;
    this.crashes++;
    this.crashEmitter.fire();
  }

  /** Stores the user's changes of pairs, and compares again; restores all on failure. */
  private async pair(
    opened: OpenedComparison,
    change: (actions: readonly PairingAction[]) => readonly PairingAction[],
    signal: AbortSignal,
  ): Promise<OpenedComparison> {
    const { kept, log } = this.parts;
    let before: readonly PairingAction[] = [];
    const actions = await kept.change(stored => change((before = stored)));
    const byHand = pairsAfter(actions);
    await opened.pairByHand(byHand);
    try {
      this.compared(opened, await opened.compare(this.chosen, this.report, signal));
    } catch (error) {
      await opened.pairByHand(this.byHand);
      // What another window has paired meanwhile stays.
      await kept
        .change(stored => (isSame(stored, actions) ? before : stored))
        .catch((why: unknown) => log.warn(`Pairs of images are kept that were canceled: ${String(why)}`));
      throw error;
    }
    this.byHand = byHand;
    return opened;
  }

  private compared(opened: OpenedComparison, skipped: readonly SkippedPair[]): void {
    this.skippedPairs = skipped;
    const name = (side: ComparedSide, at: number) => opened[side].summary.images[at]?.path ?? '';
    for (const { a, b, reason } of skipped)
      this.parts.log.warn(`${name('a', a)} and ${name('b', b)} aren't compared: ${reasonForLog(reason)}`);
    this.comparisons++;
    this.changed();
  }

  /** The inputs of the table of pairs. */
  private version(): string {
    return `${this.comparisons} ${this.at}`;
  }

  /** The pairs are others: the table has them once nothing changes any more. */
  private changed(): void {
    this.following.abort();
    if (!this.table) return;
    this.following = new AbortController();
    const ended = AbortSignal.any([this.lifetime.signal, this.following.signal]);
    delay(TABLE_FOLLOWS, ended).then(
      () => {
        if (this.files.latest !== this.version()) this.table?.session.replaceObjects();
      },
      () => undefined,
    );
  }

  private objectOf({ images, a, b }: Omit<SelectedPair, 'byTable'>): ObjectRef | null {
    const { current } = this;
    if (!current) return null;
    if (a !== undefined) return { image: images.a, object: a };
    return b === undefined ? null : { image: this.imageInTable(current, 'b', images.b), object: b };
  }

  /** The table knows the images of A, followed by those of B. */
  private imageInTable(opened: OpenedComparison, side: ComparedSide, image: number): number {
    return side === 'a' ? image : opened.a.summary.images.length + image;
  }

  private comparedObject({ image, object }: ObjectRef): ObjectOfSide | null {
    const { current } = this;
    if (!current) return null;
    const { length } = current.a.summary.images;
    return image < length ? { side: 'a', image, object } : { side: 'b', image: image - length, object };
  }
}

function comparable(source: ResultSource) {
  return source instanceof FileResult ? comparableFile(source.uri) : comparableResult(source);
}

/** The files that a table of pairs was written to, in a folder that is deleted with them. */
class PairsFiles implements Disposable {
  private folder: Promise<string> | undefined;
  private written: { version: string; path: string }[] = [];
  private count = 0;

  constructor(private readonly log: Log) {}

  /** The latest written file. */
  get latest(): string | undefined {
    return this.written.at(-1)?.version;
  }

  /**
   * The file of a version, written unless it is the latest. New versions have new names: the one
   * before may still be open.
   */
  async get(version: string, write: (path: string) => Promise<unknown>): Promise<string> {
    const latest = this.written.at(-1);
    if (latest?.version === version) return latest.path;
    this.folder ??= mkdtemp(join(tmpdir(), 'image-analysis-'));
    const path = join(await this.folder, `pairs-${++this.count}.csv`);
    await write(path);
    this.written.push({ version, path });
    // The table was opened from the version before long ago.
    for (const old of this.written.splice(0, this.written.length - 2)) this.remove(old.path);
    return path;
  }

  /** Deletes all, in the background. */
  dispose(): void {
    this.folder?.then(
      folder => this.remove(folder),
      () => undefined,
    );
  }

  private remove(path: string): void {
    rm(path, { recursive: true, force: true, maxRetries: 8 }).catch((error: unknown) =>
      this.log.warn(`Couldn't delete a table of pairs: ${String(error)}`),
    );
  }
}

/** All comparisons in use: each is shared by its panel and the table of its pairs. */
export class ComparisonSessions implements Disposable {
  private readonly open = new Map<string, { session: ComparisonSession; users: number }>();

  constructor(private readonly parts: (a: ResultSource, b: ResultSource) => ComparisonSessionDependencies) {}

  /** The session of two results until it is released; a new one begins with the given settings. */
  use(a: ResultSource, b: ResultSource, how: HowCompared = {}): ComparisonSession {
    const key = keyOfComparison(a, b);
    const known = this.open.get(key) ?? { session: new ComparisonSession(this.parts(a, b), how), users: 0 };
    known.users++;
    this.open.set(key, known);
    return known.session;
  }

  release(session: ComparisonSession): void {
    const key = keyOfComparison(session.a, session.b);
    const known = this.open.get(key);
    if (known?.session !== session || --known.users > 0) return;
    this.open.delete(key);
    session.dispose();
  }

  dispose(): void {
    for (const { session } of this.open.values()) session.dispose();
    this.open.clear();
  }
}

function keyOfComparison(a: ResultSource, b: ResultSource): string {
  return `${a.key}\n${b.key}`;
}

interface PairsResultDependencies {
  /** Shows the comparison that made the pairs. */
  showOther: () => Promise<void>;
  a: ResultSource;
  b: ResultSource;
  /** Of the comparison. */
  title: string;
  sessions: ComparisonSessions;
  /** Settings of both, if the table opens before its comparison, as after a reload. */
  how?: HowCompared;
}

/** The table of the pairs of a comparison: its rows are linked to the objects of both sides. */
export class PairsResult implements ResultSource {
  readonly key: string;
  readonly isOfPairs = true;
  private session: ComparisonSession | undefined;

  constructor(private readonly parts: PairsResultDependencies) {
    this.key = `pairs:${keyOfComparison(parts.a, parts.b)}`;
  }

  get a(): ResultSource {
    return this.parts.a;
  }

  get b(): ResultSource {
    return this.parts.b;
  }

  showOther(): Promise<void> {
    return this.parts.showOther();
  }

  get title(): string {
    return this.parts.title;
  }

  /**
   * Metadata of its images is stored with the account of either side, so that sign-out removes it.
   */
  get accountId(): string | undefined {
    return this.accountIds[0];
  }

  get accountIds(): string[] {
    return [this.a.accountId, this.b.accountId].filter(id => id !== undefined);
  }

  get restore(): unknown {
    const how: HowCompared = this.session ?? this.parts.how ?? {};
    const { choice, threshold, separatesAreas } = how;
    const stored = choice && storedChoice(choice);
    return {
      kind: 'pairs',
      a: this.a.restore,
      b: this.b.restore,
      choice: stored,
      threshold,
      ...(separatesAreas && { separatesAreas }),
    };
  }

  /** Throws as ComparisonSession.pairsFile does, `not-found` for other parts than the table. */
  async path(what: ResultPart, _onProgress: unknown, signal: AbortSignal): Promise<string> {
    if (what !== 'objects' || !this.session)
      throw new CodedError('not-found', 'Not in a table of pairs', { subject: this.title });
    return await this.session.pairsFile(signal);
  }

  readonly engine = (): Engine => {
    if (!this.session) throw canceledError();
    return this.session.engine();
  };

  /** Its session begins. */
  began(table: PairsTable): void {
    const { a, b, sessions, how } = this.parts;
    this.session = sessions.use(a, b, how);
    this.session.tableOpened(table);
  }

  /** Its session is over. */
  ended(): void {
    if (!this.session) return;
    this.session.tableClosed();
    this.parts.sessions.release(this.session);
    this.session = undefined;
  }
}
