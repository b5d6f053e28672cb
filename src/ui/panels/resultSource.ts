import type * as vscode from 'vscode';

export type ResultWhat = 'objects' | 'aggregate' | 'masks' | 'file';

/** A job's results, or one local file, as the panels see it. */
export interface ResultSource {
  /** Tells results apart, such as account and job id, or a file's uri; no secret. */
  readonly key: string;
  readonly title: string;
  /** The account it belongs to: its panels close when that signs out. */
  readonly accountId?: string;
  /** JSON from which the source can be made again after a reload; no secret. */
  readonly restore: unknown;
  /** Path of a part on disk, downloaded first if need be; progress in bytes. Rejects with a coded error; never starts paid work. */
  path(
    what: ResultWhat,
    onProgress: (done: number, total?: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** Set where a table is made of several jobs' tables: each with its label, and the name of the column of labels. */
  tables?(
    what: ResultWhat,
  ): { jobColumn: string; parts: { label: string; path: ResultSource['path'] }[] } | undefined;
}

/** How the user lets a picture of another size lie under masks: by a level or a page of it, or stretched. */
export type PictureUse = { level: number } | { page: number } | { scaled: true };

/** Where pictures under masks may come from. */
export interface PicturePairingSource {
  /** The upload that became this image (item id = image id), if it was made from here. */
  uploadRecord(
    source: ResultSource,
    imageId: string,
  ): Promise<{ uri: string; sha256: string; size: number } | undefined>;
  workspaceFilesNamed(baseName: string, signal: AbortSignal): Promise<vscode.Uri[]>;
  /** What the user chose or confirmed for this image before. */
  remembered(
    source: ResultSource,
    imageId: string,
  ): Promise<{ uri: vscode.Uri; use?: PictureUse } | undefined>;
  remember(source: ResultSource, imageId: string, uri: vscode.Uri | string, use?: PictureUse): Promise<void>;
  /** Lets the user pick a file; undefined on Esc. */
  pick(): Promise<vscode.Uri | undefined>;
}
