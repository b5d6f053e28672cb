import { secretMask } from '../base/secretMask';

const MAX_CHARACTERS = 300;
/**
 * Maximum number of characters read: a body may have megabytes without a space, too much for a
 * regular expression.
 */
const MAX_READ = 4000;
/** Maximum length of an encoded character, as \u0041 in JSON. */
const MAX_ENCODED = 6;

/**
 * A text of the service to show or log: one line of at most 300 characters, with links and secrets
 * masked. Only the beginning of a long text is read. Undefined if nothing remains.
 */
export function quotable(text: string, secrets: readonly string[] = []): string | undefined {
  return quote(text, secrets, MAX_CHARACTERS);
}

function quote(text: string, secrets: readonly string[], maxCharacters: number): string | undefined {
  const longest = Math.max(0, ...secrets.map(secret => secret.length * MAX_ENCODED));
  const trimmed = text.trimStart();
  let quoted = trimmed.slice(0, MAX_READ + longest);
  const isComplete = quoted.length === trimmed.length;
  for (const secret of secrets) quoted = secretMask(secret)(quoted);
  // Control characters, and characters that change the direction of the text after them.
  quoted = withoutLinks(quoted)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  // The end may contain a part of a secret.
  if (!isComplete && longest > 0) quoted = quoted.slice(0, -longest);
  if (quoted === '') return undefined;
  if (quoted.length <= maxCharacters) return quoted;
  return `${quoted.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Replaces links, which may be signed, also without scheme, percent-encoded, or with \/. */
function withoutLinks(text: string): string {
  return text
    .replaceAll('\\/', '/')
    .replace(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi, '[link]')
    .replace(/[^\s"'<>(){}[\]|\\,;]+/g, word => (LINK.some(form => form.test(word)) ? '[link]' : word));
}

const LINK = [
  // Begins with a host: //host, www.host, host.example/path, 10.0.0.1:8080/path; also after a name
  // such as "url=".
  /^(?:\w+[=:])?(?:\/\/\w|www\.|(?:[\w-]+\.)+\w+(?::\d+)?\/)/i,
  // Has parameters, which may be a signature.
  /[?&#][\w.~%-]+=/,
  /%(?:25)?(?:2f%(?:25)?2f|3f)/i,
];

const EXCERPT_CHARACTERS = 120;

/** The beginning of an unreadable response, masked as by `quotable`, at most 120 characters. */
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
    const entries = value.slice(0, 5).map(entry => wordsIn(entry, depth + 1));
    return entries.filter(words => words !== undefined).join('; ') || undefined;
  }
  const body = value as Record<string, unknown>;
  for (const field of ['message', 'error', 'errors', 'detail', 'reason']) {
    const words = Object.hasOwn(body, field) ? wordsIn(body[field], depth + 1) : undefined;
    if (words !== undefined) return words;
  }
  return undefined;
}
