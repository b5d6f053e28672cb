import { CodedError, throwIfCanceled } from '../../base/errors';
import { runInSlices } from '../../base/node/slices';
import { sortInSteps } from '../../base/steps';
import { denial } from '../../base/node/fileErrors';
import { reason } from '../../base/reasons';

/** A file or folder that was selected for upload. */
export interface NamedUri {
  uri: string;
  /** The last part of the path. */
  name: string;
}

/** A file to upload. */
export interface LocalFile {
  uri: string;
  fileName: string;
  /**
   * Folder below the destination, with slashes, starting with the selected folder; '' for a file.
   */
  folder: string;
  /** Bytes. */
  size: number;
}

/** The file system functions that an upload needs. */
export interface LocalFileSystem {
  /** Rejects unless the URI is a readable file or a folder. */
  stat(uri: string): Promise<{ isFolder: boolean; size: number }>;
  /** The entries of a folder, in any order. */
  list(uri: string): Promise<{ uri: string; name: string; isFolder: boolean; isLink: boolean }[]>;
}

export interface ExpandedFiles {
  files: LocalFile[];
  /** Selected entries that can't be read as a file or folder. */
  failed: { uri: string; error: CodedError }[];
  /** Whether the selection included a folder. */
  hadFolder: boolean;
}

/** Maximum number of files, in case someone selects a home directory by mistake. */
const MAX_FILES = 100_000;

const IMAGE_NAME = /\.(png|jpe?g|tiff?|svs|ndpi|vms|vmu|scn|svslide|bif|webp|bmp|czi|lif|nd2)$/i;

/** Whether the extension is one of an image that the service analyzes, to preselect the file. */
export function looksLikeImage(fileName: string): boolean {
  return IMAGE_NAME.test(fileName);
}

/**
 * Files that Windows, macOS and Office create beside others: previews, icons, locks of open
 * documents, and files for resource forks. Explorer and Finder hide them, so nobody wants to upload
 * them.
 */
const SYSTEM_FILES = /^(desktop\.ini|thumbs\.db|\.ds_store|icon\r|~\$.*|\._.*)$/is;

/** The files to preselect: the images, or all files if there are no images. */
export function suggestedFiles(files: readonly LocalFile[]): LocalFile[] {
  const images = files.filter(({ fileName }) => looksLikeImage(fileName));
  return images.length > 0 ? images : [...files];
}

/** Maximum depth of folders without a review: the selected folder and one level of subfolders. */
const MAX_PLAIN_DEPTH = 2;

/**
 * Whether a person should review the files: because some aren't images, or images are at different
 * depths or too deep below the selected folder.
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

/** A shared collator, because creating one takes far longer than a comparison. */
const nameCollator = new Intl.Collator(undefined, { numeric: true });

/**
 * Turns files and folders into a list of files; files of folders are in natural order of names.
 * Skips hidden entries of folders and system files such as Thumbs.db, and doesn't follow links to
 * folders. Throws `bad-request` for too many files, and `cancelled`.
 */
export async function expandFiles(
  system: LocalFileSystem,
  selected: readonly NamedUri[],
  signal?: AbortSignal,
): Promise<ExpandedFiles> {
  const expansion = new Expansion(system, signal);
  const statOf = inAdvance(selected, ({ uri }) => system.stat(uri), MAX_STATS);
  for (const entry of selected) await expansion.add(entry, () => statOf(entry));
  return expansion;
}

/** Maximum concurrent stats; on a remote disk each takes milliseconds. */
const MAX_STATS = 16;

/**
 * Returns a function to call for each item in order. It gives the item's result, and also starts
 * the work on the next items, so that up to `max` run at once.
 */
function inAdvance<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  max: number,
): (item: T) => Promise<R> {
  const started = new Map<T, Promise<R>>();
  let next = 0;
  return async item => {
    while (next < items.length && started.size < max) {
      const nextItem = items[next++] as T;
      const result = work(nextItem);
      // No unhandled rejection: the error reaches the caller when it awaits this item.
      result.catch(() => undefined);
      started.set(nextItem, result);
    }
    try {
      return await (started.get(item) ?? work(item));
    } finally {
      started.delete(item);
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
    await this.recordFailure({ uri, name }, async () => {
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
    const folderEntries = await this.system.list(uri);
    const sorting = sortInSteps(folderEntries, (left, right) => nameCollator.compare(left.name, right.name));
    const entries = await runInSlices(sorting, this.signal);
    const visible = entries.filter(({ name }) => !name.startsWith('.'));
    const files = visible.filter(({ isFolder }) => !isFolder);
    const statOf = inAdvance(files, ({ uri }) => this.system.stat(uri), MAX_STATS);
    for (const entry of visible) {
      throwIfCanceled(this.signal);
      const { name } = entry;
      await this.recordFailure(entry, async () => {
        if (!entry.isFolder) {
          const { size } = await statOf(entry);
          this.addFile({ uri: entry.uri, fileName: name, folder, size });
        } else if (!entry.isLink) {
          // Links are skipped, because a link may lead back to this folder.
          await this.addFolder(entry.uri, `${folder}/${name}`);
        }
      });
    }
  }

  private addFile(file: LocalFile): void {
    if (SYSTEM_FILES.test(file.fileName)) return;
    // Skip duplicates: a file and its folder may both be selected.
    if (this.seen.has(file.uri)) return;
    this.seen.add(file.uri);
    if (this.files.length >= MAX_FILES) {
      throw new CodedError('bad-request', 'Too many files', {
        reason: reason('The selection has more than {0} files. Select a smaller folder', MAX_FILES),
      });
    }
    this.files.push(file);
  }

  /**
   * Lists an entry as failed if it can't be read. Only a cancel or too many files stop everything.
   */
  private async recordFailure({ uri, name }: NamedUri, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CodedError) throw error;
      if (SYSTEM_FILES.test(name)) return;
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
