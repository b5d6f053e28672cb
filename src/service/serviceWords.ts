import { secretMask } from '../base/secretMask';

const MAX_CHARACTERS = 300;
/** Characters read: a body may have megabytes without a word's end, too much for a pattern. */
const MAX_READ = 4000;
/** Characters that an encoding may make of one, as \u0041 in JSON. */
const MAX_ENCODED = 6;

/**
 * A text of the service as it may be shown and logged: on one line, at most 300 characters, links
 * and the given secrets masked. Of a long text only the beginning is read. Undefined if nothing is
 * left.
 */
export function quotable(text: string, secrets: readonly string[] = []): string | undefined {
  return quote(text, secrets, MAX_CHARACTERS);
}

function quote(text: string, secrets: readonly string[], maxCharacters: number): string | undefined {
  const longest = Math.max(0, ...secrets.map(secret => secret.length * MAX_ENCODED));
  const begun = text.trimStart();
  let quoted = begun.slice(0, MAX_READ + longest);
  const isWhole = quoted.length === begun.length;
  for (const secret of secrets) quoted = secretMask(secret)(quoted);
  // Control characters, and characters that change the direction of the text after them.
  quoted = withoutLinks(quoted)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  // Half a secret may stand where reading ended.
  if (!isWhole && longest > 0) quoted = quoted.slice(0, -longest);
  if (quoted === '') return undefined;
  if (quoted.length <= maxCharacters) return quoted;
  return `${quoted.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Leaves out links, which may be signed: also without scheme, percent-encoded, or with \/. */
function withoutLinks(text: string): string {
  return text
    .replaceAll('\\/', '/')
    .replace(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi, '[link]')
    .replace(/[^\s"'<>(){}[\]|\\,;]+/g, word => (LINK.some(form => form.test(word)) ? '[link]' : word));
}

const LINK = [
  // Begins with a host: //host, www.host, host.example/path, 10.0.0.1:8080/path, with a name such
  // as "url=" before it.
  /^(?:\w+[=:])?(?:\/\/\w|www\.|(?:[\w-]+\.)+\w+(?::\d+)?\/)/i,
  // Has parameters, as a signature is one.
  /[?&#][\w.~%-]+=/,
  /%(?:25)?(?:2f%(?:25)?2f|3f)/i,
];

const EXCERPT_CHARACTERS = 120;

/** The beginning of a response that can't be read, as `quotable`, at most 120 characters. */
export function excerptOf(body: string, secrets: readonly string[]): string | undefined {
  return quote(body, secrets, EXCERPT_CHARACTERS);
}

/**
 * What an error body says: `message`, `error`, `errors`, `detail` or `reason` of a JSON object,
 * each a text, an object of that kind or a list of them; or a plain text. A page of HTML says
 * nothing.
 */
export function wordsOfBody(body: string, secrets: readonly string[]): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return /^\s*</.test(body) ? undefined : quotable(body, secrets);
  }
  const words = wordsIn(parsed, 0);
  return words === undefined ? undefined : quotable(words, secrets);
}

function wordsIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) {
    const all = value.slice(0, 5).map(entry => wordsIn(entry, depth + 1));
    return all.filter(words => words !== undefined).join('; ') || undefined;
  }
  const body = value as Record<string, unknown>;
  for (const field of ['message', 'error', 'errors', 'detail', 'reason']) {
    const words = Object.hasOwn(body, field) ? wordsIn(body[field], depth + 1) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}
