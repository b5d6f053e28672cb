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

/** Settings of a comparison, and the threshold for matches. */
export interface ComparisonSettings {
  choice?: CompareChoice;
  threshold?: number;
  /** Whether separate areas of one label in a label image are separate objects. */
  separatesAreas?: boolean;
}

/** Converts the settings of a page. */
export function compareChoice({ classes, classPairs, region }: ComparisonChoice): CompareChoice {
  return { classes, classPairs, ...(region && { region }) };
}

/** Converts settings for storage or a page; undefined until a user made a choice. */
export function storedChoice({ classes, classPairs, region }: CompareChoice): ComparisonChoice | undefined {
  return classPairs && { classes, classPairs: [...classPairs], region: region ? [...region] : null };
}

/** The valid part of settings that were saved before a reload. */
export function validSettings({
  choice,
  threshold,
  separatesAreas,
}: Partial<Record<keyof ComparisonSettings, unknown>>): ComparisonSettings {
  const { success, output } = v.safeParse(comparisonChoice, choice);
  return {
    ...(success && { choice: compareChoice(output) }),
    ...(typeof threshold === 'number' && thresholdOf(threshold) !== undefined && { threshold }),
    ...(separatesAreas === true && { separatesAreas }),
  };
}

/** The parts of the pairs table's session that are used here. */
type PairsTable = Pick<ResultSession, 'get' | 'replaceObjects'>;

interface ComparisonSessionDependencies {
  a: ResultSource;
  b: ResultSource;
  comparer: MasksComparer;
  pairStore: PairStore;
  log: Log;
}

/** Removes the last of the actions that equals `action`. */
function withoutLast(actions: readonly PairingAction[], action: PairingAction): readonly PairingAction[] {
  const index = actions.findLastIndex(candidate => isSame(candidate, action));
  return index < 0 ? actions : actions.toSpliced(index, 1);
}

/** Maximum number of crashes after which a comparison reopens by itself. */
const MAX_CRASHES = 2;

/** Milliseconds without a change of the threshold before the pairs table is updated. */
const TABLE_DELAY = 400;

/**
 * A comparison of two sets of masks, for its panel and its pairs table. The masks are opened on
 * first use, in a thread that ends with the session. The table opens in the same thread, so that
 * rows can be linked to objects of both sides. It is written again when the pairs of the view
 * change.
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
  private settings: CompareChoice;
  /** The user's pairs of images. */
  private userPairs: readonly PairByHand[] = [];
  /** Stored changes that this window may undo: none that other windows made since it opened. */
  private undoable: readonly PairingAction[] | undefined;
  private skippedPairs: readonly SkippedPair[] = [];
  private currentThreshold: number;
  private areasAreSeparate: boolean;
  /** Counts comparisons. */
  private comparisons = 0;
  private readonly tableFiles: PairsFiles;
  private table: { session: PairsTable; listeners: DisposableStore } | undefined;
  private tableUpdate = new AbortController();

  constructor(
    private readonly dependencies: ComparisonSessionDependencies,
    { choice = { classes: 'all' }, threshold = 0.5, separatesAreas = false }: ComparisonSettings = {},
  ) {
    this.settings = choice;
    this.areasAreSeparate = separatesAreas;
    this.currentThreshold = threshold;
    this.tableFiles = new PairsFiles(dependencies.log);
  }

  get a(): ResultSource {
    return this.dependencies.a;
  }

  get b(): ResultSource {
    return this.dependencies.b;
  }

  get choice(): CompareChoice {
    return this.settings;
  }

  /** Whether separate areas of one label in a label image are separate objects. */
  get separatesAreas(): boolean {
    return this.areasAreSeparate;
  }

  /** Pairs of images that couldn't be compared. */
  get skipped(): readonly SkippedPair[] {
    return this.skippedPairs;
  }

  get threshold(): number {
    return this.currentThreshold;
  }

  get onDidProgress(): Event<Parameters<CompareProgress>> {
    return this.progressEmitter.event;
  }

  /** Fires when everything was closed by a crash; it reopens on demand. */
  get onDidCrash(): Event<void> {
    return this.crashEmitter.event;
  }

  /** Fires when a row is selected in the pairs table. */
  get onDidSelect(): Event<ObjectOfSide | null> {
    return this.selectEmitter.event;
  }

  /** Fires when a row of the pairs table is hovered. */
  get onDidHover(): Event<ObjectOfSide | null> {
    return this.hoverEmitter.event;
  }

  /** Fires when the table's filters change; null without filters. */
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

  /** The comparison if it is open now. */
  get openedNow(): OpenedComparison | undefined {
    return this.current;
  }

  /** Resets the count of crashes, as the user retries. */
  resetCrashes(): void {
    this.crashes = 0;
  }

  /** Compares all images with other settings. After a failure, the earlier settings apply. */
  async compareAgain(choice: CompareChoice, signal: AbortSignal): Promise<OpenedComparison> {
    const opened = await this.opened();
    const skipped = await opened.compare(choice, this.reportProgress, signal);
    // Set before the table is notified, which stores it.
    this.settings = choice;
    this.onCompared(opened, skipped);
    return opened;
  }

  /**
   * Restores the settings of a reopened panel. If the pairs table was restored before it,
   * everything is compared again.
   */
  restore({ choice = { classes: 'all' }, separatesAreas = false }: ComparisonSettings): void {
    const isSameChoice = JSON.stringify(storedChoice(choice)) === JSON.stringify(storedChoice(this.settings));
    const wereSeparate = this.areasAreSeparate;
    if (isSameChoice && separatesAreas === wereSeparate) return;
    this.settings = choice;
    this.areasAreSeparate = separatesAreas;
    const { opening } = this;
    if (!opening) return;
    const { signal } = this.lifetime;
    const reopening = opening.then(async opened => {
      if (separatesAreas !== wereSeparate)
        await opened.separateAreas(separatesAreas, this.reportProgress, signal);
      this.onCompared(opened, await opened.compare(choice, this.reportProgress, signal));
      return opened;
    });
    this.opening = reopening;
    reopening.catch(() => {
      if (this.opening === reopening) this.opening = undefined;
    });
  }

  /**
   * Sets whether separate areas of one label are separate objects, and compares again. After a
   * failure, the earlier setting applies.
   */
  async separateAreas(separates: boolean, signal: AbortSignal): Promise<void> {
    const opened = await this.opened();
    try {
      await opened.separateAreas(separates, this.reportProgress, signal);
      this.areasAreSeparate = separates;
    } finally {
      // Rereading the masks drops the comparison, so only the end of the session cancels this one.
      this.onCompared(opened, await opened.compare(this.settings, this.reportProgress, this.lifetime.signal));
    }
  }

  /** Pairs two images by position, stores the pair and compares again. */
  async pairImages(pair: Record<ComparedSide, number>, signal: AbortSignal): Promise<OpenedComparison> {
    return await this.pairByHand(await this.opened(), [pair], signal);
  }

  /** Pairs all images that only differ by the hashes of their files. */
  async pairDoubtful(signal: AbortSignal): Promise<OpenedComparison> {
    const opened = await this.opened();
    return await this.pairByHand(opened, ofOtherFiles(opened.pairs.doubtful), signal);
  }

  /**
   * Undoes this window's last change of pairs as a whole, and restores the earlier pairs. Changes
   * of images that don't exist in these results are skipped, and stay stored.
   */
  async undoPairing(signal: AbortSignal): Promise<OpenedComparison> {
    const opened = await this.opened();
    const action = this.lastUndoable(opened);
    if (!action) return opened;
    const paired = await this.changePairs(opened, actions => withoutLast(actions, action), signal);
    this.undoable = withoutLast(this.undoable ?? [], action);
    return paired;
  }

  /** Whether there is a change to undo. */
  canUndoPairing(opened: OpenedComparison): boolean {
    return this.lastUndoable(opened) !== undefined;
  }

  private lastUndoable(opened: OpenedComparison): PairingAction | undefined {
    const keyOf = ({ a, b }: PairByHand) => JSON.stringify([a, b]);
    const visiblePairs = new Set(
      opened.pairs.byHand.flatMap(position => this.userPairs[position] ?? []).map(keyOf),
    );
    return this.undoable?.findLast(action => action.some(pair => visiblePairs.has(keyOf(pair))));
  }

  private async pairByHand(
    opened: OpenedComparison,
    pairs: readonly ImagePair[],
    signal: AbortSignal,
  ): Promise<OpenedComparison> {
    const added = opened.keysOf(pairs);
    const paired = await this.changePairs(opened, actions => [...actions, added], signal);
    this.undoable = [...(this.undoable ?? []), added];
    return paired;
  }

  /** Sets the threshold of the view. */
  setThreshold(threshold: number): void {
    if (threshold === this.currentThreshold) return;
    this.currentThreshold = threshold;
    this.scheduleTableUpdate();
  }

  /** Marks the row of the view's selected objects in the table. */
  select(selected: Omit<SelectedPair, 'byTable'> | null): void {
    const object = selected && this.objectOf(selected);
    void this.table?.session.get(sessionLinks).selected.setObject(object);
  }

  /** Marks the row of an object, selected outside the comparison. */
  selectObject(object: ObjectOfSide | null): void {
    const { current } = this;
    const image = object && current ? this.imageInTable(current, object.side, object.image) : -1;
    void this.table?.session
      .get(sessionLinks)
      .selected.setObject(object && image >= 0 ? { image, object: object.object } : null);
  }

  /** The object selected in the table, if it is open. */
  get selected(): ObjectOfSide | null {
    const object = this.table?.session.get(sessionLinks).selected.object;
    return object ? this.comparedObject(object) : null;
  }

  /** Number of rows that match the table's filters; null without filters. */
  get filtered(): ShownPairs | null {
    const shown = this.table?.session.get(sessionRows).shown;
    return shown ? { rowCount: shown.rowCount, total: shown.total } : null;
  }

  /**
   * A byte for each object of a side's image: 1 if its row matches the table's filters, else 0.
   * Null without filters.
   */
  async shownObjects(side: ComparedSide, image: number, signal: AbortSignal): Promise<ArrayBuffer | null> {
    const shown = this.table?.session.get(sessionRows).shown;
    if (!shown) return null;
    const opened = await this.opened();
    const { filters = [] } = shown.view;
    const params = { image: this.imageInTable(opened, side, image), view: { sort: [], filters } };
    return (await opened.request('objectsInView', params, signal)).shown;
  }

  /**
   * The file with the pairs of the current view. Throws errors of opening masks and of writing, and
   * `cancelled`.
   */
  async pairsFile(signal: AbortSignal): Promise<string> {
    const opened = await untilCanceled(this.opened(), signal);
    const { threshold } = this;
    const version = this.version();
    return await this.tableFiles.get(version, path =>
      opened.request('writePairsTable', { path, threshold }, signal),
    );
  }

  /**
   * The thread for the pairs table; disposing of it only closes the table. Throws `cancelled` if
   * nothing is open.
   */
  engine(): Engine {
    if (!this.current) throw canceledError();
    return this.current.engineOfTable();
  }

  /** Follows the selection and filters of a pairs table that was opened. */
  tableOpened(session: PairsTable): void {
    this.tableClosed();
    const listeners = new DisposableStore();
    this.table = { session, listeners };
    listeners.add(
      session
        .get(sessionLinks)
        .selected.onDidChangeObject(object => this.selectEmitter.fire(object && this.comparedObject(object))),
    );
    listeners.add(
      session
        .get(sessionLinks)
        .hovered.onDidChangeObject(object => this.hoverEmitter.fire(object && this.comparedObject(object))),
    );
    const notify = () => this.filterEmitter.fire(this.filtered);
    listeners.add(session.get(sessionRows).onDidChangeShown(notify));
    // The links show which objects the shown rows have.
    listeners.add(session.get(sessionLinks).onDidLink(notify));
  }

  tableClosed(): void {
    if (!this.table) return;
    this.table.listeners.dispose();
    this.table = undefined;
    this.tableUpdate.abort();
    this.filterEmitter.fire(null);
  }

  dispose(): void {
    this.lifetime.abort();
    this.tableClosed();
    const { opening } = this;
    this.opening = undefined;
    this.current = undefined;
    // The signal cancels an opening in progress.
    opening?.then(
      opened => opened.dispose(),
      () => undefined,
    );
    this.tableFiles.dispose();
    this.store.dispose();
  }

  private readonly reportProgress: CompareProgress = (...progress) => this.progressEmitter.fire(progress);

  private async open(): Promise<OpenedComparison> {
    const { a, b, comparer, pairStore } = this.dependencies;
    const { signal } = this.lifetime;
    if (this.crashes > MAX_CRASHES)
      throw new CodedError('unexpected-response', 'Comparing crashed repeatedly');
    const opened = await comparer.open(
      comparable(a),
      comparable(b),
      this.reportProgress,
      signal,
      this.areasAreSeparate,
    );
    try {
      const stored = await pairStore.read();
      this.undoable ??= stored;
      this.userPairs = pairsAfter(stored);
      if (this.userPairs.length > 0) await opened.pairByHand(this.userPairs);
      this.onCompared(opened, await opened.compare(this.settings, this.reportProgress, signal));
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
    this.dependencies.log.error('The thread of a comparison crashed', error);
    this.opening = undefined;
    this.current = undefined;
    this.crashes++;
    this.crashEmitter.fire();
  }

  /**
   * Stores the user's changes of pairs, and compares again; restores the earlier pairs after a
   * failure.
   */
  private async changePairs(
    opened: OpenedComparison,
    change: (actions: readonly PairingAction[]) => readonly PairingAction[],
    signal: AbortSignal,
  ): Promise<OpenedComparison> {
    const { pairStore, log } = this.dependencies;
    let actionsBefore: readonly PairingAction[] = [];
    const actions = await pairStore.change(stored => change((actionsBefore = stored)));
    const byHand = pairsAfter(actions);
    await opened.pairByHand(byHand);
    try {
      this.onCompared(opened, await opened.compare(this.settings, this.reportProgress, signal));
    } catch (error) {
      await opened.pairByHand(this.userPairs);
      // Pairs that another window changed in the meantime stay.
      await pairStore
        .change(stored => (isSame(stored, actions) ? actionsBefore : stored))
        .catch((storeError: unknown) =>
          log.warn(`Pairs of images are kept that were canceled: ${String(storeError)}`),
        );
      throw error;
    }
    this.userPairs = byHand;
    return opened;
  }

  private onCompared(opened: OpenedComparison, skipped: readonly SkippedPair[]): void {
    this.skippedPairs = skipped;
    const pathOf = (side: ComparedSide, position: number) =>
      opened[side].summary.images[position]?.path ?? '';
    for (const { a, b, reason } of skipped)
      this.dependencies.log.warn(
        `${pathOf('a', a)} and ${pathOf('b', b)} aren't compared: ${reasonForLog(reason)}`,
      );
    this.comparisons++;
    this.scheduleTableUpdate();
  }

  /** Identifies the content of the pairs table. */
  private version(): string {
    return `${this.comparisons} ${this.currentThreshold}`;
  }

  /** Updates the pairs table once the threshold stays the same for a while. */
  private scheduleTableUpdate(): void {
    this.tableUpdate.abort();
    if (!this.table) return;
    this.tableUpdate = new AbortController();
    const abortSignal = AbortSignal.any([this.lifetime.signal, this.tableUpdate.signal]);
    delay(TABLE_DELAY, abortSignal).then(
      () => {
        if (this.tableFiles.latest !== this.version()) this.table?.session.replaceObjects();
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

  /** The table lists the images of A, then those of B. */
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

/** The files with pairs tables, in a temporary folder that is deleted at the end. */
class PairsFiles implements Disposable {
  private folder: Promise<string> | undefined;
  private writtenFiles: { version: string; path: string }[] = [];
  private count = 0;

  constructor(private readonly log: Log) {}

  /** Version of the latest file. */
  get latest(): string | undefined {
    return this.writtenFiles.at(-1)?.version;
  }

  /**
   * The file of a version; written unless it is the latest. Each version has a new file, as the
   * earlier one may still be open.
   */
  async get(version: string, write: (path: string) => Promise<unknown>): Promise<string> {
    const latest = this.writtenFiles.at(-1);
    if (latest?.version === version) return latest.path;
    this.folder ??= mkdtemp(join(tmpdir(), 'image-analysis-'));
    const path = join(await this.folder, `pairs-${++this.count}.csv`);
    await write(path);
    this.writtenFiles.push({ version, path });
    // The table no longer reads earlier files.
    for (const old of this.writtenFiles.splice(0, this.writtenFiles.length - 2)) this.remove(old.path);
    return path;
  }

  /** Deletes all files, in the background. */
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

/** All comparisons in use; a panel and its pairs table share one. */
export class ComparisonSessions implements Disposable {
  private readonly open = new Map<string, { session: ComparisonSession; users: number }>();

  constructor(
    private readonly dependenciesOf: (a: ResultSource, b: ResultSource) => ComparisonSessionDependencies,
  ) {}

  /** The session of two results, for one more user; a new one starts with the given settings. */
  use(a: ResultSource, b: ResultSource, settings: ComparisonSettings = {}): ComparisonSession {
    const key = keyOfComparison(a, b);
    const entry = this.open.get(key) ?? {
      session: new ComparisonSession(this.dependenciesOf(a, b), settings),
      users: 0,
    };
    entry.users++;
    this.open.set(key, entry);
    return entry.session;
  }

  release(session: ComparisonSession): void {
    const key = keyOfComparison(session.a, session.b);
    const entry = this.open.get(key);
    if (entry?.session !== session || --entry.users > 0) return;
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
  /** Shows the comparison of these pairs. */
  showOther: () => Promise<void>;
  a: ResultSource;
  b: ResultSource;
  /** Title of the comparison. */
  title: string;
  sessions: ComparisonSessions;
  /** Settings of the comparison, if the table opens before it, as after a reload. */
  settings?: ComparisonSettings;
}

/** The table of the pairs of a comparison: its rows are linked to the objects of both sides. */
export class PairsResult implements ResultSource {
  readonly key: string;
  readonly isOfPairs = true;
  private session: ComparisonSession | undefined;

  constructor(private readonly dependencies: PairsResultDependencies) {
    this.key = `pairs:${keyOfComparison(dependencies.a, dependencies.b)}`;
  }

  get a(): ResultSource {
    return this.dependencies.a;
  }

  get b(): ResultSource {
    return this.dependencies.b;
  }

  showOther(): Promise<void> {
    return this.dependencies.showOther();
  }

  get title(): string {
    return this.dependencies.title;
  }

  /**
   * The stored metadata of its images belongs to an account of one side, so that signing out
   * removes it.
   */
  get accountId(): string | undefined {
    return this.accountIds[0];
  }

  get accountIds(): string[] {
    return [this.a.accountId, this.b.accountId].filter(id => id !== undefined);
  }

  get restore(): unknown {
    const settings: ComparisonSettings = this.session ?? this.dependencies.settings ?? {};
    const { choice, threshold, separatesAreas } = settings;
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

  /** Throws like ComparisonSession.pairsFile; `not-found` for parts other than the table. */
  async path(part: ResultPart, _onProgress: unknown, signal: AbortSignal): Promise<string> {
    if (part !== 'objects' || !this.session)
      throw new CodedError('not-found', 'Not in a table of pairs', { subject: this.title });
    return await this.session.pairsFile(signal);
  }

  readonly engine = (): Engine => {
    if (!this.session) throw canceledError();
    return this.session.engine();
  };

  /** Uses the comparison while the table's session exists. */
  began(table: PairsTable): void {
    const { a, b, sessions, settings } = this.dependencies;
    this.session = sessions.use(a, b, settings);
    this.session.tableOpened(table);
  }

  /** Releases the comparison at the end of the table's session. */
  ended(): void {
    if (!this.session) return;
    this.session.tableClosed();
    this.dependencies.sessions.release(this.session);
    this.session = undefined;
  }
}
