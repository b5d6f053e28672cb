import { createHash } from 'node:crypto';

/** What the names of a key's intents begin with. */
export function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

export function fileOf(keyName: string, generation: number): string {
  return `${keyName}.${generation}.json`;
}

/** The numbers of the intents of each key, by the name of the key, the highest first. Other files are left out. */
export function numbersByName(fileNames: readonly string[]): Map<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const fileName of fileNames) {
    const [, keyName, number] = /^([0-9a-f]+)\.(\d+)\.json$/.exec(fileName) ?? [];
    if (keyName === undefined) continue;
    const numbers = found.get(keyName) ?? [];
    numbers.push(Number(number));
    found.set(keyName, numbers);
  }
  for (const numbers of found.values()) numbers.sort((one, other) => other - one);
  return found;
}
