import type { ResultPart } from '../../../model/resultParts';

/** How far a part of a result is: in bytes while it is downloaded, then in what its engine counts (see EngineSide). */
export interface PartProgress {
  part: ResultPart | 'backgroundImage';
  phase: 'downloading' | 'reading' | 'measuring';
  done: number;
  /** 0 when it is not known. */
  total: number;
}
