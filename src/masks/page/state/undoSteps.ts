import type { ChannelLook } from '../../../images/backgroundImageInfo';
import type { ColorMapName, ValueRange } from '../../../pages/page/widgets/colorScale';
import type { SavedImageLooks } from './imageLooks';
import type { ColorBy } from './masksLook';
import type { SelectionChanges } from './namedSelections';

/** The undoable state of the masks page; classes by name, images by ID. */
export interface UndoableState {
  hidden: string[];
  /** #rrggbb of the classes that changed. */
  colors: Record<string, string>;
  fill: boolean;
  opacity: number;
  colorBy: ColorBy;
  range: ValueRange | null;
  colorMap: ColorMapName;
  /** Channels of background images by key of their look; null for the look from the file. */
  channels: Record<string, readonly ChannelLook[] | null>;
  sharedContrast: SavedImageLooks['sharedContrast'];
  stretched: boolean;
  /** µm per pixel of the images that changed; null where the user set none. */
  pixelSizes: Record<string, number | null>;
  /** Paths in the table of the images that changed; null where the user linked none. */
  links: Record<string, string | null>;
  /** Objects by selection name; null where no selection has the name. */
  selections: SelectionChanges;
}

/** One change by the user: the changed parts of the state, before and after. */
export interface MasksStep {
  before: Partial<UndoableState>;
  after: Partial<UndoableState>;
}
