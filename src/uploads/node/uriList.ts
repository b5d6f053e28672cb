/** The URIs of a `text/uri-list` (RFC 2483): one per line, `#` begins a comment. */
export function urisInList(list: string): string[] {
  return list.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'));
}
