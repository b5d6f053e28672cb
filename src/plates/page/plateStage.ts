import { RedrawnElement } from '../../drawing/page/redrawnElement';
import { plotColors } from '../../drawing/page/plotColors';
import { isMoveKey } from '../../drawing/page/plotDrawing';
import { PlotStage } from '../../drawing/page/plotStage';
import { t } from '../../pages/page/l10n';
import { element, fill, svg } from '../../pages/page/widgets/element';
import type { PlateTarget, ShownPlate } from './plateModel';
import { drawPlates, type PlateLook, type PlatesDrawing } from './platePlot';
import type { MapTitles } from './plateWords';

/** Pixels the pointer moves before a press counts as a drag. */
const MIN_DRAG = 4;
const MIN_SIZE = { width: 240, height: 160 };

interface PlateStageDependencies {
  /** It fills this element, and follows its width. */
  place: HTMLElement;
  /** Wells of one plate were selected; `adds`: in addition to the current selection. */
  select: (plate: ShownPlate, wells: readonly number[], adds: boolean) => void;
  /** Opens the images of a well. */
  enter: (plate: ShownPlate, well: number) => void;
  mark: (plate: ShownPlate, well: number, control: 'negative' | 'positive') => void;
  /** Escape, where nothing is pointed at. */
  escape: () => void;
  /** Shows the next or previous plates; false without any. */
  turnPage: (by: 1 | -1) => boolean;
  say: (words: string) => void;
}

interface ShownMap {
  plates: readonly ShownPlate[];
  titles: MapTitles;
  scale: PlateLook['scale'];
}

/** The plate map on the screen: all that isn't a function of the model. */
export class PlateStage {
  private readonly stage: PlotStage;
  private readonly place: RedrawnElement;
  private drawn: PlatesDrawing | undefined;
  private shown: ShownMap | undefined;
  private isSelected: (plate: ShownPlate, well: number) => boolean = () => false;
  /** Start of a press. */
  private press: { pointer: number; from: [number, number]; hasMoved: boolean } | undefined;

  constructor(private readonly parts: PlateStageDependencies) {
    const root = element('div', {
      class: 'plot-stage',
      tabindex: 0,
      role: 'application',
      'aria-roledescription': t('map of plates'),
    });
    const { say } = parts;
    const names = { cached: () => [], load: () => Promise.resolve([]) };
    this.stage = new PlotStage(root, { say, hover: () => undefined, act: () => undefined }, names);
    root.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.press = { pointer: event.pointerId, from: this.stage.positionOf(event), hasMoved: false };
    });
    root.addEventListener('pointermove', event => this.move(event));
    root.addEventListener('pointerup', event => this.release(event));
    root.addEventListener('pointercancel', () => this.endPress());
    root.addEventListener('pointerleave', () => this.stage.pointAt(undefined, 'pointer'));
    root.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.pressKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    parts.place.append(root);
    this.place = new RedrawnElement(parts.place, MIN_SIZE, () => this.draw());
  }

  show(shown: ShownMap): void {
    this.shown = shown;
    this.draw();
  }

  /** Outlines the wells that the table is filtered to. */
  outline(isSelected: (plate: ShownPlate, well: number) => boolean): void {
    this.isSelected = isSelected;
    this.stage.showMark(this.drawn?.outlineOf(isSelected));
  }

  dispose(): void {
    this.place.dispose();
    this.stage.dispose();
    this.stage.root.remove();
  }

  private draw(): void {
    const { shown } = this;
    if (!shown) return;
    const { plates, titles, scale } = shown;
    this.drawn = drawPlates(plates, titles, { ...this.place.size, scale, colors: plotColors() });
    this.stage.show(this.drawn);
    this.outline(this.isSelected);
  }

  private move(event: PointerEvent): void {
    const { press, stage, drawn } = this;
    if (press && event.buttons === 0) this.endPress();
    const [x, y] = stage.positionOf(event);
    if (!this.press || !press) {
      const target = drawn?.targets.targetAt(x, y);
      stage.root.classList.toggle('can-click', this.targetAt(target)?.well !== undefined);
      stage.pointAt(target, 'pointer');
      return;
    }
    if (!press.hasMoved && Math.hypot(x - press.from[0], y - press.from[1]) < MIN_DRAG) return;
    if (!press.hasMoved) stage.root.setPointerCapture(event.pointerId);
    press.hasMoved = true;
    stage.pointAt(undefined, 'pointer');
    const color = plotColors().foreground;
    const [left, top] = [Math.min(x, press.from[0]), Math.min(y, press.from[1])];
    const box = { x: left, y: top, width: Math.abs(x - press.from[0]), height: Math.abs(y - press.from[1]) };
    fill(
      stage.sketch,
      svg('rect', { ...box, fill: color, 'fill-opacity': 0.08, stroke: color, 'stroke-dasharray': '4 3' }),
    );
  }

  private release(event: PointerEvent): void {
    const { press, stage, drawn } = this;
    if (!press || event.pointerId !== press.pointer) return;
    this.endPress();
    const to = stage.positionOf(event);
    if (press.hasMoved) this.select(drawn?.within(press.from, to) ?? [], event.shiftKey);
    else this.select([this.targetAt(drawn?.targets.targetAt(...to))], event.shiftKey);
  }

  private endPress(): void {
    this.press = undefined;
    fill(this.stage.sketch);
  }

  private select(targets: readonly (PlateTarget | undefined)[], adds: boolean): void {
    const wells = targets.flatMap(target => target?.well ?? []);
    const [first] = targets;
    if (first && wells.length > 0) this.parts.select(first.plate, wells, adds);
  }

  private targetAt(target: number | undefined): PlateTarget | undefined {
    return target === undefined ? undefined : this.drawn?.targetAt(target);
  }

  /** Whether a key was handled. */
  private pressKey({ key, shiftKey }: KeyboardEvent): boolean {
    const { stage, drawn, parts } = this;
    const pointed = this.targetAt(stage.pointedAt);
    if (isMoveKey(key)) {
      stage.pointAt(drawn?.targets.next(stage.pointedAt, key), 'key');
      this.scrollTo(stage.pointedAt);
      return true;
    }
    if (key === 'PageDown' || key === 'PageUp') return parts.turnPage(key === 'PageDown' ? 1 : -1);
    if (key === 'Escape') {
      if (this.press) this.endPress();
      else if (stage.pointedAt === undefined) parts.escape();
      else stage.pointAt(undefined, 'key');
      return true;
    }
    if (pointed?.well === undefined) return key === ' ';
    const { plate, well } = pointed;
    switch (key.length === 1 ? key.toLowerCase() : key) {
      case 'Enter':
        parts.enter(plate, well);
        return true;
      case ' ':
        parts.select(plate, [well], shiftKey);
        return true;
      case 'n':
      case 'p':
        parts.mark(plate, well, key.toLowerCase() === 'n' ? 'negative' : 'positive');
        return true;
      default:
        return false;
    }
  }

  /** Plates that don't fit scroll to the well that a key reached. */
  private scrollTo(target: number | undefined): void {
    const { place } = this.parts;
    const { y } = (target === undefined ? undefined : this.drawn?.targets.anchor(target)) ?? {};
    if (y === undefined) return;
    const [top, bottom] = [place.scrollTop + 40, place.scrollTop + place.clientHeight - 40];
    if (y < top) place.scrollTop = y - 40;
    else if (y > bottom) place.scrollTop = y - place.clientHeight + 40;
  }
}
