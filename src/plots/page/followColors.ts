import { effect } from '@preact/signals';
import { isCoded } from '../../base/errors';
import type { DrawerModel } from './drawerModel';
import type { PlotModel } from './plotModel';

/**
 * Loads a plot's row colors when they or the plot's data change, with one request at a time. Calls
 * `redraw` after a change. Returns a function that ends this.
 */
export function followColors(
  plot: PlotModel,
  { isOpen, options: { addition, messages } }: DrawerModel,
  redraw: () => void,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let [latestChange, loadedChange] = [0, 0];
  let isBusy = false;
  const recolor = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (loadedChange !== latestChange && !signal.aborted) {
      loadedChange = latestChange;
      try {
        const results = await Promise.all(
          plot.zoom.loadedPlots.map(async loadedPlot => loadedPlot.recolor?.(signal)),
        );
        if (results.includes('reload')) plot.dataChanged('filters');
        else if (results.includes('changed')) redraw();
      } catch (error) {
        if (!signal.aborted && !isCoded(error, 'cancelled')) messages.log(error);
      }
    }
    isBusy = false;
  };
  const end = effect(() => {
    void [addition.value?.colors.value, plot.zoom.plot];
    latestChange++;
    if (isOpen.value) void recolor();
  });
  return () => {
    ended.abort();
    end();
  };
}
