import type { MoveKey } from '../plotDrawing';
import type { PlotPointer, PointerZoom } from './plotPointer';
import type { PlotStage } from './plotStage';

const ZOOM_STEP = 0.7;
/** Share of the plot that a key pans. */
const PAN_STEP = 0.15;
const MOVES: ReadonlySet<string> = new Set([
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
]);

/**
 * What keys do in a plot that has the focus: arrows move among points, bars or groups, Enter selects or filters, Escape
 * leaves and then clears, + − 0 zoom, Shift with arrows pans.
 */
export function listenToPlotKeys(stage: PlotStage, pointer: PlotPointer, zoom: PointerZoom): void {
  const press = (event: KeyboardEvent): boolean => {
    const { drawing } = stage;
    if (!drawing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { key } = event;
    const { left, top, width, height } = drawing.frame.box;
    if (isMove(key)) {
      if (event.shiftKey) return pan(key);
      stage.pointAt(drawing.targets.next(stage.pointedAt, key), 'key');
      return true;
    }
    switch (key) {
      case 'Enter':
        stage.act(stage.pointedAt);
        return true;
      case 'Escape':
        if (pointer.isDragging) pointer.cancel();
        else if (stage.pointedAt !== undefined) stage.pointAt(undefined, 'key');
        else if (drawing.clear) stage.perform(drawing.clear);
        return true;
      case '+':
      case '=':
      case '-': {
        if (!drawing.toData) return false;
        const at = stage.pointedAt === undefined ? undefined : drawing.targets.place(stage.pointedAt);
        zoom.zoom(
          key === '-' ? 1 / ZOOM_STEP : ZOOM_STEP,
          at?.x ?? left + width / 2,
          at?.y ?? top + height / 2,
        );
        return true;
      }
      case '0':
        if (!drawing.toData) return false;
        zoom.reset();
        return true;
      default:
        return false;
    }
  };
  const pan = (key: MoveKey): boolean => {
    const { toData, frame } = stage.drawing ?? {};
    if (!toData || !frame || key === 'Home' || key === 'End') return false;
    const [dx, dy] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    zoom.pan((dx ?? 0) * frame.box.width * PAN_STEP, (dy ?? 0) * frame.box.height * PAN_STEP);
    return true;
  };
  stage.root.addEventListener('keydown', event => {
    if (event.target !== stage.root || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function isMove(key: string): key is MoveKey {
  return MOVES.has(key);
}
