import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomicFile } from '../../../base/node/atomicFile';

interface WrittenImage {
  name: string;
  path: string;
  size: number;
  /** Whether it is new; false when a file of that name already existed. */
  written: boolean;
}

/** Writes the sample images into a folder, created if missing; each is drawn only when it is missing. */
export async function writeImages(directory: string): Promise<WrittenImage[]> {
  const { sampleImages } = await import('./sampleImages');
  await mkdir(directory, { recursive: true });
  const images: WrittenImage[] = [];
  for (const image of sampleImages()) {
    const { name } = image;
    const path = join(directory, name);
    const existing = await sizeOf(path);
    if (existing === undefined) {
      const content = image.bytes();
      await writeAtomicFile(path, file => file.writeFile(content), { mode: 0o644 });
      images.push({ name, path, size: content.byteLength, written: true });
    } else {
      images.push({ name, path, size: existing, written: false });
    }
  }
  return images;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
