import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { throwIfCanceled } from '../../base/errors';
import type { Event } from '../../base/event';
import type { Log } from '../../base/log';
import type { TableChoice } from '../../columns/tableSummary';
import type { ResultChoices } from '../../results/node/resultChoices';
import {
  BackgroundImageFinder,
  type BackgroundImagePairingSource,
  sessionBackgroundImages,
} from './backgroundImageFinder';
import type { LocalCopies } from '../../session/node/localCopies';
import type { PartFile } from '../../session/node/openPart';
import { FileResult, type FileUri, type ResultSource } from '../../session/node/resultSource';
import type { SessionMasks } from '../../session/node/sessionMasks';

/** Dependencies in the session of a result. */
interface Session {
  readonly source: ResultSource;
  readonly masks: Pick<SessionMasks, 'open' | 'request'>;
  readonly onDidLoseEngine: Event<unknown>;
}

interface MeasuredTablesDependencies {
  choices: Pick<ResultChoices, 'objectsTable' | 'setObjectsTable'>;
  pairing: BackgroundImagePairingSource;
  makeCopies: () => LocalCopies;
  parseUri: (text: string) => FileUri;
  log: Log;
}

/** Makes the table of each session's masks that come without one. */
export function measuredTables({ choices, pairing, makeCopies, parseUri, log }: MeasuredTablesDependencies) {
  return (session: Session): MeasuredTable =>
    new MeasuredTable({
      stored: () => choices.objectsTable(session.source),
      store: choice => choices.setObjectsTable(session.source, choice),
      fileOf: uri => new FileResult(parseUri(uri), 'file').path('file'),
      measured: new MeasuredTableFile({ session, pairing, copies: makeCopies(), log }),
    });
}

interface MeasuredTableDependencies {
  /** The earlier choice for this result. */
  stored: () => Promise<TableChoice | undefined>;
  store: (choice: TableChoice | undefined) => Promise<void>;
  /** The path of a file on disk. Throws `not-a-file`. */
  fileOf: (uri: string) => Promise<string>;
  measured: MeasuredTableFile;
}

/** The objects table for masks that have none: measured from them, or a file of the user. */
export class MeasuredTable implements Disposable {
  private latest: TableChoice | undefined;

  constructor(private readonly parts: MeasuredTableDependencies) {}

  /** The choice; undefined before the user made one. */
  async choice(): Promise<TableChoice | undefined> {
    this.latest ??= await this.parts.stored();
    return this.latest;
  }

  /** The choice, if it is known without waiting. */
  get knownChoice(): TableChoice | undefined {
    return this.latest;
  }

  /**
   * Sets the user's choice; undefined removes it. A running measurement stops, and starts again
   * when its table is needed.
   */
  async choose(choice: TableChoice | undefined): Promise<void> {
    this.latest = choice;
    this.parts.measured.forget();
    await this.parts.store(choice);
  }

  /** The table's file, measured first if need be; undefined before the user has chosen. */
  async file(signal: AbortSignal): Promise<PartFile | undefined> {
    const choice = await this.choice();
    if (!choice) return undefined;
    if (choice.kind === 'file') return { path: await this.parts.fileOf(choice.uri) };
    return { path: await this.parts.measured.path(signal) };
  }

  dispose(): void {
    this.parts.measured.dispose();
  }
}

/** Names in a saved table are the same in every language. */
const RGB = ['Red', 'Green', 'Blue'];

interface MeasureDependencies {
  session: Session;
  pairing: BackgroundImagePairingSource;
  /** Paths on disk for background images; disposed of with the table. */
  copies: Pick<LocalCopies, 'pathOf' | 'dispose'>;
  log: Log;
}

/** An open background image of an image of the masks. */
interface Background {
  image: number;
  backgroundImage: number;
  channels: string[];
}

/**
 * The table measured from a session's masks: a separate file, measured on first use, until
 * disposal.
 */
export class MeasuredTableFile implements Disposable {
  private readonly closing = new AbortController();
  private folder: Promise<string> | undefined;
  private written: string | undefined;
  /** Number of measurements so far. */
  private measurings = 0;
  /** The previous measurement, which the engine may still have open. */
  private earlier: string[] = [];
  private running = new AbortController();
  private readonly losing: Disposable;
  /** Number of crashes of the engine, each of which closed everything. */
  private losses = 0;

  constructor(private readonly parts: MeasureDependencies) {
    this.losing = parts.session.onDidLoseEngine(() => this.losses++);
  }

  /** Its path. Throws errors of reading the masks, `no-space`, `cancelled`. */
  async path(signal: AbortSignal): Promise<string> {
    if (this.written !== undefined) return this.written;
    const { session } = this.parts;
    const stopped = AbortSignal.any([signal, this.closing.signal, this.running.signal]);
    await session.masks.open(stopped);
    const { losses } = this;
    const backgrounds = await this.backgrounds(losses, stopped);
    try {
      this.folder ??= mkdtemp(join(tmpdir(), 'image-analysis-'));
      // Windows doesn't replace an open file, and the previous one may be open.
      const path = join(await this.folder, `measured-${++this.measurings}.csv`);
      this.checkEngine(losses);
      await session.masks.request('writeMeasuredTable', { path, backgrounds }, stopped);
      this.written = path;
      await this.removeEarlier();
      return path;
    } finally {
      await this.close(backgrounds, losses);
    }
  }

  /**
   * Stops measuring, and measures again on next use: other background images give another table.
   */
  forget(): void {
    this.running.abort();
    this.running = new AbortController();
    if (this.written !== undefined) this.earlier.push(this.written);
    this.written = undefined;
  }

  /**
   * Deletes the file in the background; retries while the engine has it open, as Windows requires.
   */
  dispose(): void {
    this.closing.abort();
    this.losing.dispose();
    const { copies, log } = this.parts;
    copies.dispose();
    this.folder
      ?.then(folder => rm(folder, { recursive: true, force: true, maxRetries: 8 }))
      .catch((error: unknown) => log.warn(`Couldn't delete a measured table: ${String(error)}`));
  }

  /** One that is still open on Windows stays until the next time, or until disposal. */
  private async removeEarlier(): Promise<void> {
    const files = this.earlier.splice(0);
    const removed = await Promise.allSettled(files.map(file => rm(file, { force: true })));
    this.earlier.push(...files.filter((_, at) => removed[at]?.status === 'rejected'));
  }

  /** Opens the background images of the masks. If one can't be opened, none stays open. */
  private async backgrounds(losses: number, signal: AbortSignal): Promise<Background[]> {
    const opened: Background[] = [];
    try {
      await this.openBackgrounds(opened, losses, signal);
      return opened;
    } catch (error) {
      await this.close(opened, losses);
      throw error;
    }
  }

  /** Adds certain images to `opened`: those that a user must still confirm aren't measured. */
  private async openBackgrounds(opened: Background[], losses: number, signal: AbortSignal): Promise<void> {
    const { session, pairing, copies, log } = this.parts;
    const { images } = await session.masks.open(signal);
    const finder = new BackgroundImageFinder(session.source, pairing, {
      ...sessionBackgroundImages(session.masks.request, copies, this.closing.signal),
      // There is no other table that could name it.
      imageOrigin: () => Promise.resolve(null),
    });
    for (const image of images) {
      if (image.failure || image.objectCount === 0) continue;
      const background = await finder.find(image, signal);
      throwIfCanceled(signal);
      // Perhaps it is this image that the engine has no memory for.
      if (background.state === 'unreadable' && losses !== this.losses) throw background.error;
      this.checkEngine(losses);
      if (background.state === 'unreadable')
        log.info(`No intensities are measured of an image that can't be read: ${String(background.error)}`);
      if (background.state !== 'paired') continue;
      const { backgroundImage: number, channels, channelNames, rgb } = background.backgroundImage;
      const names = Array.from({ length: channels }, (_, at) => channelNames[at] || (rgb && RGB[at]) || '');
      opened.push({ image: image.index, backgroundImage: number, channels: names });
    }
  }

  /** Throws if the engine crashed since `losses`: its numbers may now mean other images. */
  private checkEngine(losses: number): void {
    if (losses !== this.losses) throw new Error('The engine crashed while background images were open');
  }

  /** Closes images opened since `losses`; the next measurement closes them too. */
  private async close(backgrounds: readonly Background[], losses: number): Promise<void> {
    for (const { backgroundImage } of backgrounds) {
      if (losses !== this.losses) return;
      await this.parts.session.masks
        .request('closeBackgroundImage', { backgroundImage }, this.closing.signal)
        .catch(() => undefined);
    }
  }
}
