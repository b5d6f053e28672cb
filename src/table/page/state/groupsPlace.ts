import type { GroupsState } from './groupsState';

/**
 * Minimum size of the rows beside plots or groups, in pixels. Height: header, scroll bar and three
 * rows; width: row number, ID and a measurement.
 */
export const MIN_ROWS = { width: 240, height: 180 };

/**
 * Minimum height of groups: head, two headers, scroll bar, two groups and the row about all rows.
 * The head of narrow groups has two lines.
 */
const MIN_HEIGHT = 180;
const NARROW_MIN_HEIGHT = 212;
/** Width from which the head has one line: see groups.css. */
const ONE_LINE = 621;
const MIN_WIDTH = 280;
/** Width from which groups and plots are side by side. */
const WIDE = 1000;
/** Maximum share of the width for groups. */
const MAX_SHARE = 0.7;

/**
 * Where groups are, in pixels: below the rows, beside the plots, or in place of the rows if neither
 * fits.
 */
export interface GroupsPosition {
  where: 'below' | 'beside' | 'over';
  /** Height, or width beside plots. */
  size: number;
  min: number;
  max: number;
}

/**
 * Places groups in the area that they share with rows and plots. `plotsBelow`: height of plots
 * below the rows, else 0.
 */
export function groupsPosition(
  preferredSize: Pick<GroupsState, 'width' | 'height'>,
  room: { width: number; height: number },
  plotsBelow: number,
): GroupsPosition {
  if (plotsBelow > 0 && room.width >= WIDE) {
    const max = Math.max(MIN_WIDTH, room.width * MAX_SHARE);
    return { where: 'beside', size: between(MIN_WIDTH, preferredSize.width, max), min: MIN_WIDTH, max };
  }
  const max = room.height - plotsBelow - MIN_ROWS.height;
  const min = minHeight(room);
  if (max < min) return { where: 'over', size: room.height, min: room.height, max: room.height };
  return { where: 'below', size: between(min, preferredSize.height, max), min, max };
}

function minHeight({ width }: { width: number }): number {
  return width >= ONE_LINE ? MIN_HEIGHT : NARROW_MIN_HEIGHT;
}

/** Height in pixels that open groups need below the rows if plots are there as well. */
export function groupsHeightNeeded(room: { width: number }): number {
  return room.width >= WIDE ? 0 : minHeight(room);
}

function between(min: number, size: number, max: number): number {
  return Math.round(Math.max(min, Math.min(max, size)));
}
