import { createHash } from 'node:crypto';

/** Namespace of the names below: a random UUID of our own. */
const NAMESPACE = Buffer.from('6f2b2f0c9a5d4d6e8a3f0b6f6f3d5c21', 'hex');

/** The UUID of a name (RFC 9562, version 5): the same name has the same UUID. */
export function nameUuid(...name: (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(name)).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
