import type { CodedError } from '../../base/errors';
import { errorWords } from '../../words/errorWords';
import { plainEnglish } from '../../words/translate';
import type { LocalFile } from './expandFiles';
import type { ShortFiles } from './fileReading';
import type { FileSource } from './fileSource';
import type { UploadProgress } from './fileUpload';

/** The outcome of an upload. */
export interface SendResult {
  uploaded: { uri: string; id: string; fileName: string }[];
  failed: { uri: string; error: CodedError }[];
}

/** The outcome in the contract's form, for programs. */
export interface SendReport {
  uploaded: SendResult['uploaded'];
  failed: { uri: string; code: string; message: string }[];
}

/** The contract's form of an outcome; messages are in English. */
export function sendReport({ uploaded, failed }: SendResult): SendReport {
  const messages = failed.map(({ uri, error }) => ({
    uri,
    code: error.code,
    message: errorWords(plainEnglish, error),
  }));
  return { uploaded, failed: messages };
}

export interface SendOptions {
  /** "" for the top. */
  destinationFolder: string;
  concurrency: number;
  /** Opens a file as the editor reads it; `short` reads short files on disk. */
  open: (file: LocalFile, short?: ShortFiles) => FileSource;
  signal: AbortSignal;
  onProgress?(progress: UploadProgress): void;
}

/** The files of an upload that failed, to retry only these. */
export function failedFiles(files: readonly LocalFile[], { failed }: SendResult): LocalFile[] {
  const uris = new Set(failed.map(({ uri }) => uri));
  return files.filter(({ uri }) => uris.has(uri));
}

/** Whether a program's job is submitted after its upload: of no files never, of a part only where it allows that. */
export function mayAnalyze({ uploaded, failed }: SendReport, allowPartial: boolean): boolean {
  return uploaded.length > 0 && (failed.length === 0 || allowPartial);
}
