import type { PlainError } from '../../base/errors';
import type { UnreadableObjects } from './unreadableObjects';

/** Something unusual that did not keep the masks from being read; worded by the panel. */
export interface MasksNote {
  kind:
    | 'no-index'
    | 'damaged-index'
    | 'unknown-class'
    | 'ids-differ-from-keys'
    | 'without-class'
    | 'duplicate-entry'
    | 'more-notes';
  /** Class or entry it is about. */
  subject?: string;
  /** Objects it concerns. */
  count?: number;
}

export interface ImageSummary extends UnreadableObjects {
  index: number;
  id: string;
  filename: string;
  width: number;
  height: number;
  objectCount: number;
  classCounts: number[];
  failure?: PlainError;
}

export interface ArchiveSummary {
  resultId?: string;
  dateRun?: string;
  classes: { name: string; count: number }[];
  images: ImageSummary[];
  notes: MasksNote[];
}
