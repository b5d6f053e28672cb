import compareCss from '../../conditions/page/compare.css';
import { ComparePart } from '../../conditions/page/comparePart';
import imageColumnsCss from '../../conditions/page/imageColumns.css';
import { ImageColumnsPart } from '../../conditions/page/imageColumnsPart';

/** What is known of images and the comparison of conditions, once one of them is opened. */
export const conditionsLater = {
  style: imageColumnsCss + compareCss,
  ComparePart,
  ImageColumnsPart,
};
