/** Entries of the context menu of a plot. */
export type PlotMenuCommand = 'savePlotAsPng' | 'savePlotAsSvg' | 'removePlot';

declare module '../protocol/menuCommands' {
  interface AddedTableMenuCommands extends Record<PlotMenuCommand, true> {}
}
