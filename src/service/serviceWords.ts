import { secretMask } from '../base/secretMask';

const MAX_CHARACTERS = 300;

/**
 * A text of the service as it may be shown and logged: on one line, at most 300 characters, links and the given secrets
 * masked. Undefined if nothing is left.
 */
export function quotable(text: string, secrets: readonly string[] = []): string | undefined {
  let quoted = text;
  for (const secret of secrets) quoted = secretMask(secret)(quoted);
  // Control characters, and those that turn the direction of what follows.
  quoted = withoutLinks(quoted)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (quoted === '') return undefined;
  return quoted.length > MAX_CHARACTERS
    ? `${quoted.slice(0, MAX_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : quoted;
}

/** A link may be signed: it is left out, also without a scheme, percent-encoded, or with the escaped slashes of JSON. */
function withoutLinks(text: string): string {
  return text
    .replaceAll('\\/', '/')
    .replace(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi, '[link]')
    .replace(/[^\s"'<>(){}[\]|\\,;]+/g, word => (LINK.some(form => form.test(word)) ? '[link]' : word));
}

const LINK = [
  // Begins with a host: //host, www.host, host.example/path, 10.0.0.1:8080/path, with a name such as "url=" before it.
  /^(?:\w+[=:])?(?:\/\/\w|www\.|(?:[\w-]+\.)+\w+(?::\d+)?\/)/i,
  // Has parameters, as a signature is one.
  /[?&#][\w.~%-]+=/,
  /%(?:25)?(?:2f%(?:25)?2f|3f)/i,
];

const EXCERPT_CHARACTERS = 120;
const READ_FOR_EXCERPT = 4000;
/** Characters that an encoding may make of one, as \u0041 in JSON. */
const MAX_ENCODED = 6;

/** The beginning of a response that can't be read, as `quotable`, at most 120 characters. */
export function excerptOf(body: string, secrets: readonly string[]): string | undefined {
  const longest = Math.max(0, ...secrets.map(secret => secret.length * MAX_ENCODED));
  const read = body.slice(0, READ_FOR_EXCERPT + longest);
  const quoted = quotable(read, secrets) ?? '';
  // Half a secret may stand where reading ended.
  const whole = read.length < body.length ? quoted.slice(0, -longest || undefined) : quoted;
  if (whole.length <= EXCERPT_CHARACTERS) return whole || undefined;
  return `${whole.slice(0, EXCERPT_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * What an error body says: `message`, `error`, `errors`, `detail` or `reason` of a JSON object, each a text, an object
 * of that kind or a list of them; or a plain text. A page of HTML says nothing.
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
