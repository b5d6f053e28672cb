/** Where to go on with a file of which the beginning is there. */
export interface Resume {
  /** Bytes that are there. */
  from: number;
  /** The version that they are of, as `versionOf` returned it. */
  version: string;
  /** Bytes of the whole file, where the server said. */
  size?: number | undefined;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How long before a response a file must have changed for the time of the change to tell versions apart (RFC 9110, 8.8.2.2). */
const SETTLED_MS = 60_000;

/** The headers that request the rest of a file, or all of it if it is no longer that version (RFC 9110, 13.1.5). */
export function rangeHeaders(resume: Resume | undefined): Record<string, string> {
  return resume ? { range: `bytes=${resume.from}-`, 'if-range': resume.version } : {};
}

/** What tells this version of a file for certain from others; undefined where nothing does, or there are no ranges. */
export function versionOf(headers: Headers): string | undefined {
  if (String(headers['accept-ranges']).toLowerCase() === 'none') return undefined;
  const { etag, 'last-modified': changed, date } = headers;
  if (typeof etag === 'string') return /^"[^"]*"$/.test(etag) ? etag : undefined;
  const age = Date.parse(String(date)) - Date.parse(String(changed));
  return typeof changed === 'string' && age >= SETTLED_MS ? changed : undefined;
}

/** Whether a 206 is the rest that was requested. A server that ignores If-Range may send the rest of another version. */
export function isRest(headers: Headers, { from, version, size }: Resume): boolean {
  const range = rangeOf(headers);
  // A 206 may leave out which version it is of (RFC 9110, 15.3.7).
  const sent = version.startsWith('"') ? headers['etag'] : headers['last-modified'];
  return (
    range?.start === from && (sent ?? version) === version && (range.size ?? size) === (size ?? range.size)
  );
}

/** First byte and whole size that a 206 says of its part; undefined for anything else. */
export function rangeOf(headers: Headers): { start: number; size?: number } | undefined {
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(String(headers['content-range']).trim()) ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), ...(size !== '*' && { size: Number(size) }) };
}
