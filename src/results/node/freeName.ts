import { posix } from 'node:path';

/** More are not tried: the dialog that shows the name asks before it replaces a file. */
const MAX_TRIES = 1000;

/** A name that no file has: the given one, or with the first free number before its extension. */
export async function freeName(name: string, exists: (name: string) => Promise<boolean>): Promise<string> {
  const { name: stem, ext } = posix.parse(name);
  for (let number = 2, free = name; number <= MAX_TRIES; free = `${stem}-${number++}${ext}`) {
    if (!(await exists(free))) return free;
  }
  return name;
}
