import { CodedError, throwIfCanceled } from '../../base/errors';
import { runInSlices } from '../../base/node/slices';
import { sortInSteps } from '../../base/steps';
import { denial } from '../../base/node/fileErrors';
import { reason } from '../../base/reasons';

/** A file or folder that was selected for upload. */
export interface NamedUri {
  uri: string;
  /** The last part of its path. */
  name: string;
}

/** A file to upload. */
export interface LocalFile {
  uri: string;
  fileName: string;
  /** Folder below the destination, with slashes: the selected folder and below; '' for a file. */
  folder: string;
  /** Bytes. */
  size: number;
}

/** What an editor knows of its files. */
export interface LocalFileSystem {
  /** Rejects where the URI is neither a readable file nor a folder. */
  stat(uri: string): Promise<{ isFolder: boolean; size: number }>;
  /** The entries of a folder, in any order. */
  list(uri: string): Promise<{ uri: string; name: string; isFolder: boolean; isLink: boolean }[]>;
}

export interface ExpandedFiles {
  files: LocalFile[];
  /** What was selected but can't be read as a file or folder. */
  failed: { uri: string; error: CodedError }[];
  /** Whether a folder was among what was selected. */
  hadFolder: boolean;
}

/** A selection may be a home directory by mistake: more files than this end the listing. */
const MAX_FILES = 100_000;

const imageName = /\.(png|jpe?g|tiff?|svs|ndpi|vms|vmu|scn|svslide|bif|webp|bmp|czi|lif|nd2)$/i;

/** Whether the service is known to analyze such a name; only a hint for what to preselect. */
export function looksLikeImage(fileName: string): boolean {
  return imageName.test(fileName);
}

/**
 * Files that Windows, macOS and Office put beside others: previews, icons, locks of open documents,
 * and what a disk without resource forks has of them. Explorer and Finder hide them, so nobody
 * means to upload them.
 */
const leftBySystems = /^(desktop\.ini|thumbs\.db|\.ds_store|icon\r|~\$.*|\._.*)$/is;

/** The files to select first: the images, or all where no name looks like an image's. */
export function suggestedFiles(files: readonly LocalFile[]): LocalFile[] {
  const images = files.filter(({ fileName }) => looksLikeImage(fileName));
  return images.length > 0 ? images : [...files];
}

/** Depth of folders accepted without a review: the selected folder, or its conditions' folders. */
const MAX_PLAIN_DEPTH = 2;

/**
 * Whether a person should review the files: other files are among the images, images are both in a
 * folder and in its subfolders, or they are far below it.
 */
export function needsReview({ files, hadFolder }: Pick<ExpandedFiles, 'files' | 'hadFolder'>): boolean {
  if (!hadFolder) return false;
  const depths = new Map<string, number>();
  return files.some(({ fileName, folder }) => {
    const [selected = '', ...below] = folder.split('/');
    const depth = below.length + 1;
    const firstDepth = depths.get(selected) ?? depth;
    depths.set(selected, firstDepth);
    return !looksLikeImage(fileName) || depth > MAX_PLAIN_DEPTH || depth !== firstDepth;
  });
}

/** One for all: creating a collator costs far more than a comparison. */
const byName = new Intl.Collator(undefined, { numeric: true });

/**
 * Turns files and folders into a list of files, folders in natural order of names. Hidden entries
 * of folders, and everywhere what systems leave among files, such as Thumbs.db, are left out; links
 * to folders aren't followed. Throws `bad-request` for too many files, `cancelled`.
 */
export async function expandFiles(
  system: LocalFileSystem,
  selected: readonly NamedUri[],
  signal?: AbortSignal,
): Promise<ExpandedFiles> {
  const expansion = new Expansion(system, signal);
  const statOf = inAdvance(selected, ({ uri }) => system.stat(uri), MAX_STATS);
  for (const one of selected) await expansion.add(one, () => statOf(one));
  return expansion;
}

/** Concurrent stats: on a remote disk each takes milliseconds, however many run at once. */
const MAX_STATS = 16;

/** Returns a function that works on items in order, and begins the next ones, `max` at once. */
function inAdvance<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  max: number,
): (item: T) => Promise<R> {
  const begun = new Map<T, Promise<R>>();
  let next = 0;
  return async item => {
    while (next < items.length && begun.size < max) {
      const following = items[next++] as T;
      const result = work(following);
      // Whoever awaits it gets the error.
      result.catch(() => undefined);
      begun.set(following, result);
    }
    try {
      return await (begun.get(item) ?? work(item));
    } finally {
      begun.delete(item);
    }
  };
}

class Expansion implements ExpandedFiles {
  readonly files: LocalFile[] = [];
  readonly failed: { uri: string; error: CodedError }[] = [];
  hadFolder = false;
  private readonly seen = new Set<string>();

  constructor(
    private readonly system: LocalFileSystem,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async add({ uri, name }: NamedUri, stat: () => ReturnType<LocalFileSystem['stat']>): Promise<void> {
    throwIfCanceled(this.signal);
    await this.orFailed({ uri, name }, async () => {
      const { isFolder, size } = await stat();
      if (isFolder) {
        this.hadFolder = true;
        await this.addFolder(uri, name);
      } else {
        this.addFile({ uri, fileName: name, folder: '', size });
      }
    });
  }

  private async addFolder(uri: string, folder: string): Promise<void> {
    throwIfCanceled(this.signal);
    const listed = await this.system.list(uri);
    const byNames = sortInSteps(listed, (left, right) => byName.compare(left.name, right.name));
    const entries = await runInSlices(byNames, this.signal);
    const shown = entries.filter(({ name }) => !name.startsWith('.'));
    const files = shown.filter(({ isFolder }) => !isFolder);
    const statOf = inAdvance(files, ({ uri }) => this.system.stat(uri), MAX_STATS);
    for (const entry of shown) {
      throwIfCanceled(this.signal);
      const { name } = entry;
      await this.orFailed(entry, async () => {
        if (!entry.isFolder) {
          const { size } = await statOf(entry);
          this.addFile({ uri: entry.uri, fileName: name, folder, size });
        } else if (!entry.isLink) {
          // A linked folder may lead back to where we are.
          await this.addFolder(entry.uri, `${folder}/${name}`);
        }
      });
    }
  }

  private addFile(file: LocalFile): void {
    if (leftBySystems.test(file.fileName)) return;
    // A file and its folder may both be selected.
    if (this.seen.has(file.uri)) return;
    this.seen.add(file.uri);
    if (this.files.length >= MAX_FILES) {
      throw new CodedError('bad-request', 'Too many files', {
        reason: reason('The selection has more than {0} files. Select a smaller folder', MAX_FILES),
      });
    }
    this.files.push(file);
  }

  /** Lists an entry that can't be read as failed. Only a cancel or too many files end all. */
  private async orFailed({ uri, name }: NamedUri, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CodedError) throw error;
      if (leftBySystems.test(name)) return;
      const why = denial(error);
      this.failed.push({
        uri,
        error: new CodedError('not-a-file', 'Not a readable file', {
          subject: name,
          ...(why && { reason: why }),
        }),
      });
    }
  }
}
