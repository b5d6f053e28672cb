/** How rows of a table were matched to objects, in numbers. */
export interface MatchCounts {
  matched: number;
  rowsWithoutObject: number;
  objectsWithoutRow: number;
  /** Rows that fit several objects, or share theirs with another row; left unlinked. */
  ambiguous: number;
  /** Median of the table's area / the mask's over matched rows; 1 when they agree; absent without areas. */
  areaRatio?: number;
  /** Whether that ratio is the same for (nearly) all rows. */
  areaRatioConstant?: boolean;
}

/** How the positions in a table lie against the centroids of the masks that its rows are linked to. */
export interface PositionOffset {
  /** Table minus mask, in pixels: medians. */
  x: number;
  y: number;
  /** Whether nearly all rows have it; else the positions are in other units, or those of another point. */
  constant: boolean;
}

/** How rows of the objects table were matched to mask objects, by (image, ID). Shown to the user. */
export interface LinkReport extends MatchCounts {
  imageColumn?: string;
  idColumn?: string;
  /** How positions in the table lie against the masks; estimated from a sample of the objects. */
  positionOffset?: PositionOffset;
}
