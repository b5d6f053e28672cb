import type { PlotWindow } from '../../columns/viewSpec';
import { Divider, MIN_ROWS } from '../../pages/page/widgets/divider';
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
  /** Pixels that something else needs below the rows, see drawerPlace. */
  taken: (room: { width: number }) => number;
  /** It has come to another place, has another size, or is gone. */
  onPlace: () => void;
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
  private where: DrawerPlace['where'] | undefined;
  /** Pixels by which the plots were scrolled when the page was left. */
  private top: number;
  /** Pixels of height that are wanted below the rows. */
  private height = 0;
  private readonly redraw = new FrameQueue(() => this.drawAll());
  private readonly names: RowNames;
  private selected: number | null = null;
  /** Names and kinds of the columns that the pickers list. */
  private columns: string;

  constructor(private readonly parts: PlotDrawerParts) {
    const { text, source } = parts;
    this.top = this.state.top ?? 0;
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
            if (plot) this.add(plot);
          },
        })),
      ),
    );
    this.side = iconButton('layout-panel', '', () =>
      this.set({ side: this.where === 'below' ? 'right' : 'below' }),
    );
    const leave = () => {
      this.setOpen(false);
      parts.onClosed();
    };
    this.back = iconButton('arrow-left', text.get('backToRows'), leave);
    this.close = iconButton('close', text.get('closePlots'), leave);
    this.divider = new Divider({
      label: text.get('resizePlots'),
      controls: 'plots',
      onResize: size => this.resize(size),
      onReset: () => this.resize(CLOSED_DRAWER.size),
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
    const { plots, windows = [] } = this.state;
    plots.forEach((plot, at) => this.addCard(plot, windows[at]));
    new ResizeObserver(() => this.redraw.schedule()).observe(this.list);
    this.list.addEventListener('scrollend', () => parts.drawer.change({ top: this.list.scrollTop }));
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
    this.show();
  }

  private get state(): DrawerState {
    return this.parts.drawer.state.peek();
  }

  get isOpen(): boolean {
    return this.state.open;
  }

  /** Its height where it is below the rows, else 0; in pixels. */
  get heightBelow(): number {
    return this.height;
  }

  /** Whether it is in place of the rows and what is below them. */
  get isOver(): boolean {
    return this.state.open && this.where === 'over';
  }

  /** Lays out what is in the document; call when something else needs room below the rows, or no longer does. */
  arrange(): void {
    this.show();
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

  /** Opens or closes the drawer; an empty one starts with the plot that says most about the table. */
  setOpen(open: boolean): void {
    this.set({ open });
    if (!open || this.cards.length > 0) return;
    const { columns } = this.parts.source.table;
    const plot =
      firstPlot('scatter', columns) ?? firstPlot('histogram', columns) ?? firstPlot('bar', columns);
    if (plot) this.add(plot);
  }

  /** Shows these plots; those that are shown already stay as they are. */
  restore(plots: readonly PlotSpec[]): void {
    const { cards, list } = this;
    const gone = [...cards];
    const shown = plots.map(plot => {
      const at = gone.findIndex(({ spec }) => JSON.stringify(spec) === JSON.stringify(plot));
      return at < 0 ? this.makeCard(plot) : gone.splice(at, 1)[0];
    });
    for (const card of gone) discard(card);
    cards.splice(0, cards.length, ...shown.filter(card => card !== undefined));
    // One that is in its place already keeps the focus.
    cards.forEach(({ root }, at) => {
      if (list.children[at] !== root) list.insertBefore(root, list.children[at] ?? null);
    });
    this.set({ plots: [...plots], windows: this.windows, open: this.state.open || plots.length > 0 });
    this.redraw.schedule();
  }

  /** More of the table was read, or it was read again: columns and their kinds may have changed. */
  private followColumns(): void {
    const columns = columnsMark(this.parts.source);
    if (columns === this.columns) return;
    this.columns = columns;
    for (const card of this.cards) card.columnsChanged();
    this.savePlots();
  }

  private add(plot: PlotSpec): void {
    this.addCard(plot);
    this.savePlots();
    this.redraw.schedule();
  }

  private addCard(plot: PlotSpec, window?: PlotWindow | null): void {
    const card = this.makeCard(plot, window);
    this.cards.push(card);
    this.list.append(card.root);
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
    this.set({ plots: this.cards.map(({ spec }) => spec), windows: this.windows });
  }

  private set(changes: Partial<DrawerState>): void {
    this.parts.drawer.change(changes);
    this.show();
  }

  private show(): void {
    const { open } = this.state;
    const { text, onPlace } = this.parts;
    const { root, divider, side, back, close } = this;
    const before = [this.where, this.height];
    const around = root.parentElement;
    root.hidden = !open;
    const place = this.place;
    const { where, size } = place;
    const isOver = where === 'over';
    const below = where === 'below';
    this.where = where;
    this.height = open && below ? size : 0;
    root.classList.toggle('below', below);
    around?.classList.toggle('drawer-right', where === 'right');
    around?.classList.toggle('drawer-over', open && isOver);
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
    if (around && (where !== before[0] || this.height !== before[1])) onPlace();
  }

  private get place(): DrawerPlace {
    const { clientWidth: width = 0, clientHeight: height = 0 } = this.root.parentElement ?? {};
    // Before it is in the document there is as much room as is wanted.
    if (width === 0) return drawerPlace(this.state, { width: Infinity, height: Infinity });
    return drawerPlace(this.state, { width, height }, this.parts.taken({ width }));
  }

  private resize(size: number): void {
    const { min, max } = this.place;
    this.set({ size: Math.max(min, Math.min(max, size)) });
  }

  /** Follows the size of what it shares with the rows. Call once it is in the document. */
  attached(): void {
    const around = this.root.parentElement;
    if (around) new ResizeObserver(() => this.show()).observe(around);
    this.show();
  }

  /** Scrolls the plots as they were left, unless the user has scrolled them meanwhile. */
  private scrollTo(top: number): void {
    if (this.list.scrollTop === 0) this.list.scrollTop = top;
  }

  private drawAll(): void {
    if (!this.state.open) return;
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

/** Less than this shows no plot. */
const MIN_PLOTS = { width: 240, height: 160 };

/** Where the plots are wanted, and how high or wide. */
interface WantedPlace {
  side: 'below' | 'right';
  size: number;
}

/** Where they go. `over`: in place of the rows, since there is no room for both; `size` is then that of all. */
interface DrawerPlace {
  where: 'below' | 'right' | 'over';
  size: number;
  min: number;
  max: number;
}

/**
 * Where plots go in the room that they share with the rows: on the other side where there is no room on the one wanted.
 * `below`: pixels that something else needs below the rows.
 */
export function drawerPlace(
  { side, size }: WantedPlace,
  room: { width: number; height: number },
  below = 0,
): DrawerPlace {
  const taken = { width: 0, height: below };
  for (const where of [side, side === 'below' ? 'right' : 'below'] as const) {
    const along = where === 'below' ? 'height' : 'width';
    const [min, max] = [MIN_PLOTS[along], room[along] - MIN_ROWS[along] - taken[along]];
    if (max >= min) return { where, size: Math.round(Math.max(min, Math.min(max, size))), min, max };
  }
  return { where: 'over', size: room.height, min: room.height, max: room.height };
}
