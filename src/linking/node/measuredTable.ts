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

/** The parts of a result's session that are used here. */
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

/** Creates the objects table for sessions whose masks come without one. */
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

/** The objects table of masks that come without one: measured from them, or a file of the user. */
export class MeasuredTable implements Disposable {
  private latestChoice: TableChoice | undefined;

  constructor(private readonly dependencies: MeasuredTableDependencies) {}

  /** The user's choice; undefined before there is one. */
  async choice(): Promise<TableChoice | undefined> {
    this.latestChoice ??= await this.dependencies.stored();
    return this.latestChoice;
  }

  /** The choice, if it is loaded. */
  get knownChoice(): TableChoice | undefined {
    return this.latestChoice;
  }

  /**
   * Sets the user's choice; undefined removes it. A running measurement stops, and starts again on
   * the next use.
   */
  async choose(choice: TableChoice | undefined): Promise<void> {
    this.latestChoice = choice;
    this.dependencies.measured.forget();
    await this.dependencies.store(choice);
  }

  /** The table's file, which may be measured first; undefined before there is a choice. */
  async file(signal: AbortSignal): Promise<PartFile | undefined> {
    const choice = await this.choice();
    if (!choice) return undefined;
    if (choice.kind === 'file') return { path: await this.dependencies.fileOf(choice.uri) };
    return { path: await this.dependencies.measured.path(signal) };
  }

  dispose(): void {
    this.dependencies.measured.dispose();
  }
}

/** Names of color channels in a saved table: the same in all languages. */
const RGB = ['Red', 'Green', 'Blue'];

interface MeasureDependencies {
  session: Session;
  pairing: BackgroundImagePairingSource;
  /** Local copies of background images; disposed of with the table. */
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
 * A table measured from a session's masks. It is a file of its own, measured on first use and
 * deleted at disposal.
 */
export class MeasuredTableFile implements Disposable {
  private readonly closing = new AbortController();
  private folder: Promise<string> | undefined;
  private measuredPath: string | undefined;
  private measurementCount = 0;
  /** Paths of earlier measurements, which the engine may still have open. */
  private earlierPaths: string[] = [];
  private measurement = new AbortController();
  private readonly crashListener: Disposable;
  /** Counts crashes of the engine: each closed all images. */
  private crashes = 0;

  constructor(private readonly dependencies: MeasureDependencies) {
    this.crashListener = dependencies.session.onDidLoseEngine(() => this.crashes++);
  }

  /** Path of the table. Throws errors of reading the masks, `no-space`, `cancelled`. */
  async path(signal: AbortSignal): Promise<string> {
    if (this.measuredPath !== undefined) return this.measuredPath;
    const { session } = this.dependencies;
    const stopped = AbortSignal.any([signal, this.closing.signal, this.measurement.signal]);
    await session.masks.open(stopped);
    const { crashes: crashesBefore } = this;
    const backgrounds = await this.backgrounds(crashesBefore, stopped);
    try {
      this.folder ??= mkdtemp(join(tmpdir(), 'image-analysis-'));
      // Windows can't replace an open file, and the earlier one may be open.
      const path = join(await this.folder, `measured-${++this.measurementCount}.csv`);
      this.checkEngine(crashesBefore);
      await session.masks.request('writeMeasuredTable', { path, backgrounds }, stopped);
      this.measuredPath = path;
      await this.removeEarlier();
      return path;
    } finally {
      await this.close(backgrounds, crashesBefore);
    }
  }

  /**
   * Stops measuring, and measures again on the next use: other background images give another
   * table.
   */
  forget(): void {
    this.measurement.abort();
    this.measurement = new AbortController();
    if (this.measuredPath !== undefined) this.earlierPaths.push(this.measuredPath);
    this.measuredPath = undefined;
  }

  /** Deletes the files in the background; retries while the engine has one open, as on Windows. */
  dispose(): void {
    this.closing.abort();
    this.crashListener.dispose();
    const { copies, log } = this.dependencies;
    copies.dispose();
    this.folder
      ?.then(folder => rm(folder, { recursive: true, force: true, maxRetries: 8 }))
      .catch((error: unknown) => log.warn(`Couldn't delete a measured table: ${String(error)}`));
  }

  /**
   * Deletes earlier files. A file that is still open on Windows is retried at the next measurement.
   */
  private async removeEarlier(): Promise<void> {
    const files = this.earlierPaths.splice(0);
    const removed = await Promise.allSettled(files.map(file => rm(file, { force: true })));
    this.earlierPaths.push(...files.filter((_, index) => removed[index]?.status === 'rejected'));
  }

  /** Opens the background images of the masks; if one can't be opened, closes all. */
  private async backgrounds(crashesBefore: number, signal: AbortSignal): Promise<Background[]> {
    const opened: Background[] = [];
    try {
      await this.openBackgrounds(opened, crashesBefore, signal);
      return opened;
    } catch (error) {
      await this.close(opened, crashesBefore);
      throw error;
    }
  }

  /** Adds identified images to `opened`: images that a user must still confirm aren't measured. */
  private async openBackgrounds(
    opened: Background[],
    crashesBefore: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { session, pairing, copies, log } = this.dependencies;
    const { images } = await session.masks.open(signal);
    const finder = new BackgroundImageFinder(session.source, pairing, {
      ...sessionBackgroundImages(session.masks.request, copies, this.closing.signal),
      // No other table names the images.
      imageOrigin: () => Promise.resolve(null),
    });
    for (const image of images) {
      if (image.failure || image.objectCount === 0) continue;
      const background = await finder.find(image, signal);
      throwIfCanceled(signal);
      // The engine may have run out of memory for this very image.
      if (background.state === 'unreadable' && crashesBefore !== this.crashes) throw background.error;
      this.checkEngine(crashesBefore);
      if (background.state === 'unreadable')
        log.info(`No intensities are measured of an image that can't be read: ${String(background.error)}`);
      if (background.state !== 'paired') continue;
      const { backgroundImage: number, channels, channelNames, rgb } = background.backgroundImage;
      const names = Array.from(
        { length: channels },
        (_, index) => channelNames[index] || (rgb && RGB[index]) || '',
      );
      opened.push({ image: image.index, backgroundImage: number, channels: names });
    }
  }

  /** Throws if the engine crashed since `crashesBefore`: its numbers may be of other images now. */
  private checkEngine(crashesBefore: number): void {
    if (crashesBefore !== this.crashes)
      throw new Error('The engine crashed while background images were open');
  }

  /** Closes images opened since `crashesBefore`; a crash has closed them already. */
  private async close(backgrounds: readonly Background[], crashesBefore: number): Promise<void> {
    for (const { backgroundImage } of backgrounds) {
      if (crashesBefore !== this.crashes) return;
      await this.dependencies.session.masks
        .request('closeBackgroundImage', { backgroundImage }, this.closing.signal)
        .catch(() => undefined);
    }
  }
}
