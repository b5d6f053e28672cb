import type { ComparedSide } from '../../comparison';
import type { ListedOutcome } from './outcomes';

/** State of the page that survives a tab switch and a reload. */
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

/** The initial state of a page, and how a model saves its part. */
export interface SavedView {
  saved: Partial<ComparisonViewState>;
  save: (changes: Partial<ComparisonViewState>) => void;
}
