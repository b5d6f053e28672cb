import compareCss from './compare.css';
import { GroupMeasures } from './groupMeasures';
import { ComparePart } from './comparePart';
import imageColumnsCss from './imageColumns.css';
import { ImageColumnsPart } from './imageColumnsPart';

/** Metadata of images and the comparison of conditions, loaded when either is opened. */
export const conditionsLater = {
  style: imageColumnsCss + compareCss,
  ComparePart,
  GroupMeasures,
  ImageColumnsPart,
};
