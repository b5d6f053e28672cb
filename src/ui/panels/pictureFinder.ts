import { posix } from 'node:path';
import type { Uri } from 'vscode';
import { CodedError, isCoded, throwIfCancelled } from '../../base/errors';
import type { MaskImage } from '../../formats/masksSummary';
import type { PictureOffer } from '../../protocol/masksPage';
import type { PictureInfo } from '../../protocol/pictureEngine';
import { choosePicture, judgePicture } from '../../results/image/pairPictures';
import { SharedValues } from '../../results/sharedWork';
import type { PicturePairingSource, PictureUse, ResultSource } from './resultSource';

/** How a picture was looked for and what came of it; worded by pairingWords. */
export type FoundPicture =
  | {
      state: 'paired';
      by: 'record' | 'choice' | 'path';
      path: string;
      picture: PictureInfo;
      /** It has another size than the masks, and the user lets it be stretched over them. */
      stretched: boolean;
    }
  /** The only file of that name: the user has to confirm it. */
  | { state: 'suggested'; path: string; uri: Uri }
  | { state: 'missing'; sameName: number }
  /** Of another size than the masks: what the user may accept instead. */
  | {
      state: 'other-size';
      path: string;
      uri: Uri | string;
      picture: { width: number; height: number };
      masks: MaskImage;
      offers: PictureOffer[];
    }
  | { state: 'unreadable'; path: string; error: unknown };

/** What the finder asks of the engine and of the file system. */
export interface PictureAccess {
  openPicture(
    path: string,
    part: { level?: number; page?: number },
    signal: AbortSignal,
  ): Promise<PictureInfo>;
  closePicture(picture: number): Promise<void>;
  hashFile(path: string, signal: AbortSignal): Promise<{ sha256: string; size: number }>;
  /** The path by which the objects table names the image, once rows are linked. */
  imageOrigin(image: number, signal: AbortSignal): Promise<string | null>;
  /** A path on disk for a file anywhere. Throws `not-a-file`, `bad-request`. */
  localPath(uri: Uri | string, signal: AbortSignal): Promise<string>;
}

/** Finds the picture under each image's masks; the rules are in measurements.md, "Identity". */
export class PictureFinder {
  private readonly found = new SharedValues<number, FoundPicture>();
  private readonly running = new Map<number, AbortController>();
  /** What was chosen and has another size, until one of its offers is accepted. */
  private readonly refused = new Map<number, Extract<FoundPicture, { state: 'other-size' }>>();

  constructor(
    private readonly source: ResultSource,
    private readonly pairing: PicturePairingSource,
    private readonly access: PictureAccess,
  ) {}

  /** Looks for the picture of an image, once; what was found is kept. Throws `cancelled` when it is stopped. */
  find(image: MaskImage, signal: AbortSignal): Promise<FoundPicture> {
    const look = (shared: AbortSignal) =>
      this.stoppable(image, shared, stoppable => this.look(image, stoppable));
    return this.found.get(image.index, look, signal);
  }

  /** The user does not want to wait for the picture of an image; it is looked for again when it is asked for. */
  stop(image: number): void {
    this.running.get(image)?.abort();
  }

  /** The user says that the suggestion is the picture; it is remembered. */
  async confirm(image: MaskImage, signal: AbortSignal): Promise<FoundPicture> {
    const found = await this.find(image, signal);
    return found.state === 'suggested' ? this.take(image, found.uri, signal) : found;
  }

  /** Lets the user pick the picture; on Esc all stays as it is. */
  async choose(image: MaskImage, signal: AbortSignal): Promise<FoundPicture> {
    const uri = await this.pairing.pick();
    throwIfCancelled(signal);
    return uri ? this.take(image, uri, signal) : this.find(image, signal);
  }

  /** Takes one of the offers of a picture of another size; it is remembered. */
  async accept(image: MaskImage, offer: PictureOffer, signal: AbortSignal): Promise<FoundPicture> {
    const found = this.refused.get(image.index) ?? (await this.find(image, signal));
    if (found.state !== 'other-size') return found;
    const offered = found.offers.find(one => isSameOffer(one, offer));
    if (!offered) throw new CodedError('bad-request', 'This was not offered for the picture');
    return this.take(image, found.uri, signal, useOf(offered));
  }

  /** The engine lost its pictures: all are looked for again. */
  forget(): void {
    this.found.clear();
    this.refused.clear();
  }

  private async stoppable<T>(
    { index }: MaskImage,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    this.running.set(index, controller);
    try {
      return await work(AbortSignal.any([signal, controller.signal]));
    } finally {
      if (this.running.get(index) === controller) this.running.delete(index);
    }
  }

  private async take(
    image: MaskImage,
    uri: Uri | string,
    signal: AbortSignal,
    use?: PictureUse,
  ): Promise<FoundPicture> {
    const taken = await this.stoppable(image, signal, stoppable =>
      this.open(image, uri, 'choice', stoppable, use),
    );
    // What cannot be used is told, but replaces nothing.
    if (taken.state === 'other-size') this.refused.set(image.index, taken);
    if (taken.state !== 'paired') return taken;
    this.refused.delete(image.index);
    await this.pairing.remember(this.source, image.id, uri, use);
    this.found.delete(image.index);
    return this.found.get(image.index, () => Promise.resolve(taken), signal);
  }

  private async look(image: MaskImage, signal: AbortSignal): Promise<FoundPicture> {
    const chosen = await this.pairing.remembered(this.source, image.id);
    if (chosen) {
      const opened = await this.open(image, chosen.uri, 'choice', signal, chosen.use);
      if (!isGone(opened)) return opened;
    }
    return (await this.byRecord(image, signal)) ?? (await this.inWorkspace(image, signal));
  }

  /** The file that was uploaded as this image, if it is still the same, byte by byte. */
  private async byRecord(image: MaskImage, signal: AbortSignal): Promise<FoundPicture | undefined> {
    const record = await this.pairing.uploadRecord(this.source, image.id);
    throwIfCancelled(signal);
    if (!record) return undefined;
    try {
      const { sha256, size } = await this.access.hashFile(
        await this.access.localPath(record.uri, signal),
        signal,
      );
      if (size !== record.size || sha256 !== record.sha256.toLowerCase()) return undefined;
    } catch (error) {
      // The file is not there any more: it may be found elsewhere.
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return undefined;
    }
    return this.open(image, record.uri, 'record', signal);
  }

  private async inWorkspace(image: MaskImage, signal: AbortSignal): Promise<FoundPicture> {
    const name = posix.basename(image.filename.replaceAll('\\', '/'));
    if (name === '') return { state: 'missing', sameName: 0 };
    const uris = await this.pairing.workspaceFilesNamed(name, signal);
    throwIfCancelled(signal);
    if (uris.length === 0) return { state: 'missing', sameName: 0 };
    const origin = await this.access.imageOrigin(image.index, signal);
    const choice = choosePicture(
      { filename: image.filename, ...(origin !== null && { origin }) },
      uris.map(uri => uri.path),
    );
    if (choice.by === 'none' || choice.by === 'ambiguous') return { state: 'missing', sameName: uris.length };
    const uri = uris[choice.index];
    if (!uri) return { state: 'missing', sameName: uris.length };
    return this.open(image, uri, choice.by, signal);
  }

  private async open(
    image: MaskImage,
    uri: Uri | string,
    by: 'record' | 'choice' | 'path' | 'name',
    signal: AbortSignal,
    use?: PictureUse,
  ): Promise<FoundPicture> {
    const path = pathOf(uri);
    const scaled = use !== undefined && 'scaled' in use;
    let picture: PictureInfo;
    try {
      const local = await this.access.localPath(uri, signal);
      picture = await this.access.openPicture(local, use && !scaled ? use : {}, signal);
    } catch (error) {
      if (!isCoded(error) || error.code === 'cancelled') throw error;
      return { state: 'unreadable', path, error };
    }
    const verdict = judgePicture(by, picture, image);
    const stretched = scaled && verdict === 'other-size';
    if (by !== 'name' && (verdict === 'paired' || stretched))
      return { state: 'paired', by, path, picture, stretched };
    // Only a picture that is painted is kept open.
    await this.access.closePicture(picture.picture);
    if (verdict === 'other-size')
      return {
        state: 'other-size',
        path,
        uri,
        picture: { width: picture.width, height: picture.height },
        masks: image,
        offers: offersOf(picture, image),
      };
    if (typeof uri === 'string')
      throw new CodedError('bad-request', 'A suggestion is a file of the workspace');
    return { state: 'suggested', path, uri };
  }
}

/** A level or a page that has the size of the masks, and in any case the picture stretched. */
function offersOf({ width, height, levels, pages }: PictureInfo, masks: MaskImage): PictureOffer[] {
  const fits = (size: { width: number; height: number }) =>
    size.width === masks.width && size.height === masks.height;
  return [
    ...levels.flatMap((size, level): PictureOffer[] =>
      fits(size) ? [{ kind: 'level', level, ...size }] : [],
    ),
    ...pages.filter(fits).map((page): PictureOffer => ({ kind: 'page', ...page })),
    { kind: 'scaled', width, height },
  ];
}

function useOf(offer: PictureOffer): PictureUse {
  switch (offer.kind) {
    case 'level':
      return { level: offer.level };
    case 'page':
      return { page: offer.page };
    case 'scaled':
      return { scaled: true };
  }
}

function isSameOffer(one: PictureOffer, other: PictureOffer): boolean {
  return JSON.stringify(useOf(one)) === JSON.stringify(useOf(other));
}

function isGone(found: FoundPicture): boolean {
  return (
    found.state === 'unreadable' && (isCoded(found.error, 'not-a-file') || isCoded(found.error, 'not-found'))
  );
}

/** For display only. */
function pathOf(uri: Uri | string): string {
  if (typeof uri !== 'string') return uri.fsPath;
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}
