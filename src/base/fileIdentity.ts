/** What of a file's stats tells whether it has changed. */
interface FileStats {
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  mtimeMs: number;
  ino: number;
}

/** Size, modification time and inode of a file on disk as one text. It differs if the file has changed. */
export function fileIdentity({ size, mtimeMs, ino }: FileStats): string {
  return `${size}:${mtimeMs}:${ino}`;
}

/** Whether the identity is the same, without making it. */
export function isUnchanged(before: FileStats, now: FileStats): boolean {
  return before.size === now.size && before.mtimeMs === now.mtimeMs && before.ino === now.ino;
}
