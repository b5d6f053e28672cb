import type { UploadProgress } from './uploadMeter';
import { formatBytes, formatDuration } from '../../words/format';
import type { Language } from '../../words/translate';

/** How far an upload is, in one line: files where there are several, bytes, and speed and time left once they are known. */
export function uploadProgressText({ t, locale }: Language, progress: UploadProgress): string {
  const { filesDone, filesTotal, bytesSent, bytesTotal, bytesPerSecond, secondsLeft } = progress;
  const size = (bytes: number) => formatBytes(locale, bytes);
  return [
    ...(filesTotal > 1 ? [t('{0} of {1} files', filesDone, filesTotal)] : []),
    t('{0} of {1}', size(bytesSent), size(bytesTotal)),
    ...(bytesPerSecond ? [t('{0}/s', size(bytesPerSecond))] : []),
    ...(secondsLeft ? [t('{0} left', formatDuration(t, secondsLeft))] : []),
  ].join(' · ');
}

/** 0…100; 0 where there is nothing to send. */
export function uploadPercent({ bytesSent, bytesTotal }: UploadProgress): number {
  return bytesTotal === 0 ? 0 : (bytesSent / bytesTotal) * 100;
}
