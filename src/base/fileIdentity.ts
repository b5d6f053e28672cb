/** Size, modification time and inode of a file on disk as one text. It differs if the file has changed. */
export function fileIdentity({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return `${size}:${mtimeMs}:${ino}`;
}
