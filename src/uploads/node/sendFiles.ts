import type { CodedError } from '../../base/errors';
import type { AnalysisClient } from '../../service/node/client';
import { errorWords } from '../../words/errorWords';
import { plainEnglish } from '../../words/translate';
import type { ExpandedFiles, LocalFile } from './expandFiles';
import type { ShortFiles } from './fileReading';
import type { FileSource } from './fileSource';
import type { UploadProgress } from './fileUpload';
import type { UploadHashes, UploadRecords } from './uploadRecords';

/** The members of an account's session that an upload needs. */
interface Sender {
  client: Pick<AnalysisClient, 'uploadFile'>;
  uploadRecords: Pick<UploadRecords, 'add' | 'flush'>;
  uploadHashes: Pick<UploadHashes, 'hold'>;
}

/** Uploads files for a program; a failed file is listed, the others continue. */
export async function sendFiles(
  { client, uploadRecords, uploadHashes }: Sender,
  { files, failed }: Pick<ExpandedFiles, 'files' | 'failed'>,
  { destinationFolder, concurrency, open, signal, onProgress }: SendOptions,
): Promise<SendResult> {
  const { UploadQueue } = await import('./uploadQueue');
  const { ShortFiles } = await import('./fileReading');
  const hashesHold = uploadHashes.hold();
  try {
    const shortFiles = new ShortFiles();
    const sources = files.map(file => open(file, shortFiles));
    const queue = new UploadQueue(client, sources, {
      ...(destinationFolder && { destinationFolder }),
      concurrency,
      records: uploadRecords,
      onProgress: progress => onProgress?.(progress),
      signal,
    });
    const sent = await queue.run();
    return { uploaded: sent.uploaded, failed: [...failed, ...sent.failed] };
  } finally {
    hashesHold.dispose();
    await uploadRecords.flush();
  }
}

/** The outcome of an upload. */
export interface SendResult {
  uploaded: { uri: string; id: string; fileName: string }[];
  failed: { uri: string; error: CodedError }[];
}

/** The outcome in the public API. */
export interface SendReport {
  uploaded: SendResult['uploaded'];
  failed: { uri: string; code: string; message: string }[];
}

/** The form of an outcome in the public API; messages are in English. */
export function sendReport({ uploaded, failed }: SendResult): SendReport {
  const messages = failed.map(({ uri, error }) => ({
    uri,
    code: error.code,
    message: errorWords(plainEnglish, error),
  }));
  return { uploaded, failed: messages };
}

export interface SendOptions {
  /** "" for the root. */
  destinationFolder: string;
  concurrency: number;
  /** Makes a source of a file; `shortFiles` reads short files on disk. */
  open: (file: LocalFile, shortFiles?: ShortFiles) => FileSource;
  signal: AbortSignal;
  onProgress?(progress: UploadProgress): void;
}

/** The failed files of an upload, to retry them. */
export function failedFiles(files: readonly LocalFile[], { failed }: SendResult): LocalFile[] {
  const uris = new Set(failed.map(({ uri }) => uri));
  return files.filter(({ uri }) => uris.has(uri));
}

/** Whether to submit a program's job after its upload. Without all files, only if allowed. */
export function mayAnalyze({ uploaded, failed }: SendReport, allowPartial: boolean): boolean {
  return uploaded.length > 0 && (failed.length === 0 || allowPartial);
}
