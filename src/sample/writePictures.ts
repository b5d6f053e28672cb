import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAside } from './writeAside';

export interface WrittenPicture {
  name: string;
  path: string;
  size: number;
  /** Whether it is new; false when a file of that name was there and was left alone. */
  written: boolean;
}

/** Writes the sample pictures into a folder, made if need be; each is generated only when it is missing. */
export async function writePictures(directory: string): Promise<WrittenPicture[]> {
  const { samplePictures } = await import('./pictures/samplePictures');
  await mkdir(directory, { recursive: true });
  const pictures: WrittenPicture[] = [];
  for (const picture of samplePictures()) {
    const { name } = picture;
    const path = join(directory, name);
    const existing = await sizeOf(path);
    if (existing === undefined) {
      const content = picture.bytes();
      await writeAside(path, content, 0o644);
      pictures.push({ name, path, size: content.byteLength, written: true });
    } else {
      pictures.push({ name, path, size: existing, written: false });
    }
  }
  return pictures;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
