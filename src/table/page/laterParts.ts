import { ComparePart } from '../../conditions/page/comparePart';
import imageColumnsCss from '../../conditions/page/imageColumns.css';
import { ImageColumnsPart } from '../../conditions/page/imageColumnsPart';
import { loadPlot } from '../../plots/page/drawPlot';
import { PlotsContent } from '../../plots/page/plotsContent';
import { GroupsContent } from './groups/groupsContent';

/** What the page loads once the first cells are there, or once it is opened: `scripts/pageBundles.mjs` makes a script of it. */
export const laterParts = {
  style: imageColumnsCss,
  ComparePart,
  GroupsContent,
  ImageColumnsPart,
  loadPlot,
  PlotsContent,
};

export type LaterParts = typeof laterParts;
