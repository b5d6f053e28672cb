import type { RunningUpload } from './accountUploads';

/** How far all uploads of a window are; undefined without any. */
export function uploadsTotal(
  running: readonly Pick<RunningUpload, 'queue'>[],
): { filesDone: number; filesTotal: number; percent: number } | undefined {
  const files = running.flatMap(({ queue }) => queue.files);
  if (files.length === 0) return undefined;
  let [filesDone, sent, size] = [0, 0, 0];
  for (const file of files) {
    const isOver = file.state !== 'queued' && file.state !== 'sending';
    if (isOver) filesDone += 1;
    sent += isOver ? file.size : file.sent;
    size += file.size;
  }
  return { filesDone, filesTotal: files.length, percent: size === 0 ? 0 : Math.floor((sent / size) * 100) };
}
