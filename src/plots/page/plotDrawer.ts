import type { PlotWindow } from '../../columns/viewSpec';
import { Divider } from '../../pages/page/widgets/divider';
import { element, fill, icon, iconButton, labelButton } from '../../pages/page/widgets/element';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { openMenu } from '../../pages/page/widgets/popover';
import { CLOSED_DRAWER, type DrawerModel, type DrawerState } from './drawerModel';
import { RowNames } from './plotCaches';
import { PlotCard, type PlotCardParts } from './plotCard';
import { firstPlot, type PlotSpec, plotTypeIds } from './plotTypes';

/** Cards stand side by side from this width on. */
const CARD_WIDTH = 380;
const CARD_PADDING = 24;

interface PlotDrawerParts extends Omit<
  PlotCardParts,
  'onChange' | 'onZoom' | 'onRemove' | 'names' | 'selected'
> {
  drawer: DrawerModel;
  /** The drawer was closed by its own button. */
  onClosed: () => void;
}

/**
 * The plots, in a drawer below the rows or to their right that can be resized, or in their place where there is no room for both:
 * until the plots are closed.
 */
export class PlotDrawer {
  readonly root: HTMLElement;
  private readonly divider: Divider;
  private readonly cards: PlotCard[] = [];
  private readonly list = element('div', { class: 'plot-list' });
  private readonly addButton: HTMLButtonElement;
  private readonly side: HTMLButtonElement;
  private readonly back: HTMLButtonElement;
  private readonly close: HTMLButtonElement;
  /** Pixels by which the plots were scrolled when the page was left. */
  private top: number;
  private readonly redraw = new FrameQueue(() => this.drawAll());
  private readonly names: RowNames;
  private selected: number | null = null;
  /** The plots that the cards are of. */
  private followed: readonly PlotSpec[] | undefined;
  /** Names and kinds of the columns that the pickers list. */
  private columns: string;

  constructor(private readonly parts: PlotDrawerParts) {
    const { text, source, drawer } = parts;
    this.top = drawer.state.peek().top ?? 0;
    this.names = new RowNames(source, text);
    const add: HTMLButtonElement = (this.addButton = element(
      'button',
      { type: 'button', class: 'button secondary' },
      icon('add'),
      text.get('addPlot'),
    ));
    add.addEventListener('click', () =>
      openMenu(
        add,
        text.get('addPlot'),
        plotTypeIds.map(kind => ({
          label: text.get(kind),
          disabled: !firstPlot(kind, source.table.columns),
          run: () => {
            const plot = firstPlot(kind, source.table.columns);
            if (plot) drawer.add(plot);
          },
        })),
      ),
    );
    this.side = iconButton('layout-panel', '', () =>
      drawer.change({ side: drawer.place.peek().where === 'below' ? 'right' : 'below' }),
    );
    const leave = () => {
      drawer.change({ open: false });
      parts.onClosed();
    };
    this.back = iconButton('arrow-left', text.get('backToRows'), leave);
    this.close = iconButton('close', text.get('closePlots'), leave);
    this.divider = new Divider({
      label: text.get('resizePlots'),
      controls: 'plots',
      onResize: size => drawer.resize(size),
      onReset: () => drawer.resize(CLOSED_DRAWER.size),
    });
    this.root = element(
      'aside',
      { class: 'plot-drawer', id: 'plots', 'aria-label': text.get('plots') },
      this.divider.root,
      element(
        'div',
        { class: 'drawer-head' },
        this.back,
        element('h2', {}, text.get('plots')),
        add,
        element('span', { class: 'toolbar-gap' }),
        this.side,
        this.close,
      ),
      this.list,
    );
    new ResizeObserver(() => this.redraw.schedule()).observe(this.list);
    this.list.addEventListener('scrollend', () => drawer.change({ top: this.list.scrollTop }));
    this.columns = columnsMark(source);
    source.onDidChange(change => {
      if (change === 'sort') return;
      if (change === 'table') {
        this.names.clear();
        this.followColumns();
      }
      for (const card of this.cards) card.dataChanged(change);
      this.redraw.schedule();
    });
    const theme = new MutationObserver(() => this.redraw.schedule());
    theme.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
    drawer.state.subscribe(({ plots, windows }) => this.follow(plots, windows));
    drawer.isOpen.subscribe(() => this.show());
    drawer.place.subscribe(() => this.show());
  }

  private get isOpen(): boolean {
    return this.parts.drawer.isOpen.peek();
  }

  /** Marks the row that is selected in the table or on the masks. */
  setSelected(row: number | null): void {
    if (row === this.selected) return;
    this.selected = row;
    if (this.isOpen) for (const card of this.cards) card.selectionChanged();
  }

  /** Outlines the row that the pointer is over in the table or on the masks. */
  setHovered(row: number | null): void {
    if (this.isOpen) for (const card of this.cards) card.showHovered(row);
  }

  /** The plot that an element belongs to. */
  plotAt(target: Node): PlotCard | undefined {
    return this.cards.find(({ root }) => root.contains(target));
  }

  /** Shows these plots; those that are shown already stay as they are. */
  private follow(plots: readonly PlotSpec[], windows: DrawerState['windows'] = []): void {
    const { cards, list } = this;
    if (plots === this.followed) return;
    this.followed = plots;
    // Another plot may need more room, also where it was a card's own change.
    this.redraw.schedule();
    if (plots.length === cards.length && plots.every((plot, at) => plot === cards[at]?.spec)) return;
    const gone = [...cards];
    const shown = plots.map((plot, at) => {
      const found = gone.findIndex(({ spec }) => JSON.stringify(spec) === JSON.stringify(plot));
      return found < 0 ? this.makeCard(plot, windows[at]) : gone.splice(found, 1)[0];
    });
    for (const card of gone) discard(card);
    cards.splice(0, cards.length, ...shown.filter(card => card !== undefined));
    // One that is in its place already keeps the focus.
    cards.forEach(({ root }, at) => {
      if (list.children[at] !== root) list.insertBefore(root, list.children[at] ?? null);
    });
  }

  /** More of the table was read, or it was read again: columns and their kinds may have changed. */
  private followColumns(): void {
    const columns = columnsMark(this.parts.source);
    if (columns === this.columns) return;
    this.columns = columns;
    for (const card of this.cards) card.columnsChanged();
    this.savePlots();
  }

  private makeCard(plot: PlotSpec, window?: PlotWindow | null): PlotCard {
    return new PlotCard(
      {
        ...this.parts,
        names: this.names,
        selected: () => this.selected,
        onChange: () => this.savePlots(),
        onZoom: () => {
          this.parts.drawer.change({ windows: this.windows });
        },
        onRemove: gone => {
          const hadFocus = gone.root.contains(document.activeElement);
          discard(gone);
          if (hadFocus) this.addButton.focus();
          this.cards.splice(this.cards.indexOf(gone), 1);
          this.savePlots();
          this.redraw.schedule();
        },
      },
      plot,
      window,
    );
  }

  private get windows(): (PlotWindow | null)[] {
    return this.cards.map(({ window }) => window);
  }

  private savePlots(): void {
    this.parts.drawer.change({ plots: this.cards.map(({ spec }) => spec), windows: this.windows });
  }

  private show(): void {
    const { text, drawer } = this.parts;
    const { root, divider, side, back, close } = this;
    const place = drawer.place.peek();
    const { where, size } = place;
    const isOver = where === 'over';
    const below = where === 'below';
    root.hidden = !this.isOpen;
    root.classList.toggle('below', below);
    root.style.height = below ? `${size}px` : '';
    root.style.width = where === 'right' ? `${size}px` : '';
    // They do the same.
    back.hidden = !isOver;
    close.hidden = isOver;
    side.hidden = isOver;
    divider.root.hidden = isOver;
    divider.show({ ...place, beside: !below });
    labelButton(
      side,
      text.get(below ? 'plotsRight' : 'plotsBelow'),
      below ? 'layout-sidebar-right' : 'layout-panel',
    );
    this.redraw.schedule();
  }

  /** Scrolls the plots as they were left, unless the user has scrolled them meanwhile. */
  private scrollTo(top: number): void {
    if (this.list.scrollTop === 0) this.list.scrollTop = top;
  }

  private drawAll(): void {
    if (!this.isOpen) return;
    const room = this.list.clientWidth;
    const perRow = Math.max(1, Math.min(this.cards.length, Math.floor(room / CARD_WIDTH)));
    this.list.style.gridTemplateColumns = `repeat(${perRow}, minmax(0, 1fr))`;
    const width = Math.floor(room / perRow) - CARD_PADDING;
    // Each can be seen whole, if there is room for it.
    const drawn = this.cards.map(card => card.draw(width, this.list.clientHeight));
    const { top } = this;
    this.top = 0;
    if (top > 0) void Promise.all(drawn).then(() => this.scrollTo(top));
    if (this.cards.length === 0)
      fill(this.list, element('p', { class: 'plot-empty' }, this.parts.text.get('noPlots')));
    else this.list.querySelector(':scope > .plot-empty')?.remove();
  }
}

function discard(card: PlotCard): void {
  card.dispose();
  card.root.remove();
}

function columnsMark({ table }: PlotCardParts['source']): string {
  return JSON.stringify(table.columns.map(({ name, kind }) => [name, kind]));
}
