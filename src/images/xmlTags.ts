/** A start tag or an empty tag of an XML text. */
export interface XmlTag {
  name: string;
  attributes: Map<string, string>;
  /** The text from the tag to the next one. */
  content(): string;
}

/** Maximum characters of an element's text; numbers and words are shorter. */
const MAX_CONTENT = 1000;

/**
 * The tags of an XML text in order, without their namespaces. Scans for tags and attributes instead
 * of building a tree, because the text may have tens of megabytes. Ignores declared entities.
 */
export function* tagsOf(text: string): Generator<XmlTag> {
  // Skip comments, which may contain tags; an unclosed comment reaches to the end. Attributes may
  // contain ">".
  const tag =
    /<!--[^]*?(?:-->|$)|<(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
  for (const match of text.matchAll(tag)) {
    const [source, name, attributeList] = match;
    if (name === undefined) continue;
    const attributes = new Map<string, string>();
    for (const [, key = '', double, single] of (attributeList ?? '').matchAll(
      /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    ))
      attributes.set(key, plainText(double ?? single ?? ''));
    const end = match.index + source.length;
    const content = () => {
      const [part = ''] = text.slice(end, end + MAX_CONTENT).split('<', 1);
      return plainText(part).trim();
    };
    yield { name, attributes, content };
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plainText(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, entity: string) => {
    const code = hex ? parseInt(String(hex), 16) : decimal ? Number(decimal) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    return ENTITIES[entity] ?? whole;
  });
}

/** A non-negative integer from a text; `fallback` if the text isn't one. */
export function wholeNumber(text: string | undefined, fallback: number): number {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 ? number : fallback;
}
