import type { AnalyzedItem, LinkedByHand } from '../../archives/imageIdentity';
import { createHash } from 'node:crypto';
import type { Disposable } from '../../base/disposable';
import { isCoded, throwIfCanceled } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { type LocatedObject, type ImagePath, type ObjectRef, sameObject } from '../../archives/masksSummary';
import type { ImageLink, LinkColumns, LinkParams, LinkReport } from '../rowLinks';
import type { StoredLinks } from './storedLinks';
import { PartKey } from '../../base/parts';
import type { EngineRequest, SessionLog } from '../../session/node/sessionEngine';

interface SessionLinksOptions {
  areMasksOpen: () => boolean;
  /** Whether opening the objects table now would measure it. */
  wouldMeasure: (signal: AbortSignal) => Promise<boolean>;
  openTable: (signal: AbortSignal) => Promise<unknown>;
  /**
   * Resolves once all rows of the open objects table are read. Rejects with the error if reading
   * ends early, and with `cancelled`.
   */
  whenTableRead: (signal: AbortSignal) => Promise<void>;
  request: EngineRequest;
  /** Evidence besides the files: analyzed images and the user's links. */
  evidence: Pick<LinkEvidence, 'params' | 'withChangeNote' | 'setColumns'>;
  /** Called with the paths of images that share names, before rows count as linked. */
  onPaths: (paths: readonly ImagePath[]) => void;
  /** Aborts when the session ends. */
  signal: AbortSignal;
  log: SessionLog;
}

/** The links of rows and objects, with the hovered and the selected object of table and masks. */
export class SessionLinks implements Disposable {
  readonly hovered: LinkedMark;
  readonly selected: LinkedMark;
  private readonly linkEmitter = new Emitter<LinkReport>();
  private latestReport: LinkReport | undefined;
  private linking: Promise<void> = Promise.resolve();
  private isLinking = false;
  private isTableOpen = false;
  /** Counts how often the objects table was opened. */
  private openings = 0;

  constructor(private readonly options: SessionLinksOptions) {
    const { request, log } = options;
    const counterparts: Counterparts = {
      areLinked: () => this.latestReport !== undefined,
      objectOfRow: async row => (this.latestReport ? (await request('objectOfRow', { row })).object : null),
      rowOfObject: async object => (this.latestReport ? (await request('rowOfObject', object)).row : null),
    };
    const onMarkError = (error: unknown) => log.info('Following a mark', error);
    this.hovered = new LinkedMark(counterparts, onMarkError);
    this.selected = new LinkedMark(counterparts, onMarkError);
  }

  /** The report of the last linking; undefined before the first. */
  get report(): LinkReport | undefined {
    return this.latestReport;
  }

  get onDidLink(): Event<LinkReport> {
    return this.linkEmitter.event;
  }

  /** Resolves once the current linking has ended. */
  settled(): Promise<void> {
    return this.linking;
  }

  /** Links rows, as the objects table is open now. */
  tableOpened(): void {
    this.isTableOpen = true;
    this.openings++;
    if (this.options.areMasksOpen() && !this.isLinking) this.linkLater();
  }

  /** Links rows, as the masks are open now; opens the objects table for that. */
  masksOpened(): void {
    this.linkLater();
  }

  /**
   * Links by columns that a user selected, and stores them with the result; null removes them.
   * Undefined if no masks are open.
   */
  async relink(columns: LinkColumns | null): Promise<LinkReport | undefined> {
    await this.options.evidence.setColumns(columns ?? undefined);
    return this.linkAgain();
  }

  /** Links again by the stored links of the user. Undefined if no masks are open. */
  async linkAgain(): Promise<LinkReport | undefined> {
    await this.linkNext();
    return this.latestReport;
  }

  /** Resets the links, since another objects table will open. */
  objectsReplaced(): void {
    this.hovered.tableChanged();
    this.selected.tableChanged();
    this.engineLost();
  }

  /** Resets the links after a crash of the engine: nothing is open. */
  engineLost(): void {
    this.isTableOpen = false;
    this.latestReport = undefined;
  }

  dispose(): void {
    this.hovered.dispose();
    this.selected.dispose();
    this.linkEmitter.dispose();
  }

  private linkLater(): void {
    this.linkNext().catch((error: unknown) => this.options.log.info('Linking rows', error));
  }

  /** Links after the running linking has ended: the last of two at once would win by chance. */
  private linkNext(): Promise<void> {
    const next = this.linking.then(() => this.link());
    this.linking = next.catch(() => undefined);
    return next;
  }

  /** Links the rows of the objects table, if there is one. */
  private async link(): Promise<void> {
    const { areMasksOpen, signal } = this.options;
    throwIfCanceled(signal);
    if (!areMasksOpen()) return;
    let report: LinkReport | undefined;
    this.isLinking = true;
    try {
      if (await this.hasTable()) report = await this.linkOpenTable();
    } finally {
      this.isLinking = false;
    }
    if (!report) return;
    this.latestReport = report;
    this.linkEmitter.fire(report);
    await Promise.all([this.hovered.linked(), this.selected.linked()]);
  }

  /** Opens the objects table, unless it would have to be measured. Returns whether it is open. */
  private async hasTable(): Promise<boolean> {
    const { wouldMeasure, openTable, signal } = this.options;
    if (this.isTableOpen) return true;
    // The user may have opened it in the meantime.
    if (await wouldMeasure(signal)) return this.isTableOpen;
    await openTable(signal);
    return true;
  }

  /** Links the rows of the latest open table; undefined if another table will open. */
  private async linkOpenTable(): Promise<LinkReport | undefined> {
    const { whenTableRead, request, signal } = this.options;
    for (;;) {
      await whenTableRead(signal).catch((error: unknown) => {
        // If reading ended early, the rows so far are shown and linked.
        if (isCoded(error, 'cancelled')) throw error;
      });
      const { openings } = this;
      try {
        const report = await request('linkRows', await this.options.evidence.params(), signal);
        if (openings !== this.openings) continue;
        if (!this.isTableOpen) return undefined;
        const { paths } = await request('imagePaths', {}, signal);
        this.options.onPaths(paths);
        return await this.options.evidence.withChangeNote(report, paths);
      } catch (error) {
        // The table was reopened: the error is about the closed one.
        if (openings === this.openings) throw error;
      }
    }
  }
}

export const sessionLinks = new PartKey<SessionLinks>('links');

/** Finds the counterpart of a row or an object; null if nothing is linked. */
interface Counterparts {
  areLinked(): boolean;
  objectOfRow(row: number): Promise<LocatedObject | null>;
  rowOfObject(object: ObjectRef): Promise<number | null>;
}

/**
 * The hovered or the selected object, shared by the table and the masks; the latest change wins.
 * Both sides restore saved states: the first one leads, until a user sets another. The second one
 * keeps its state until links show whether both are the same.
 */
class LinkedMark implements Disposable {
  private currentRow: number | null = null;
  private currentObject: ObjectRef | null = null;
  /** Whether the table set it last; the masks follow then. */
  private isSetByTable = true;
  /**
   * `unset`: nobody has set it; `restored`: from a saved state; `set`: by a user, or confirmed by
   * links.
   */
  private origin: 'unset' | 'restored' | 'set' = 'unset';
  private changes = 0;
  private readonly rowEmitter = new Emitter<number | null>();
  private readonly objectEmitter = new Emitter<LocatedObject | null>();
  private readonly markEmitter = new Emitter<ObjectRef | null>();

  constructor(
    private readonly counterparts: Counterparts,
    private readonly onError: (error: unknown) => void,
  ) {}

  get row(): number | null {
    return this.currentRow;
  }

  get object(): ObjectRef | null {
    return this.currentObject;
  }

  /** Whether saved states are outdated: the mark was set or cleared since. */
  get isSet(): boolean {
    return this.origin === 'set';
  }

  /** Fires when the masks set the mark: the table must follow. */
  get onDidChangeRow(): Event<number | null> {
    return this.rowEmitter.event;
  }

  /** Fires when the table set the mark: the masks must follow. */
  get onDidChangeObject(): Event<LocatedObject | null> {
    return this.objectEmitter.event;
  }

  /**
   * Fires when the mark moves or is cleared, for views besides table and masks. Saved states don't
   * fire it: table and masks restore them.
   */
  get onDidMark(): Event<ObjectRef | null> {
    return this.markEmitter.event;
  }

  /** The table sets the mark. */
  setRow(row: number | null): Promise<void> {
    this.currentRow = row;
    this.isSetByTable = true;
    this.origin = 'set';
    return this.followRow();
  }

  /** The masks set the mark. */
  setObject(object: ObjectRef | null): Promise<void> {
    const isSame = sameObject(this.currentObject, object);
    this.currentObject = object;
    this.isSetByTable = false;
    this.origin = 'set';
    if (!isSame) this.markEmitter.fire(object);
    return this.followObject();
  }

  /** The table restores its saved state. If that is outdated, the table gets the current mark. */
  async restoreRow(row: number): Promise<void> {
    if (this.origin === 'set') {
      if (row !== this.currentRow) this.rowEmitter.fire(this.currentRow);
    } else if (this.origin === 'restored' && !this.isSetByTable) this.currentRow ??= row;
    else {
      this.currentRow = row;
      this.isSetByTable = true;
      this.origin = 'restored';
      if (this.counterparts.areLinked()) await this.linked();
    }
  }

  /** The masks restore their saved state. If that is outdated, they get the current mark. */
  async restoreObject(object: ObjectRef): Promise<void> {
    if (this.origin === 'set') {
      if (!sameObject(object, this.currentObject)) this.objectEmitter.fire(this.currentObject);
    } else if (this.origin === 'restored' && this.isSetByTable) this.currentObject ??= object;
    else {
      this.currentObject = object;
      this.isSetByTable = false;
      this.origin = 'restored';
      if (this.counterparts.areLinked()) await this.linked();
    }
  }

  /** Another view, such as a comparison, sets the mark: table and masks follow. */
  async show(object: ObjectRef): Promise<void> {
    const isSame = sameObject(this.currentObject, object);
    await this.setObject(object);
    if (!isSame) this.objectEmitter.fire(object);
  }

  /** Rows were linked, perhaps by other columns: the counterpart is searched again. */
  async linked(): Promise<void> {
    await (this.isSetByTable ? this.followRow() : this.followObject());
    if (this.origin === 'restored') this.origin = 'set';
  }

  /** The table changed: the object stays marked, and its new row is found once rows are linked. */
  tableChanged(): void {
    this.changes++;
    this.currentRow = null;
    this.isSetByTable = false;
    // A saved row is of the earlier table.
    if (this.origin === 'restored') this.origin = 'set';
  }

  dispose(): void {
    this.changes++;
    this.rowEmitter.dispose();
    this.objectEmitter.dispose();
    this.markEmitter.dispose();
  }

  private followRow(): Promise<void> {
    const row = this.currentRow;
    return this.follow(
      () => (row === null ? Promise.resolve(null) : this.counterparts.objectOfRow(row)),
      located => {
        if (sameObject(this.currentObject, located)) return;
        this.currentObject = located && { image: located.image, object: located.object };
        this.objectEmitter.fire(located);
        if (this.origin !== 'restored') this.markEmitter.fire(this.currentObject);
      },
    );
  }

  private followObject(): Promise<void> {
    const object = this.currentObject;
    return this.follow(
      () => (object === null ? Promise.resolve(null) : this.counterparts.rowOfObject(object)),
      row => {
        if (this.currentRow === row) return;
        this.currentRow = row;
        this.rowEmitter.fire(row);
      },
    );
  }

  private async follow<T>(find: () => Promise<T>, apply: (counterpart: T) => void): Promise<void> {
    const change = ++this.changes;
    try {
      const counterpart = await find();
      if (change === this.changes) apply(counterpart);
    } catch (error) {
      this.onError(error);
    }
  }
}

interface LinkEvidenceOptions {
  /** All analyzed images; undefined if some are unknown. */
  items: () => Promise<readonly AnalyzedItem[] | undefined>;
  store: StoredLinks;
}

/** Evidence for links besides the files: analyzed images, and the user's links. */
export class LinkEvidence {
  private latestByHand: readonly LinkedByHand[] = [];

  constructor(private readonly options: LinkEvidenceOptions) {}

  /** The user's links, as of the last linking. */
  get byHand(): readonly LinkedByHand[] {
    return this.latestByHand;
  }

  /** The evidence to link rows with. */
  async params(): Promise<LinkParams> {
    const { items, store: linkStore } = this.options;
    const [analyzed, byHand, columns] = await Promise.all([items(), linkStore.byHand(), linkStore.columns()]);
    this.latestByHand = byHand;
    return {
      ...(analyzed && { items: analyzed }),
      ...(byHand.length > 0 && { byHand }),
      ...(columns && { columns }),
    };
  }

  /** Stores the columns that a user selected; undefined removes them. */
  setColumns(columns: LinkColumns | undefined): Promise<void> {
    return this.options.store.setColumns(columns);
  }

  /** Links images, or unlinks those without a path. A path or an image has only its latest link. */
  async change(links: readonly ImageLink[]): Promise<void> {
    const { store: linkStore } = this.options;
    const earlier = await linkStore.byHand();
    const added = links.flatMap(({ image, path }) => (path === null ? [] : [{ image, path }]));
    const images = new Set(links.map(({ image }) => image));
    const paths = new Set(added.map(({ path }) => path));
    const unaffected = earlier.filter(({ image, path }) => !images.has(image) && !paths.has(path));
    await linkStore.setByHand([...unaffected, ...added]);
  }

  /**
   * The report, with a note if images of equal names were linked differently at an earlier visit;
   * the note comes once.
   */
  async withChangeNote(report: LinkReport, paths: readonly ImagePath[]): Promise<LinkReport> {
    if (!report.sameNames) return report;
    const { store: linkStore } = this.options;
    const byHand = digestOf(this.latestByHand);
    const digest = `${byHand} ${digestOf(paths.map(({ image, path }) => ({ image, path })))}`;
    const lastDigest = await linkStore.last();
    if (lastDigest === digest) return report;
    await linkStore.setLast(digest);
    // A user who changed links knows of the change.
    const isChanged = lastDigest?.startsWith(`${byHand} `) === true;
    return isChanged ? { ...report, sameNames: { ...report.sameNames, differsFromBefore: true } } : report;
  }
}

function digestOf(links: unknown): string {
  return createHash('sha256').update(JSON.stringify(links)).digest('hex').slice(0, 16);
}
