import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomicFile } from '../../../base/node/atomicFile';
import type { SampleImage } from './sampleImages';

interface WrittenImage {
  /** File name with slash-separated folders. */
  name: string;
  path: string;
  size: number;
  /** Whether the file was written; false if it already existed. */
  written: boolean;
}

/** Single images to try, the images of a study, or those of a plate. */
export type ImageSet = 'single' | 'study' | 'plate';

/** Draws and writes the sample images that a folder doesn't have yet. Creates the folder. */
export async function writeImages(directory: string, set: ImageSet): Promise<WrittenImage[]> {
  const written: WrittenImage[] = [];
  for (const image of await imagesOf(set)) written.push(await writeImage(directory, image));
  return written;
}

/** Draws one image of the study to a path, unless the file exists. */
export async function writeStudyImage(name: string, path: string): Promise<void> {
  const image = (await imagesOf('study')).find(candidate => candidate.name === name);
  if (!image) throw new Error(`The study has no image "${name}"`);
  if ((await sizeOf(path)) === undefined) await write(path, image);
}

async function imagesOf(set: ImageSet): Promise<readonly SampleImage[]> {
  switch (set) {
    case 'single':
      return (await import('./sampleImages')).sampleImages();
    case 'study':
      return (await import('./studyImages')).studyImages();
    case 'plate':
      return (await import('./plateImages')).plateImages();
  }
}

async function writeImage(directory: string, image: SampleImage): Promise<WrittenImage> {
  const { name } = image;
  const path = join(directory, name);
  const existing = await sizeOf(path);
  if (existing !== undefined) return { name, path, size: existing, written: false };
  await mkdir(dirname(path), { recursive: true });
  return { name, path, size: await write(path, image), written: true };
}

/** Draws an image to a path; returns the number of bytes. */
async function write(path: string, image: SampleImage): Promise<number> {
  const content = image.bytes();
  await writeAtomicFile(path, file => file.writeFile(content), { mode: 0o644 });
  return content.byteLength;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
