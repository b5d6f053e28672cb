/** A region drawn around points of two numeric columns; the rows inside can be found again after a reload. */
export interface Lasso {
  x: number;
  y: number;
  /** x0, y0, x1, y1, … in the columns' units. */
  polygon: number[];
}
