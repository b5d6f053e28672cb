import { matchImages, type NamedImage } from '../../imageMatching';

/** What names each image in a table so that its rows are linked to it: its file name, or its ID where that isn't certain. */
export function imageTexts(images: readonly NamedImage[]): string[] {
  const names = images.map(({ filename }) => filename);
  const matched = matchImages(names, images);
  return images.map(({ id, filename }, at) => (filename !== '' && matched[at] === at ? filename : id));
}
