/** A tag of an XML text that doesn't end an element. */
export interface XmlTag {
  name: string;
  attributes: Map<string, string>;
  /** The text from the tag to the next one. */
  content(): string;
}

/** Beyond, the text of an element is none of a number or a word. */
const MAX_CONTENT = 1000;

/**
 * The tags of an XML text in its order, without their namespaces. Only tags and their attributes
 * matter, so the text is only scanned for them: it may have tens of megabytes, no tree is built,
 * and entities can't expand.
 */
export function* tagsOf(text: string): Generator<XmlTag> {
  // Comments may hold tags that are none, and one that does not end takes the rest; attributes may
  // hold ">".
  const tag =
    /<!--[^]*?(?:-->|$)|<(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
  for (const match of text.matchAll(tag)) {
    const [all, name, list] = match;
    if (name === undefined) continue;
    const attributes = new Map<string, string>();
    for (const [, key = '', double, single] of (list ?? '').matchAll(
      /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    ))
      attributes.set(key, plainText(double ?? single ?? ''));
    const end = match.index + all.length;
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

/** A number from 0 on without a fraction, or another where the text is none. */
export function wholeNumber(text: string | undefined, otherwise: number): number {
  const number = Number(text ?? NaN);
  return Number.isInteger(number) && number >= 0 ? number : otherwise;
}
