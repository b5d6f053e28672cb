import { t } from '../../pages/page/l10n';
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, Icon, IconButton } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import { FrameQueue } from '../../pages/page/widgets/timing';
import type { DrawerModel } from './drawerModel';
import { PlotCard } from './plotCard';
import { firstPlot, plotTypeIds, plotTypes } from './plotTypes';

interface PlotsProps {
  drawer: DrawerModel;
}

/** The plots, with actions for all of them. */
export function PlotsContent({ drawer }: PlotsProps) {
  return (
    <>
      {drawer.place.value.where !== 'over' && <Head drawer={drawer} />}
      <List drawer={drawer} />
    </>
  );
}

function Head({ drawer }: PlotsProps) {
  const isBelow = drawer.place.value.where === 'below';
  return (
    <div class="drawer-head">
      <h2>{t('Plots')}</h2>
      <PlotActions drawer={drawer} />
      <span class="toolbar-gap" />
      <IconButton
        icon={isBelow ? 'layout-sidebar-right' : 'layout-panel'}
        label={isBelow ? t('Show Plots on the Right') : t('Show Plots Below')}
        onClick={() => drawer.switchSide()}
      />
      <IconButton icon="close" label={t('Close Plots')} onClick={() => drawer.leave()} />
    </div>
  );
}

/** Actions for all plots, also beside their tab. */
export function PlotActions({ drawer }: PlotsProps) {
  const openAdd = (anchor: Element) =>
    openMenu(
      anchor,
      t('Add Plot'),
      plotTypeIds.map(kind => ({
        label: plotTypes[kind].name(),
        disabled: !firstPlot(kind, drawer.columns.peek()),
        run: () => void drawer.add(kind),
      })),
    );
  return (
    <Button
      class="add-plot"
      aria-label={t('Add Plot')}
      title={t('Add Plot')}
      onClick={({ currentTarget }) => openAdd(currentTarget)}
    >
      <Icon name="add" />
      <span class="button-words">{t('Add Plot')}</span>
    </Button>
  );
}

/** The cards, side by side if they fit. */
function List({ drawer }: PlotsProps) {
  const plots = drawer.plots.value;
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return undefined;
    const { current: list } = root;
    const resized = new ResizeObserver(() => drawer.measured(list.clientWidth, list.clientHeight));
    resized.observe(list);
    const loading = new FrameQueue(() => drawer.load());
    const endEffects = [
      effect(() => {
        if (drawer.isStale.value) loading.schedule();
      }),
      restoreScroll(list, drawer),
    ];
    return () => {
      resized.disconnect();
      for (const endEffect of endEffects) endEffect();
    };
  }, []);
  return (
    <div
      class="plot-list"
      ref={root}
      style={{ gridTemplateColumns: `repeat(${drawer.perRow.value}, minmax(0, 1fr))` }}
      onScrollEnd={({ currentTarget }) => drawer.scrolled(currentTarget.scrollTop)}
    >
      {plots.map(plot => (
        <PlotCard key={plot} drawer={drawer} plot={plot} />
      ))}
      {plots.length === 0 && <p class="plot-empty">{t('No plots yet.')}</p>}
    </div>
  );
}

/**
 * Restores the saved scroll position once all plots are drawn. Repeats it when their heights
 * change, as parts of other subjects load later, until the user does something.
 */
function restoreScroll(list: HTMLElement, { isOpen, isSettled, top }: DrawerModel): () => void {
  let isDone = top === 0;
  const restore = () => {
    if (isDone || !isOpen.peek() || !isSettled.peek()) return;
    list.scrollTop = top;
    for (const card of list.children) heightObserver.observe(card);
  };
  const stopRestoring = () => {
    isDone = true;
  };
  const gestures = ['wheel', 'pointerdown', 'keydown'];
  for (const type of gestures) document.addEventListener(type, stopRestoring, true);
  const heightObserver = new ResizeObserver(restore);
  const endEffect = effect(() => {
    if (isOpen.value && isSettled.value) restore();
  });
  return () => {
    endEffect();
    heightObserver.disconnect();
    for (const type of gestures) document.removeEventListener(type, stopRestoring, true);
  };
}
