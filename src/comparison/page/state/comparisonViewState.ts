import type { ComparedSide } from '../../comparison';
import type { ListedOutcome } from './outcomes';

/** What of the page outlives a tab switch and a reload. */
export interface ComparisonViewState {
  threshold: number;
  /** Positions on A of the image in view. */
  image: number;
  list: ListedOutcome;
  hidden: ComparedSide[];
  isColored: boolean;
  isImageShown: boolean;
  sort: ComparedOrder;
}

/** The order of the list of images, by what comes first. */
export type ComparedOrder = 'order' | 'worst' | 'onlyA' | 'onlyB' | 'parted';

/** What a page begins with, and how a model saves its own of it. */
export interface SavedView {
  saved: Partial<ComparisonViewState>;
  save: (changes: Partial<ComparisonViewState>) => void;
}
