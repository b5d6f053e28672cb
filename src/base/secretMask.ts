/*
 * Other programs may repeat a secret in another form: encoded for an address, for JSON or HTML; as
 * base64, alone or after other text ("user:key"), also broken over lines; as hexadecimal digits;
 * and each of these in upper or lower case. The patterns match each character in all of these
 * forms.
 */

/** Masks a secret in all usual encodings. The time is linear in the length of the text. */
export function secretMask(secret: string): (text: string) => string {
  if (secret === '') return text => text;
  const plain = pattern([...secret].map(inAnyCase));
  const secretBytes = bytesOf(secret);
  const cases = new Set([secret.toUpperCase(), secret.toLowerCase()]);
  const otherCases = [...cases].filter(text => text !== secret).map(bytesOf);
  // Programs rarely change the case before they encode. These patterns omit escapes of letters,
  // which take milliseconds to prepare.
  const inBase64 = [
    ...coresOf(secretBytes).map(escapedCorePattern),
    ...otherCases.flatMap(coresOf).map(plainCorePattern),
  ];
  const coresWithGaps = inBase64.filter(({ length }) => length >= MIN_BROKEN_CORE);
  const inHex = new RegExp([secretBytes, ...otherCases].map(hexOf).join('|'), 'gi');
  return text => {
    let masked = text.replace(plain, MASK);
    for (const { core } of inBase64) masked = maskRuns(masked, core, { joined: masked });
    let joined = withoutGaps(masked);
    for (const { core } of coresWithGaps) {
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

/** Minimum characters of a core: shorter ones occur in ordinary text. */
const MIN_CORE = 5;

/** Minimum characters of a core with gaps: shorter ones occur across neighboring words. */
const MIN_BROKEN_CORE = 8;

/** A pattern for a core of base64, and the number of characters of the core. */
interface CorePattern {
  core: RegExp;
  length: number;
}

function escapedCorePattern(core: readonly string[]): CorePattern {
  return { core: pattern(core.map(inBothAlphabets)), length: core.length };
}

function plainCorePattern(core: readonly string[]): CorePattern {
  const characters = core.map(character =>
    /\w/.test(character) ? character : spellings(inBothAlphabets(character)),
  );
  return { core: new RegExp(characters.join(''), 'gu'), length: core.length };
}

function coresOf(bytes: Uint8Array): string[][] {
  return base64Cores(bytes).filter(core => core.length >= MIN_CORE);
}

function bytesOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}

/** Matches one of several characters at each position of a text. */
function pattern(alternatives: readonly (readonly string[])[]): RegExp {
  return new RegExp(alternatives.map(spellings).join(''), 'gu');
}

/** A character in both cases, but not a case that takes several letters. */
function inAnyCase(character: string): string[] {
  const cases = [character, character.toUpperCase(), character.toLowerCase()];
  return [...new Set(cases)].filter(text => [...text].length === 1);
}

/** A character in both alphabets: base64 for addresses replaces two characters. */
function inBothAlphabets(character: string): string[] {
  const replacement = URL_ALPHABET[character];
  return replacement === undefined ? [character] : [character, replacement];
}

const URL_ALPHABET: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

/**
 * A pattern for the characters: plain, percent-encoded once or twice, escaped in JSON, or as HTML
 * entities. Longer forms come first, because \u0075 also begins like the secret "u0" after a
 * backslash.
 */
function spellings(characters: readonly string[]): string {
  const codes = characters.map(character => character.codePointAt(0) ?? 0);
  const hex = codes.map(code => code.toString(16));
  const patterns = [`&#0*${anyOf(codes.map(String))};`, `&#[xX]0*${anyOf(hex.map(anyCase))};`];
  const percent = characters.map(character =>
    Array.from(bytesOf(character), byte => anyCase(byte.toString(16).padStart(2, '0'))),
  );
  patterns.push(anyOf(percent.map(bytes => bytes.map(byte => `%(?:25)?${byte}`).join(''))));
  const short = hex.filter(digits => digits.length <= 4).map(digits => anyCase(digits.padStart(4, '0')));
  if (short.length > 0) patterns.push(`\\\\u${anyOf(short)}`);
  patterns.push(
    ...characters.map(character => OTHER_SPELLINGS[character]).filter(named => named !== undefined),
  );
  patterns.push(`\\\\?[${characters.map(literal).join('')}]`);
  return `(?:${patterns.join('|')})`;
}

const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 1 && patterns[0] !== undefined ? patterns[0] : `(?:${patterns.join('|')})`;
}

function literal(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Cores: the base64 characters that encode these bytes in any text. There is one core for each of
 * the three offsets at which the bytes can begin. It omits characters that depend on other bytes.
 */
function base64Cores(bytes: Uint8Array): string[][] {
  return [0, 1, 2].map(offset => {
    const padded = String.fromCharCode(...new Uint8Array(offset), ...bytes);
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    return [...btoa(padded).slice(first, end)];
  });
}

/** A text without its gaps, and the position of each of its UTF-16 units in the original text. */
interface Joined {
  joined: string;
  positions?: Int32Array;
}

/** Masks matches and the base64 around them, which encodes the first and last bytes. */
function maskRuns(text: string, core: RegExp, { joined, positions }: Joined): string {
  const originalIndex = (index: number) => positions?.[index] ?? index;
  let masked = '';
  let end = 0;
  for (const match of joined.matchAll(core)) {
    let start = originalIndex(match.index);
    let matchEnd = originalIndex(match.index + match[0].length - 1) + 1;
    if (start < end) continue;
    while (start > end && BASE64.test(text.charAt(start - 1))) start -= 1;
    while (matchEnd < text.length && BASE64.test(text.charAt(matchEnd))) matchEnd += 1;
    masked += text.slice(end, start) + MASK;
    end = matchEnd;
  }
  return masked + text.slice(end);
}

const BASE64 = /[\w+/=%-]/;

/** Whitespace, also as JSON and addresses encode it. */
const GAP = /\s+|(?:\\[nrt])+|(?:%(?:25)?(?:0[9adAD]|20))+/gu;

/** Removes the gaps from a text; undefined if it has none. */
function withoutGaps(text: string): Joined | undefined {
  const positions = new Int32Array(text.length);
  let joined = '';
  let start = 0;
  const add = (end: number) => {
    for (let position = start, joinedIndex = joined.length; position < end; position++, joinedIndex++)
      positions[joinedIndex] = position;
    joined += text.slice(start, end);
  };
  for (const { index, 0: gap } of text.matchAll(GAP)) {
    add(index);
    start = index + gap.length;
  }
  add(text.length);
  return start === 0 ? undefined : { joined, positions };
}
