import { t } from '../../pages/page/l10n';
import type { ComponentChildren } from 'preact';
import { Divider } from '../../pages/page/widgets/divider';
import type { DrawerModel } from './drawerModel';
import type { PlotModel } from './plotModel';

interface PlotsProps {
  drawer: DrawerModel;
  children: ComponentChildren;
}

/**
 * The place of the plots: a resizable drawer below the rows or to their right. Without room for
 * both, the plots are in place of the rows until closed.
 */
export function PlotsPart({ drawer, children }: PlotsProps) {
  const place = drawer.place.value;
  const { where, size } = place;
  const isBelow = where === 'below';
  return (
    <aside
      class={isBelow ? 'plot-drawer below' : 'plot-drawer'}
      id="plots"
      aria-label={t('Plots')}
      hidden={!drawer.isOpen.value}
      style={{ height: isBelow ? `${size}px` : '', width: where === 'right' ? `${size}px` : '' }}
    >
      <Divider
        label={t('Plot size')}
        controls="plots"
        hidden={where === 'over'}
        beside={!isBelow}
        sizing={place}
        resize={newSize => drawer.resize(newSize)}
      />
      {children}
    </aside>
  );
}

/** The plot that contains an element of the page. */
export function plotAt({ plots }: DrawerModel, target: Element): PlotModel | undefined {
  const card = target.closest('.plot-card');
  return plots.peek().find((_, index) => card && card.parentElement?.children[index] === card);
}

/** Removes a plot. If its card has the focus, the button that adds plots gets it. */
export function removePlot(drawer: DrawerModel, plot: PlotModel): void {
  const { activeElement } = document;
  if (activeElement && plotAt(drawer, activeElement) === plot)
    document.querySelector<HTMLElement>('.add-plot')?.focus();
  drawer.remove(plot);
}
