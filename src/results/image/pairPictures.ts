import { commonSuffix, pathParts } from '../../formats/rowMatching';

/** What is known of an image of a masks archive that helps to find its picture. */
export interface ImageIdentity {
  filename: string;
  /** Its path in the objects table, where rows were matched to it. */
  origin?: string;
}

/** The picture file chosen among those of the same name, and why. */
export type PictureChoice =
  /** At least the folder and the name agree, and no other file agrees as far. */
  | { by: 'path'; index: number }
  /** The only file of that name. */
  | { by: 'name'; index: number }
  | { by: 'ambiguous'; count: number }
  | { by: 'none' };

/**
 * Chooses among files (paths in any spelling) the one that may be the image's picture; measurements.md, "Identity".
 * The longest common end of the paths wins; a tie is ambiguous.
 */
export function choosePicture(image: ImageIdentity, paths: readonly string[]): PictureChoice {
  const names = [image.filename, ...(image.origin === undefined ? [] : [image.origin])].map(pathParts);
  const agreements = paths.map(path => {
    const parts = pathParts(path);
    return Math.max(...names.map(name => commonSuffix(name, parts)));
  });
  const best = Math.max(0, ...agreements);
  if (best === 0) return { by: 'none' };
  const fitting = agreements.flatMap((agreement, index) => (agreement === best ? [index] : []));
  const [index = 0] = fitting;
  if (fitting.length > 1) return { by: 'ambiguous', count: fitting.length };
  return { by: best >= 2 ? 'path' : 'name', index };
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
