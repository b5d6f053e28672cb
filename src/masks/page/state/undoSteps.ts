import type { ChannelLook } from '../../../images/backgroundImageInfo';
import type { ColorMapName, ValueRange } from '../../../pages/page/widgets/colorScale';
import type { SavedImageLooks } from './imageLooks';
import type { ColorBy } from './masksLook';
import type { SelectionChanges } from './namedSelections';

/** What of the masks page can be undone; classes by name, images by ID. */
export interface UndoableParts {
  hidden: string[];
  /** #rrggbb of the classes that changed. */
  colors: Record<string, string>;
  fill: boolean;
  opacity: number;
  colorBy: ColorBy;
  range: ValueRange | null;
  colorMap: ColorMapName;
  /**
   * How channels of the background images that changed are painted; null for as their files say.
   */
  channels: Record<string, readonly ChannelLook[] | null>;
  sharedContrast: SavedImageLooks['sharedContrast'];
  stretched: boolean;
  /** µm per pixel of the images that changed; null for none of the user's. */
  pixelSizes: Record<string, number | null>;
  /** Paths in the table of the images that changed; null where nobody linked them. */
  links: Record<string, string | null>;
  /** Objects by the names of selections; null where there is none of that name. */
  selections: SelectionChanges;
}

/** What one change by the user did: each part that changed, as it was before and after. */
export interface MasksStep {
  before: Partial<UndoableParts>;
  after: Partial<UndoableParts>;
}
