import type { ResultPart } from '../../service/resultParts';

/** How far a part of a result is: in bytes while it is downloaded, then in what its engine counts (see EngineSide). */
export interface PartProgress {
  part: ResultPart | 'backgroundImage';
  /** Whose background image it is, as it was opened. */
  image?: number;
  phase: 'downloading' | 'reading' | 'measuring';
  done: number;
  /** 0 when it is not known. */
  total: number;
}
