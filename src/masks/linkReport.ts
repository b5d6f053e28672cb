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

/** By what an image was told from others of its name. */
export type ToldBy = 'hand' | 'size' | 'ids' | 'areas' | 'positions' | 'empty';

/** Images that their names alone don't tell apart. */
export interface SameNames {
  /** How many were told apart, by what. */
  told: Partial<Record<ToldBy, number>>;
  /** How many with objects or rows stay open. */
  open: number;
  /** How many of these have one that is likely. */
  suggested: number;
  /** Set once where an earlier visit had linked them otherwise. */
  differsFromBefore?: true;
}

/** An image of the masks that could not be told from others of its name. */
export interface OpenImage {
  /** Its position in the archive. */
  image: number;
  objects: number;
  /** It, or some of its objects, could not be read. */
  isDamaged: boolean;
  /** The path in the table that is likely its own. */
  suggested?: string;
}

/** Images and paths of the table, of which it isn't certain which belong together. */
export interface OpenImages {
  images: OpenImage[];
  /** What the table has rows of, with how many there are. */
  paths: { path: string; rows: number }[];
}

/** Links that a person made: an image of the masks, by its ID, and a path in the table. */
export interface LinkedByHand {
  image: string;
  path: string;
}

/** An image that was analyzed: its ID at the service, and the folder and name that it was uploaded to. */
export interface AnalyzedItem {
  id: string;
  path: string;
}

/** How rows of the objects table were matched to mask objects, by (image, ID). Shown to the user. */
export interface LinkReport extends MatchCounts {
  imageColumn?: string;
  idColumn?: string;
  /** How positions in the table lie against the masks; estimated from a sample of the objects. */
  positionOffset?: PositionOffset;
  /** Absent where names alone tell all images apart. */
  sameNames?: SameNames;
}
