/** Hides what must not be read in a log: the known keys, and what follows the path of every link (its signature). */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  let masked = text;
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
      masked = masked.replaceAll(form, '•••');
    }
  }
  return masked.replace(/(\bhttps?:\/\/[^\s"'<>?#]*)[?#][^\s"'<>]*/gi, '$1?•••');
}
