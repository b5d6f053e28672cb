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
   * Resolves once all rows of the open objects table are read; rejects with an early end's error,
   * or `cancelled`.
   */
  whenTableRead: (signal: AbortSignal) => Promise<void>;
  request: EngineRequest;
  /** Metadata of images besides the files. */
  images: Pick<KnownImages, 'known' | 'compared' | 'setColumns'>;
  /** Called with the paths of images that share names, before rows count as linked. */
  onPaths: (paths: readonly ImagePath[]) => void;
  /** Aborts when the session ends. */
  signal: AbortSignal;
  log: SessionLog;
}

/** The links of rows and objects, and the hovered and the selected object on both sides. */
export class SessionLinks implements Disposable {
  readonly hovered: LinkedMark;
  readonly selected: LinkedMark;
  private readonly linkEmitter = new Emitter<LinkReport>();
  private latest: LinkReport | undefined;
  private linking: Promise<void> = Promise.resolve();
  private isLinking = false;
  private isTableOpen = false;
  /** How often the objects table was opened. */
  private openings = 0;

  constructor(private readonly options: SessionLinksOptions) {
    const { request, log } = options;
    const counterparts: Counterparts = {
      areLinked: () => this.latest !== undefined,
      objectOfRow: async row => (this.latest ? (await request('objectOfRow', { row })).object : null),
      rowOfObject: async object => (this.latest ? (await request('rowOfObject', object)).row : null),
    };
    const onMarkError = (error: unknown) => log.info('Following a mark', error);
    this.hovered = new LinkedMark(counterparts, onMarkError);
    this.selected = new LinkedMark(counterparts, onMarkError);
  }

  /** How rows were matched; undefined while nothing is linked. */
  get report(): LinkReport | undefined {
    return this.latest;
  }

  get onDidLink(): Event<LinkReport> {
    return this.linkEmitter.event;
  }

  /** Resolves once rows and objects are linked, or will not be for now. */
  settled(): Promise<void> {
    return this.linking;
  }

  /** The objects table is open. */
  tableOpened(): void {
    this.isTableOpen = true;
    this.openings++;
    if (this.options.areMasksOpen() && !this.isLinking) this.linkLater();
  }

  /** The masks are open; the objects table is opened, to link its rows. */
  masksOpened(): void {
    this.linkLater();
  }

  /**
   * Links by a user's columns, which are stored with the result; null undoes that. Undefined
   * without open masks.
   */
  async relink(columns: LinkColumns | null): Promise<LinkReport | undefined> {
    await this.options.images.setColumns(columns ?? undefined);
    return this.linkAgain();
  }

  /** Links by the user's latest links. Undefined without open masks. */
  async linkAgain(): Promise<LinkReport | undefined> {
    await this.linkNext();
    return this.latest;
  }

  /** Another objects table is used from now on; it isn't open yet. */
  objectsReplaced(): void {
    this.hovered.tableChanged();
    this.selected.tableChanged();
    this.engineLost();
  }

  /** The engine crashed: nothing is open or linked. */
  engineLost(): void {
    this.isTableOpen = false;
    this.latest = undefined;
  }

  dispose(): void {
    this.hovered.dispose();
    this.selected.dispose();
    this.linkEmitter.dispose();
  }

  private linkLater(): void {
    this.linkNext().catch((error: unknown) => this.options.log.info('Linking rows', error));
  }

  /** Links after the running link has ended: of two at once, the last to end would win. */
  private linkNext(): Promise<void> {
    const next = this.linking.then(() => this.link());
    this.linking = next.catch(() => undefined);
    return next;
  }

  /** Without an objects table nothing is linked. */
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
    this.latest = report;
    this.linkEmitter.fire(report);
    await Promise.all([this.hovered.linked(), this.selected.linked()]);
  }

  /** Opens the objects table without measuring it. Returns whether it is open then. */
  private async hasTable(): Promise<boolean> {
    const { wouldMeasure, openTable, signal } = this.options;
    if (this.isTableOpen) return true;
    // It may have been wanted, and opened, while that was found out.
    if (await wouldMeasure(signal)) return this.isTableOpen;
    await openTable(signal);
    return true;
  }

  /** Links the rows of the table that is open in the end; undefined if another one is to open. */
  private async linkOpenTable(): Promise<LinkReport | undefined> {
    const { whenTableRead, request, signal } = this.options;
    for (;;) {
      await whenTableRead(signal).catch((error: unknown) => {
        // Where reading ended early, the rows that were read by then are shown, and linked.
        if (isCoded(error, 'cancelled')) throw error;
      });
      const { openings } = this;
      try {
        const report = await request('linkRows', await this.options.images.known(), signal);
        if (openings !== this.openings) continue;
        if (!this.isTableOpen) return undefined;
        const { paths } = await request('imagePaths', {}, signal);
        this.options.onPaths(paths);
        return await this.options.images.compared(report, paths);
      } catch (error) {
        // The table was reopened, so the one before is closed.
        if (openings === this.openings) throw error;
      }
    }
  }
}

export const sessionLinks = new PartKey<SessionLinks>('links');

/** Finds the other side of a row or an object; null while nothing is linked. */
interface Counterparts {
  areLinked(): boolean;
  objectOfRow(row: number): Promise<LocatedObject | null>;
  rowOfObject(object: ObjectRef): Promise<number | null>;
}

/**
 * The hovered or the selected object, for the table and the masks. The latest wins. Saved states
 * count until somebody sets an object: the first side that reports leads, and the other keeps its
 * own until links show whether both are the same.
 */
class LinkedMark implements Disposable {
  private currentRow: number | null = null;
  private currentObject: ObjectRef | null = null;
  /** Which side it was set by last; the other one follows. */
  private isOfTable = true;
  /** Whether nobody set it, a side reported its saved state, or it is certain. */
  private standing: 'open' | 'asLeft' | 'set' = 'open';
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

  /** Whether a side's saved state is outdated: it was set since, perhaps to nothing. */
  get isSet(): boolean {
    return this.standing === 'set';
  }

  /** The mark was set on an object and the table has to follow. */
  get onDidChangeRow(): Event<number | null> {
    return this.rowEmitter.event;
  }

  /** The mark was set on a row and the masks have to follow. */
  get onDidChangeObject(): Event<LocatedObject | null> {
    return this.objectEmitter.event;
  }

  /**
   * The mark moved to another object, or to none, by anyone: for a view beside both. Saved states
   * of table and masks don't count: they return by themselves.
   */
  get onDidMark(): Event<ObjectRef | null> {
    return this.markEmitter.event;
  }

  /** Set by the table. */
  setRow(row: number | null): Promise<void> {
    this.currentRow = row;
    this.isOfTable = true;
    this.standing = 'set';
    return this.followRow();
  }

  /** Set by the masks. */
  setObject(object: ObjectRef | null): Promise<void> {
    const isSame = sameObject(this.currentObject, object);
    this.currentObject = object;
    this.isOfTable = false;
    this.standing = 'set';
    if (!isSame) this.markEmitter.fire(object);
    return this.followObject();
  }

  /** The table's saved state. If it is outdated, the table gets the current one. */
  async restoreRow(row: number): Promise<void> {
    if (this.standing === 'set') {
      if (row !== this.currentRow) this.rowEmitter.fire(this.currentRow);
    } else if (this.standing === 'asLeft' && !this.isOfTable) this.currentRow ??= row;
    else {
      this.currentRow = row;
      this.isOfTable = true;
      this.standing = 'asLeft';
      if (this.counterparts.areLinked()) await this.linked();
    }
  }

  /** The masks' saved state. If it is outdated, they get the current one. */
  async restoreObject(object: ObjectRef): Promise<void> {
    if (this.standing === 'set') {
      if (!sameObject(object, this.currentObject)) this.objectEmitter.fire(this.currentObject);
    } else if (this.standing === 'asLeft' && this.isOfTable) this.currentObject ??= object;
    else {
      this.currentObject = object;
      this.isOfTable = false;
      this.standing = 'asLeft';
      if (this.counterparts.areLinked()) await this.linked();
    }
  }

  /** Set by another view, such as a comparison: table and masks follow. */
  async show(object: ObjectRef): Promise<void> {
    const isSame = sameObject(this.currentObject, object);
    await this.setObject(object);
    if (!isSame) this.objectEmitter.fire(object);
  }

  /**
   * Rows and objects were linked, perhaps by other columns: the following side finds its
   * counterpart anew.
   */
  async linked(): Promise<void> {
    await (this.isOfTable ? this.followRow() : this.followObject());
    if (this.standing === 'asLeft') this.standing = 'set';
  }

  /** The table changed: the object stays, and finds its row there once linked. */
  tableChanged(): void {
    this.changes++;
    this.currentRow = null;
    this.isOfTable = false;
    // Its rows differ from the saved ones.
    if (this.standing === 'asLeft') this.standing = 'set';
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
      found => {
        if (sameObject(this.currentObject, found)) return;
        this.currentObject = found && { image: found.image, object: found.object };
        this.objectEmitter.fire(found);
        if (this.standing !== 'asLeft') this.markEmitter.fire(this.currentObject);
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

  private async follow<T>(find: () => Promise<T>, apply: (found: T) => void): Promise<void> {
    const change = ++this.changes;
    try {
      const found = await find();
      if (change === this.changes) apply(found);
    } catch (error) {
      this.onError(error);
    }
  }
}

interface KnownImagesOptions {
  /** All analyzed images, if known. */
  items: () => Promise<readonly AnalyzedItem[] | undefined>;
  kept: StoredLinks;
}

/** Other evidence for links besides the files: analyzed images, and a user's links. */
export class KnownImages {
  private latest: readonly LinkedByHand[] = [];

  constructor(private readonly options: KnownImagesOptions) {}

  /** The user's links at the last linking of rows. */
  get byHand(): readonly LinkedByHand[] {
    return this.latest;
  }

  /** The evidence for linking rows besides the files. */
  async known(): Promise<LinkParams> {
    const { items, kept } = this.options;
    const [analyzed, byHand, columns] = await Promise.all([items(), kept.byHand(), kept.columns()]);
    this.latest = byHand;
    return {
      ...(analyzed && { items: analyzed }),
      ...(byHand.length > 0 && { byHand }),
      ...(columns && { columns }),
    };
  }

  /** Stores the columns that a user selected; undefined removes them. */
  setColumns(columns: LinkColumns | undefined): Promise<void> {
    return this.options.kept.setColumns(columns);
  }

  /** Links images, or unlinks those without a path; a path or an image has one link, the latest. */
  async change(links: readonly ImageLink[]): Promise<void> {
    const { kept } = this.options;
    const before = await kept.byHand();
    const added = links.flatMap(({ image, path }) => (path === null ? [] : [{ image, path }]));
    const images = new Set(links.map(({ image }) => image));
    const paths = new Set(added.map(({ path }) => path));
    const others = before.filter(({ image, path }) => !images.has(image) && !paths.has(path));
    await kept.setByHand([...others, ...added]);
  }

  /**
   * The report, and whether images of equal names were linked differently at an earlier visit;
   * reported once.
   */
  async compared(report: LinkReport, paths: readonly ImagePath[]): Promise<LinkReport> {
    if (!report.sameNames) return report;
    const { kept } = this.options;
    const byHand = digestOf(this.latest);
    const digest = `${byHand} ${digestOf(paths.map(({ image, path }) => ({ image, path })))}`;
    const last = await kept.last();
    if (last === digest) return report;
    await kept.setLast(digest);
    // A user who links by hand knows of the change.
    const isOther = last?.startsWith(`${byHand} `) === true;
    return isOther ? { ...report, sameNames: { ...report.sameNames, differsFromBefore: true } } : report;
  }
}

function digestOf(links: unknown): string {
  return createHash('sha256').update(JSON.stringify(links)).digest('hex').slice(0, 16);
}
