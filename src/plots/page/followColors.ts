import { effect } from '@preact/signals';
import { isCoded } from '../../base/errors';
import type { DrawerModel } from './drawerModel';
import type { PlotModel } from './plotModel';

/**
 * Requests a plot's row colors when they or its data change: one request at a time, and the latest
 * wins. Then calls `redraw`. Returns a function that ends this.
 */
export function followColors(
  plot: PlotModel,
  { isOpen, options: { addition, messages } }: DrawerModel,
  redraw: () => void,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let [wanted, requested] = [0, 0];
  let isBusy = false;
  const recolor = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (requested !== wanted && !signal.aborted) {
      requested = wanted;
      try {
        const all = await Promise.all(plot.zoom.all.map(async each => each.recolor?.(signal)));
        if (all.includes('reload')) plot.dataChanged('filters');
        else if (all.includes('changed')) redraw();
      } catch (error) {
        if (!signal.aborted && !isCoded(error, 'cancelled')) messages.log(error);
      }
    }
    isBusy = false;
  };
  const end = effect(() => {
    void [addition.value?.colors.value, plot.zoom.plot];
    wanted++;
    if (isOpen.value) void recolor();
  });
  return () => {
    ended.abort();
    end();
  };
}
