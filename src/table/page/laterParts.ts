import compareCss from '../../conditions/page/compare.css';
import { ComparePart } from '../../conditions/page/comparePart';
import imageColumnsCss from '../../conditions/page/imageColumns.css';
import { ImageColumnsPart } from '../../conditions/page/imageColumnsPart';
import { loadPlot } from '../../plots/page/drawPlot';
import plotsCss from '../../plots/page/plots.css';
import { PlotsContent } from '../../plots/page/plotsContent';
import bodyTabsCss from './controls/bodyTabs.css';
import { BodyTabsBar } from './controls/bodyTabsBar';
import { GroupsContent } from './groups/groupsContent';

/** What the page loads once the first cells are there, or once it is opened: `scripts/pageBundles.mjs` makes a script of it. */
export const laterParts = {
  style: imageColumnsCss + compareCss + plotsCss + bodyTabsCss,
  BodyTabsBar,
  ComparePart,
  GroupsContent,
  ImageColumnsPart,
  loadPlot,
  PlotsContent,
};

export type LaterParts = typeof laterParts;
