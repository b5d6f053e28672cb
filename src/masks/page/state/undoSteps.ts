import type { ChannelLook } from '../../../images/backgroundImageInfo';
import type { ColorMapName, ValueRange } from '../../../pages/page/widgets/colorScale';
import type { SavedImageLooks } from './imageLooks';
import type { ColorBy } from './masksLook';
import type { SelectionChanges } from './namedSelections';

/** The undoable state of the masks page; classes by name, images by ID. */
export interface UndoableParts {
  hidden: string[];
  /** #rrggbb of the classes that changed. */
  colors: Record<string, string>;
  fill: boolean;
  opacity: number;
  colorBy: ColorBy;
  range: ValueRange | null;
  colorMap: ColorMapName;
  /** The paint of channels of changed background images; null for that of their files. */
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

/** One change by the user: each changed part, before and after. */
export interface MasksStep {
  before: Partial<UndoableParts>;
  after: Partial<UndoableParts>;
}
