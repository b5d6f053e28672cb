const LONGEST = 300;

/**
 * A text of the service as it may be shown and logged: on one line, at most 300 characters, links and the given secrets
 * masked. Undefined if nothing is left.
 */
export function quotable(text: string, secrets: readonly string[] = []): string | undefined {
  let quoted = text;
  for (const secret of secrets) if (secret !== '') quoted = quoted.replaceAll(secret, '•••');
  // Control characters, and those that turn the direction of what follows.
  quoted = quoted
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[link]')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  if (quoted === '') return undefined;
  return quoted.length > LONGEST
    ? `${quoted.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : quoted;
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
