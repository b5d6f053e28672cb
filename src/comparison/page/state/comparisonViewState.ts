import type { ComparedSide } from '../../comparison';
import type { ListedOutcome } from './outcomes';

/** State of the page that survives a tab switch and a reload. */
export interface ComparisonViewState {
  threshold: number;
  /** The position of the image in view on A. */
  image: number;
  list: ListedOutcome;
  hidden: ComparedSide[];
  isColored: boolean;
  isImageShown: boolean;
  sort: ComparedOrder;
}

/** The order of the list of images, by the images that come first. */
export type ComparedOrder = 'order' | 'worst' | 'onlyA' | 'onlyB' | 'parted';

/** The initial state of a page, and the function to save a part of it. */
export interface SavedView {
  saved: Partial<ComparisonViewState>;
  save: (changes: Partial<ComparisonViewState>) => void;
}
