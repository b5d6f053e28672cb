import type { AnalyzedItem } from '../../masks/linkReport';
import type { ResultPart } from '../../service/resultParts';
import type { ResultImages } from '../../jobs/node/runOutcome';
import type { BackgroundImageUse } from '../../images/backgroundImageUse';

/** A file anywhere, named by its URI: what of an editor's URI is needed here. */
export interface FileUri {
  /** `file` where it is on disk. */
  readonly scheme: string;
  /** The path of the URI, with forward slashes. */
  readonly path: string;
  /** The path as the system writes it; for display. */
  readonly fsPath: string;
  toString(): string;
}

/** A job's results, or one local file, as the panels see it. */
export interface ResultSource {
  /** Tells results apart, such as account and job id, or a file's uri; no secret. */
  readonly key: string;
  readonly title: string;
  /** It has no table: a masks archive on disk. */
  readonly masksOnly?: boolean;
  /** The account it belongs to: its panels close when that signs out. */
  readonly accountId?: string;
  /** The jobs whose results it is. */
  readonly jobIds?: readonly string[];
  /** JSON from which the source can be made again after a reload; no secret. */
  readonly restore: unknown;
  /** Path of a part on disk, downloaded first if need be; progress in bytes. Rejects with a coded error; never starts paid work. */
  path(
    what: ResultPart,
    onProgress: (done: number, total?: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /**
   * Removes a part that can't be opened from the cache. Whether fetching it again may help. Absent where `path` is a person's own file.
   */
  discard?(what: ResultPart): Promise<boolean>;
  /** Told its new title. */
  rename?(title: string): void;
  /** Told the ID of the result that the masks say they belong to, once they are open. */
  masksOpened?(resultId: string): void;
  /** Told how many objects the results have, once the objects table has been read. */
  objectsCounted?(objects: number): void;
  /** Told the images that the aggregate table and the masks name, once both are open. */
  imagesRead?(images: ResultImages): void;
  /** All images that were analyzed, where that is known: IDs and paths at the service. */
  analyzedItems?(): Promise<readonly AnalyzedItem[] | undefined>;
  /** Set where a table is made of several jobs' tables: each with its label, and the name of the column of labels. */
  tables?(
    what: ResultPart,
  ): { jobColumn: string; parts: ({ label: string } & Pick<ResultSource, 'path' | 'discard'>)[] } | undefined;
}

/** A file that was uploaded and became an image of a result. */
export interface UploadedImage {
  uri: string;
  size: number;
  /** Hexadecimal; absent where it wasn't computed. */
  sha256?: string;
  /** Whether the file is, by its identity, still the one that was uploaded; otherwise the hash tells. */
  isUnchanged: boolean;
}

/** Where background images under masks may come from. */
export interface BackgroundImagePairingSource {
  /** The upload that became this image (item id = image id), if it was made from here. */
  uploadRecord(source: ResultSource, imageId: string): Promise<UploadedImage | undefined>;
  workspaceFilesNamed(baseName: string, signal: AbortSignal): Promise<FileUri[]>;
  /** What the user chose or confirmed for this image before. */
  storedChoice(
    source: ResultSource,
    imageId: string,
  ): Promise<{ uri: FileUri; use?: BackgroundImageUse } | undefined>;
  storeChoice(
    source: ResultSource,
    imageId: string,
    uri: FileUri | string,
    use?: BackgroundImageUse,
  ): Promise<void>;
  /** Lets the user select a file; undefined on Esc. */
  selectFile(): Promise<FileUri | undefined>;
}
