import { commonSuffix, pathParts } from '../../formats/rowMatching';

/** What is known of an image of a masks archive that helps to find its picture. */
export interface ImageIdentity {
  filename: string;
  /** Its path in the objects table, where rows were matched to it. */
  origin?: string;
}

/** The picture file chosen among those of the same name, and why. */
export type PictureChoice =
  /** One path, of two parts at least, is the end of the other, and no other file agrees as far. */
  | { by: 'path'; index: number }
  /** The only file of that name, or the one whose folders agree farthest before they differ. */
  | { by: 'name'; index: number }
  | { by: 'ambiguous'; count: number }
  | { by: 'none' };

/**
 * Chooses among files (paths in any spelling) the one that may be the image's picture; measurements.md, "Identity".
 * The longest common end of the paths wins; a tie is ambiguous. Paths that part in a folder are no proof: wells are called
 * the same in every plate.
 */
export function choosePicture(image: ImageIdentity, paths: readonly string[]): PictureChoice {
  const names = [image.filename, ...(image.origin === undefined ? [] : [image.origin])].map(pathParts);
  const files = paths.map(pathParts);
  const agreements = files.map(parts => Math.max(...names.map(name => commonSuffix(name, parts))));
  const best = Math.max(0, ...agreements);
  if (best === 0) return { by: 'none' };
  const fitting = agreements.flatMap((agreement, index) => (agreement === best ? [index] : []));
  const [index = 0] = fitting;
  if (fitting.length > 1) return { by: 'ambiguous', count: fitting.length };
  const file = files[index] ?? [];
  const isEnd = names.some(
    name => Math.min(name.length, file.length) === best && commonSuffix(name, file) === best,
  );
  return { by: best >= 2 && isEnd ? 'path' : 'name', index };
}

export interface PictureSize {
  width: number;
  height: number;
}

/** What may be done with a picture once its size is known. */
export type PairingVerdict = 'paired' | 'suggested' | 'other-size';

/**
 * Judges a picture that was found: `record` is an upload whose item and hash agree, `choice` the user's own. A picture of
 * another size than the masks is never painted under them.
 */
export function judgePicture(
  found: 'record' | 'choice' | 'path' | 'name',
  picture: PictureSize,
  masks: PictureSize,
): PairingVerdict {
  if (picture.width !== masks.width || picture.height !== masks.height) return 'other-size';
  return found === 'name' ? 'suggested' : 'paired';
}
