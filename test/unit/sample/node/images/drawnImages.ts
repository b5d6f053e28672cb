import { sampleImages } from '../../../../../src/sample/node/images/sampleImages';

const files = new Map<string, Uint8Array>();

/** A sample image's file, drawn once per test process: that takes up to half a second. */
export function drawnImage(name: string): Uint8Array {
  const file =
    files.get(name) ??
    sampleImages()
      .find(image => image.name === name)
      ?.bytes();
  if (!file) throw new Error(`There is no sample image "${name}"`);
  files.set(name, file);
  return file;
}
