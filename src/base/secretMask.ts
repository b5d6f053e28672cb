/*
 * Others may give a secret back in another form: encoded for an address, for JSON or HTML, as base64 alone or with something
 * before it ("user:key"), also broken over lines, or as hexadecimal digits. Each character is matched in all the ways it may
 * be written.
 */

/** Puts a mark in place of a secret, in whatever of the usual encodings it is written; takes time linear in the text. */
export function secretMask(secret: string): (text: string) => string {
  if (secret === '') return text => text;
  const plain = pattern([...secret]);
  const bytes = new TextEncoder().encode(secret);
  const cores = base64Cores(bytes).filter(core => core.length >= MIN_CORE);
  const inBase64 = cores.map(core => pattern(core, URL_ALPHABET));
  const inBroken = inBase64.filter((_, index) => (cores[index]?.length ?? 0) >= MIN_BROKEN_CORE);
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  const inHex = new RegExp(digits, 'gi');
  return text => {
    let masked = text.replace(plain, MASK);
    for (const core of inBase64) masked = maskRuns(masked, core, { joined: masked });
    let joined = withoutGaps(masked);
    for (const core of inBroken) {
      if (!joined) break;
      const next = maskRuns(masked, core, joined);
      if (next === masked) continue;
      masked = next;
      joined = withoutGaps(masked);
    }
    return masked.replace(inHex, MASK);
  };
}

const MASK = '•••';

/** Fewer characters are too common to mean anything. */
const MIN_CORE = 5;

/** Fewer could be the ends and beginnings of words that follow each other. */
const MIN_BROKEN_CORE = 8;

function pattern(characters: readonly string[], also: Readonly<Record<string, string>> = {}): RegExp {
  const ways = characters.map(character => [character, also[character]].filter(one => one !== undefined));
  return new RegExp(ways.map(one => `(?:${one.map(waysToWrite).join('|')})`).join(''), 'gu');
}

/** In base64 for addresses. */
const URL_ALPHABET: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

/**
 * As it is, percent-encoded, once or twice, as an escape of JSON or an entity of HTML. The longest come first: the
 * beginning of \u0075 is also the secret "u0" with a backslash before it.
 */
function waysToWrite(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const bytes = new TextEncoder().encode(character);
  const percent = Array.from(bytes, byte => `%(?:25)?${anyCase(byte.toString(16).padStart(2, '0'))}`).join(
    '',
  );
  const ways = [`&#0*${code};`, `&#[xX]0*${anyCase(code.toString(16))};`, percent];
  if (code <= 0xffff) ways.push(`\\\\u${anyCase(code.toString(16).padStart(4, '0'))}`);
  const named = OTHER_WAYS[character];
  if (named !== undefined) ways.push(named);
  ways.push(`\\\\?${literal(character)}`);
  return `(?:${ways.join('|')})`;
}

const OTHER_WAYS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function literal(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * What is always in base64 that holds these bytes: three texts, as bytes can begin at each of three places, without the
 * characters that depend on what stands before and after.
 */
function base64Cores(bytes: Uint8Array): string[][] {
  return [0, 1, 2].map(offset => {
    const placed = String.fromCharCode(...new Uint8Array(offset), ...bytes);
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    return [...btoa(placed).slice(first, end)];
  });
}

/** A text, or what is left of it without gaps and then where each unit of that stands in the text. */
interface Joined {
  joined: string;
  places?: Int32Array;
}

/** Masks what matches with all of base64 around it: the rest holds parts of the secret's first and last bytes. */
function maskRuns(text: string, core: RegExp, { joined, places }: Joined): string {
  const placeOf = (index: number) => places?.[index] ?? index;
  let masked = '';
  let end = 0;
  for (const match of joined.matchAll(core)) {
    let from = placeOf(match.index);
    let to = placeOf(match.index + match[0].length - 1) + 1;
    if (from < end) continue;
    while (from > end && BASE64.test(text.charAt(from - 1))) from -= 1;
    while (to < text.length && BASE64.test(text.charAt(to))) to += 1;
    masked += text.slice(end, from) + MASK;
    end = to;
  }
  return masked + text.slice(end);
}

const BASE64 = /[\w+/=%-]/;

/** Whitespace, and line breaks and tabs as JSON and addresses write them. */
const GAP = /\s+|(?:\\[nrt])+|(?:%(?:25)?(?:0[9adAD]|20))+/gu;

/** Undefined for a text that has no gaps. */
function withoutGaps(text: string): Joined | undefined {
  const places = new Int32Array(text.length);
  let joined = '';
  let start = 0;
  const add = (end: number) => {
    for (let place = start, at = joined.length; place < end; place++, at++) places[at] = place;
    joined += text.slice(start, end);
  };
  for (const { index, 0: gap } of text.matchAll(GAP)) {
    add(index);
    start = index + gap.length;
  }
  add(text.length);
  return start === 0 ? undefined : { joined, places };
}
