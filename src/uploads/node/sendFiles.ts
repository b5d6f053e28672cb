import type { ExpandedFiles } from './expandFiles';
import type { SendOptions, SendResult } from './uploadOutcome';
import type { UploadSession } from './uploadSessions';

/** Uploads files for a program; one that fails is listed, the others go on. Nothing of it outlives the window. */
export async function sendFiles(
  { client, uploadRecords, uploadHashes }: Pick<UploadSession, 'client' | 'uploadRecords' | 'uploadHashes'>,
  { files, failed }: Pick<ExpandedFiles, 'files' | 'failed'>,
  { destinationFolder, concurrency, open, signal, onProgress }: SendOptions,
): Promise<SendResult> {
  const { uploadFiles } = await import('./uploadQueue');
  const { ShortFiles } = await import('./fileReading');
  const held = uploadHashes.hold();
  try {
    const short = new ShortFiles();
    const sources = files.map(file => open(file, short));
    const sent = await uploadFiles(client, sources, {
      ...(destinationFolder && { destinationFolder }),
      concurrency,
      records: uploadRecords,
      onProgress: progress => onProgress?.(progress),
      signal,
    });
    return { uploaded: sent.uploaded, failed: [...failed, ...sent.failed] };
  } finally {
    held.dispose();
    await uploadRecords.flush();
  }
}
