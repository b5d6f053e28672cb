import type { PlotSpec } from './plotSpec';

/** How the drawer was left. */
export interface DrawerState {
  open: boolean;
  side: 'below' | 'right';
  /** Height or width in pixels. */
  size: number;
  plots: PlotSpec[];
}

export const closedDrawer: DrawerState = { open: false, side: 'below', size: 320, plots: [] };
