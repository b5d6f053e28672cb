/** Commands of a plot's context menu. */
export type PlotMenuCommand = 'savePlotAsPng' | 'savePlotAsSvg' | 'removePlot';

declare module '../protocol/menuCommands' {
  interface AddedTableMenuCommands extends Record<PlotMenuCommand, true> {}
}
