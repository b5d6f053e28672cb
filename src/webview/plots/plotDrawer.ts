import { element, fill, icon, iconButton, labelButton } from '../widgets/element';
import { FrameQueue } from '../widgets/frameQueue';
import { openMenu } from '../widgets/menu';
import { PlotCard, type PlotCardParts } from './plotCard';
import { firstPlot } from './plotSpec';
import { plotTypeIds, type PlotSpec } from './plotTypes';
import { RowNames } from './rowNames';

const MIN_SIZE = 160;
const KEY_STEP = 24;
/** Cards stand side by side from this width on. */
const CARD_WIDTH = 380;
const CARD_PADDING = 24;

/** How the drawer was left; part of the table page's saved state. */
export interface DrawerState {
  open: boolean;
  side: 'below' | 'right';
  /** Height or width in pixels. */
  size: number;
  plots: PlotSpec[];
}

export const CLOSED_DRAWER: DrawerState = { open: false, side: 'below', size: 320, plots: [] };

export interface PlotDrawerParts extends Omit<PlotCardParts, 'onChange' | 'onRemove' | 'names' | 'selected'> {
  state: DrawerState;
  onState: (state: DrawerState) => void;
  /** The drawer was closed by its own button. */
  onClosed: () => void;
}

/** The plots, in a drawer below the grid or to its right that can be resized. */
export class PlotDrawer {
  readonly root: HTMLElement;
  private readonly handle: HTMLElement;
  private readonly cards: PlotCard[] = [];
  private readonly list = element('div', { class: 'plot-list' });
  private readonly side: HTMLButtonElement;
  private readonly redraw = new FrameQueue(() => this.drawAll());
  private readonly names: RowNames;
  private state: DrawerState;
  private selected: number | null = null;
  /** Names and kinds of the columns that the pickers list. */
  private columns: string;

  constructor(private readonly parts: PlotDrawerParts) {
    const { text, source } = parts;
    this.state = parts.state;
    this.names = new RowNames(source, text);
    const add: HTMLButtonElement = element(
      'button',
      { type: 'button', class: 'button secondary' },
      icon('add'),
      text.get('addPlot'),
    );
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
      this.set({ side: this.state.side === 'below' ? 'right' : 'below' }),
    );
    const close = iconButton('close', text.get('closePlots'), () => {
      this.setOpen(false);
      parts.onClosed();
    });
    this.handle = element('div', {
      class: 'drawer-handle',
      role: 'separator',
      tabindex: 0,
      'aria-label': text.get('resizePlots'),
      'aria-valuemin': MIN_SIZE,
    });
    this.root = element(
      'aside',
      { class: 'plot-drawer', 'aria-label': text.get('plots') },
      this.handle,
      element(
        'div',
        { class: 'drawer-head' },
        element('h2', {}, text.get('plots')),
        add,
        element('span', { class: 'toolbar-gap' }),
        this.side,
        close,
      ),
      this.list,
    );
    this.listenToHandle();
    for (const plot of this.state.plots) this.addCard(plot);
    new ResizeObserver(() => this.redraw.schedule()).observe(this.list);
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

  get isOpen(): boolean {
    return this.state.open;
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

  private addCard(plot: PlotSpec): void {
    const card = new PlotCard(
      {
        ...this.parts,
        names: this.names,
        selected: () => this.selected,
        onChange: () => this.savePlots(),
        onRemove: gone => {
          gone.dispose();
          gone.root.remove();
          this.cards.splice(this.cards.indexOf(gone), 1);
          this.savePlots();
          this.redraw.schedule();
        },
      },
      plot,
    );
    this.cards.push(card);
    this.list.append(card.root);
  }

  private savePlots(): void {
    this.set({ plots: this.cards.map(({ spec }) => spec) });
  }

  private set(changes: Partial<DrawerState>): void {
    this.state = { ...this.state, ...changes };
    this.show();
    this.parts.onState(this.state);
  }

  private show(): void {
    const { open, side, size } = this.state;
    const { text } = this.parts;
    this.root.hidden = !open;
    const below = side === 'below';
    this.root.classList.toggle('below', below);
    this.root.parentElement?.classList.toggle('drawer-right', !below);
    this.root.style.height = below ? `${size}px` : '';
    this.root.style.width = below ? '' : `${size}px`;
    this.handle.setAttribute('aria-orientation', below ? 'horizontal' : 'vertical');
    this.handle.setAttribute('aria-valuenow', String(Math.round(size)));
    this.handle.setAttribute('aria-valuemax', String(Math.round(this.maxSize())));
    labelButton(
      this.side,
      text.get(below ? 'plotsRight' : 'plotsBelow'),
      below ? 'layout-sidebar-right' : 'layout-panel',
    );
    this.redraw.schedule();
  }

  /** Call once the drawer is in the document. */
  attached(): void {
    this.show();
  }

  private drawAll(): void {
    if (!this.state.open) return;
    const room = this.list.clientWidth;
    const perRow = Math.max(1, Math.min(this.cards.length, Math.floor(room / CARD_WIDTH)));
    this.list.style.gridTemplateColumns = `repeat(${perRow}, minmax(0, 1fr))`;
    const width = Math.floor(room / perRow) - CARD_PADDING;
    const below = this.state.side === 'below';
    const height = below ? this.list.clientHeight : Infinity;
    for (const card of this.cards) void card.draw(width, height);
    if (this.cards.length === 0)
      fill(this.list, element('p', { class: 'plot-empty' }, this.parts.text.get('noPlots')));
    else this.list.querySelector(':scope > .plot-empty')?.remove();
  }

  private maxSize(): number {
    const around = this.root.parentElement;
    if (!around) return MIN_SIZE;
    return (this.state.side === 'below' ? around.clientHeight : around.clientWidth) * 0.8;
  }

  private listenToHandle(): void {
    const resize = (size: number) =>
      this.set({ size: Math.max(MIN_SIZE, Math.min(this.maxSize() || size, size)) });
    this.handle.addEventListener('pointerdown', event => {
      if (event.button === 0) this.handle.setPointerCapture(event.pointerId);
    });
    this.handle.addEventListener('pointermove', event => {
      if (!this.handle.hasPointerCapture(event.pointerId)) return;
      const box = this.root.getBoundingClientRect();
      resize(this.state.side === 'below' ? box.bottom - event.clientY : box.right - event.clientX);
    });
    this.handle.addEventListener('keydown', event => {
      const grow = ['ArrowUp', 'ArrowLeft'].includes(event.key);
      if (!grow && !['ArrowDown', 'ArrowRight'].includes(event.key)) return;
      event.preventDefault();
      resize(this.state.size + (grow ? KEY_STEP : -KEY_STEP));
    });
  }
}

function columnsMark({ table }: PlotCardParts['source']): string {
  return JSON.stringify(table.columns.map(({ name, kind }) => [name, kind]));
}
