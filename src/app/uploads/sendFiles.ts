import type { AccountSession } from '../accounts/accountSession';
import type { ExpandedFiles } from './expandFiles';
import type { SendOptions, SendResult } from './uploadOutcome';

/** Uploads files for a program; one that fails is listed, the others go on. Nothing of it outlives the window. */
export async function sendFiles(
  {
    client,
    uploadRecords,
    uploadHashes,
    startReader,
  }: Pick<AccountSession, 'client' | 'uploadRecords' | 'uploadHashes' | 'startReader'>,
  { files, failed }: Pick<ExpandedFiles, 'files' | 'failed'>,
  { destinationFolder, concurrency, open, signal, onProgress }: SendOptions,
): Promise<SendResult> {
  const { uploadFiles } = await import('../../uploads/uploadQueue');
  const { readerFor } = await import('./smallFileReader');
  const reader = await readerFor(files, startReader);
  const held = uploadHashes.hold();
  try {
    const sources = files.map(file => open(file, reader));
    const sent = await uploadFiles(client, sources, {
      ...(destinationFolder && { destinationFolder }),
      concurrency,
      records: uploadRecords,
      onProgress: progress => onProgress?.(progress),
      signal,
    });
    return { uploaded: sent.uploaded, failed: [...failed, ...sent.failed] };
  } finally {
    reader?.dispose();
    held.dispose();
    await uploadRecords.flush();
  }
}
