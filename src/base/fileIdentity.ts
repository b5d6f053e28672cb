/** A text made of size, time of change and inode of a file on disk: another one means that the file has changed. */
export function fileIdentity({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return `${size}:${mtimeMs}:${ino}`;
}
