/** What of a plot's plane is shown, in the columns' units: from the least to the greatest of each axis. */
export interface PlotWindow {
  x: [number, number];
  y: [number, number];
}
