import { element, fill, icon, iconButton, labelButton } from '../element';
import { FrameQueue } from '../frameQueue';
import { openMenu } from '../table/menu';
import type { DrawerState } from './drawerState';
import { PlotCard, type PlotCardParts } from './plotCard';
import { firstPlot, plotKinds, type PlotSpec } from './plotSpec';

const LEAST_SIZE = 160;
const KEY_STEP = 24;
/** Cards stand side by side from this width on. */
const CARD_WIDTH = 380;
const CARD_PADDING = 24;

export interface PlotDrawerParts extends Omit<PlotCardParts, 'onChange' | 'onRemove'> {
  state: DrawerState;
  onState: (state: DrawerState) => void;
  /** The drawer was closed by its own button. */
  onClosed: () => void;
}

/** The plots, in a drawer below the grid or to its right that can be drawn wider. */
export class PlotDrawer {
  readonly root: HTMLElement;
  private readonly handle: HTMLElement;
  private readonly cards: PlotCard[] = [];
  private readonly list = element('div', { class: 'plot-list' });
  private readonly side: HTMLButtonElement;
  private readonly redraw = new FrameQueue(() => this.drawAll());
  private state: DrawerState;

  constructor(private readonly parts: PlotDrawerParts) {
    const { text, model } = parts;
    this.state = parts.state;
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
        plotKinds.map(kind => ({
          label: text.get(kind),
          disabled: !firstPlot(kind, model.table.columns),
          run: () => {
            const plot = firstPlot(kind, model.table.columns);
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
      'aria-valuemin': LEAST_SIZE,
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
    new ResizeObserver(() => this.redraw.ask()).observe(this.list);
    model.onDidChange(change => change !== 'sort' && this.redraw.ask());
    const theme = new MutationObserver(() => this.redraw.ask());
    theme.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
    this.show();
  }

  get isOpen(): boolean {
    return this.state.open;
  }

  /** Opens or closes the drawer; an empty one starts with the plot that says most about the table. */
  setOpen(open: boolean): void {
    this.set({ open });
    if (!open || this.cards.length > 0) return;
    const { columns } = this.parts.model.table;
    const plot =
      firstPlot('scatter', columns) ?? firstPlot('histogram', columns) ?? firstPlot('bar', columns);
    if (plot) this.add(plot);
  }

  /** The columns are others now, or of other kinds. */
  refresh(): void {
    this.redraw.ask();
  }

  private add(plot: PlotSpec): void {
    this.addCard(plot);
    this.keepPlots();
    this.redraw.ask();
  }

  private addCard(plot: PlotSpec): void {
    const card = new PlotCard(
      {
        ...this.parts,
        onChange: () => this.keepPlots(),
        onRemove: gone => {
          gone.dispose();
          gone.root.remove();
          this.cards.splice(this.cards.indexOf(gone), 1);
          this.keepPlots();
          this.redraw.ask();
        },
      },
      plot,
    );
    this.cards.push(card);
    this.list.append(card.root);
  }

  private keepPlots(): void {
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
    this.handle.setAttribute('aria-valuemax', String(Math.round(this.mostSize())));
    labelButton(
      this.side,
      text.get(below ? 'plotsRight' : 'plotsBelow'),
      below ? 'layout-sidebar-right' : 'layout-panel',
    );
    this.redraw.ask();
  }

  /** To be called once the drawer stands in the page. */
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

  private mostSize(): number {
    const around = this.root.parentElement;
    if (!around) return LEAST_SIZE;
    return (this.state.side === 'below' ? around.clientHeight : around.clientWidth) * 0.8;
  }

  private listenToHandle(): void {
    const resize = (size: number) =>
      this.set({ size: Math.max(LEAST_SIZE, Math.min(this.mostSize() || size, size)) });
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
