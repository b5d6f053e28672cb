import type { ImageSize } from './backgroundImageInfo';
import { commonSuffix, pathParts } from '../base/pathParts';

/** What an archive and the objects table say of an image, for finding its background image. */
export interface ImageIdentity {
  filename: string;
  /** Its path in the objects table, where its rows are linked. */
  origin?: string;
}

/** The file that may be the background image of an image, and by what it was matched. */
export type BackgroundImageMatch =
  /** One path, of at least two parts, is the end of the other, and no other file matches as far. */
  | { by: 'path'; index: number }
  /** The only file of that name, or the one whose path matches farthest before a folder differs. */
  | { by: 'name'; index: number }
  | { by: 'ambiguous'; count: number }
  | { by: 'none' };

/**
 * Finds among files (paths with / or \\) the background image of an image; see docs/measurements.md, "Identity". The longest
 * common end of the paths wins; a tie is ambiguous. If a folder differs, it is only a suggestion: every plate has the same
 * names of wells.
 */
export function matchBackgroundImage(image: ImageIdentity, paths: readonly string[]): BackgroundImageMatch {
  const names = [image.filename, ...(image.origin === undefined ? [] : [image.origin])].map(pathParts);
  const files = paths.map(pathParts);
  const matches = files.map(parts => Math.max(...names.map(name => commonSuffix(name, parts))));
  const best = Math.max(0, ...matches);
  if (best === 0) return { by: 'none' };
  const candidates = matches.flatMap((length, index) => (length === best ? [index] : []));
  const [index = 0] = candidates;
  if (candidates.length > 1) return { by: 'ambiguous', count: candidates.length };
  const file = files[index] ?? [];
  const isEnd = names.some(
    name => Math.min(name.length, file.length) === best && commonSuffix(name, file) === best,
  );
  return { by: best >= 2 && isEnd ? 'path' : 'name', index };
}

/** Whether a background image is shown, suggested, or refused for its size. */
export type PairingVerdict = 'paired' | 'suggested' | 'other-size';

/**
 * Decides about a background image: `record` is an upload whose item and hash match, `choice` the user's own selection. One
 * of another size than the masks is never shown under them unasked.
 */
export function judgeBackgroundImage(
  found: 'record' | 'choice' | 'path' | 'name',
  backgroundImage: ImageSize,
  masks: ImageSize,
): PairingVerdict {
  if (backgroundImage.width !== masks.width || backgroundImage.height !== masks.height) return 'other-size';
  return found === 'name' ? 'suggested' : 'paired';
}
