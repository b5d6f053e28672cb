/** The part of a plot that is shown, in the columns' units: minimum and maximum of each axis. */
export interface PlotWindow {
  x: [number, number];
  y: [number, number];
}
