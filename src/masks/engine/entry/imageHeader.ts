/** Compressed bytes of an entry in which its header is expected. */
export const HEADER_BYTES = 640;

/** What an image's entry has before its objects. */
export interface ImageHeader {
  id: string;
  filename: string;
  width: number;
  height: number;
}

/**
 * Reads the header from the first bytes of an entry; undefined unless they are as the service writes them. Reading the
 * whole entry checks the rest.
 */
export function readImageHeader(bytes: Uint8Array, entryId: string): ImageHeader | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const end = text.indexOf('"objects"');
  if (end < 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(`${text.slice(text.startsWith('\ufeff') ? 1 : 0, end)}"objects":0}`);
  } catch {
    return undefined;
  }
  const { id, filename, width, height } = value as Record<string, unknown>;
  if (!isSide(width) || !isSide(height)) return undefined;
  const known = nameOf(id) ?? entryId;
  return { id: known, filename: nameOf(filename) ?? known, width, height };
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}
