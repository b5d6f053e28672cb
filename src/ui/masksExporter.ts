import { isCoded, throwIfCancelled } from '../base/errors';
import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import type { ExportReport, ExportRequest } from '../formats/exportRequest';
import type { ArchiveSummary } from '../formats/masksSummary';
import { chosenImages } from '../results/export/chosenImages';
import type { Engine, ResultSession } from './panels/resultSession';
import type { ResultSource } from './panels/resultSource';

/** What is exported of a result; see ExportRequest. */
export type ExportChoice = Omit<ExportRequest, 'name' | 'shown' | 'colours'> & {
  /** 'shown' is what an open panel's class visibility and table filter let through; without a panel that is all. */
  objects: 'all' | 'shown';
};

/** How much of the work is done, 0…1; undefined when it cannot be known. */
export type ExportProgress = (
  phase: 'downloading' | 'reading' | 'exporting',
  share: number | undefined,
) => void;

/** What an export wants to know of a result that is open in panels. */
export type ShownResult = Pick<
  ResultSession,
  'hiddenClasses' | 'classColours' | 'shown' | 'link' | 'openMasks' | 'linkSettled' | 'askMasks'
>;

export interface MasksExporterOptions {
  startEngine: () => Engine;
  /** The session of a result that has a panel open. */
  sessionOf: (source: ResultSource) => ShownResult | undefined;
  log: Log;
}

/** Opens masks to export them, in a thread of their own: a panel of the same masks stays quick meanwhile. */
export class MasksExporter {
  constructor(private readonly options: MasksExporterOptions) {}

  /** Downloads the archive if need be and reads it. Throws what that throws; never starts paid work. */
  async open(source: ResultSource, onProgress: ExportProgress, signal: AbortSignal): Promise<OpenedMasks> {
    const path = await source.path(
      'masks',
      (done, total = 0) => onProgress('downloading', total > 0 ? done / total : undefined),
      signal,
    );
    throwIfCancelled(signal);
    const thread = this.options.startEngine();
    const listener = thread.endpoint.on('progress', ({ done, total }) =>
      onProgress('reading', total > 0 ? done / total : undefined),
    );
    try {
      const summary = await thread.endpoint.request('openMasks', { path }, signal);
      return new OpenedMasks(thread, summary, source, this.options);
    } catch (error) {
      thread.dispose();
      throw error;
    } finally {
      listener.dispose();
    }
  }
}

/** Masks that can be exported until they are disposed of. */
export class OpenedMasks implements Disposable {
  constructor(
    private readonly thread: Engine,
    readonly summary: ArchiveSummary,
    private readonly source: ResultSource,
    private readonly options: MasksExporterOptions,
  ) {}

  /** Whether a panel of these masks leaves objects out. */
  get hidesSome(): boolean {
    const session = this.options.sessionOf(this.source);
    return session !== undefined && (session.hiddenClasses.length > 0 || session.shown !== null);
  }

  /** Exports; the files appear together at the end. Throws what exportMasks of results does; nothing is left behind then. */
  async export(
    { objects, ...choice }: ExportChoice,
    onProgress: ExportProgress,
    signal: AbortSignal,
  ): Promise<ExportReport> {
    const session = this.options.sessionOf(this.source);
    const shown = session && objects === 'shown' ? await this.shownIn(session, choice, signal) : {};
    const listener = this.thread.endpoint.on('progress', ({ what, done, total }) => {
      if (what === 'export') onProgress('exporting', total > 0 ? done / total : 1);
    });
    try {
      const colours = session && { colours: { ...session.classColours } };
      const request = { ...choice, ...shown, ...colours, name: this.source.title.replace(/\.zip$/i, '') };
      return await this.thread.endpoint.request('exportMasks', request, signal);
    } catch (error) {
      if (isCoded(error, 'cancelled')) await this.settled();
      throw error;
    } finally {
      listener.dispose();
    }
  }

  dispose(): void {
    this.thread.dispose();
  }

  /** Classes and objects that the panels show. */
  private async shownIn(
    session: ShownResult,
    { images, classes }: Pick<ExportChoice, 'images' | 'classes'>,
    signal: AbortSignal,
  ): Promise<Pick<ExportRequest, 'classes' | 'shown'>> {
    const hidden = new Set(session.hiddenClasses.map(index => this.summary.classes[index]?.name));
    const names = classes ?? this.summary.classes.map(({ name }) => name);
    const visible = { classes: names.filter(name => !hidden.has(name)) };
    if (!session.shown) return visible;
    await session.openMasks(signal);
    await session.linkSettled();
    // Rows that belong to no object cannot hide any.
    if (!session.link) return visible;
    const { view } = session.shown;
    const shown: { image: number; shown: ArrayBuffer }[] = [];
    for (const { index, failure } of chosenImages(this.summary.images, images)) {
      if (failure) continue;
      const answer = await session.askMasks('shownObjects', { image: index, view }, signal);
      shown.push({ image: index, shown: answer.shown });
    }
    return { ...visible, shown };
  }

  /** A cancelled export removes what it has written so far; the thread must live until then. */
  private async settled(): Promise<void> {
    try {
      await this.thread.endpoint.request('exportSettled', {});
    } catch (error) {
      this.options.log.warn(`A cancelled export may have left a hidden folder behind: ${String(error)}`);
    }
  }
}
