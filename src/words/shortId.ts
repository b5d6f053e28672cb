/** Characters of its ID by which something without a name is told from others. */
const SHORT_ID = 6;

/** The end of a long ID; undefined for one that is short as it is. */
export function shortId(id: string): string | undefined {
  return id.length > SHORT_ID ? id.slice(-SHORT_ID) : undefined;
}
