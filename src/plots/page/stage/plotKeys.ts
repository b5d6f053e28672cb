import { arrowDirection, isMoveKey, type ArrowKey } from '../moveKey';
import type { PlotPointer, PointerZoom } from './plotPointer';
import type { PlotStage } from './plotStage';

/** The factor of one key press; below 1 zooms in. */
const ZOOM_STEP = 0.7;
/** The share of the plot that a key pans. */
const PAN_STEP = 0.15;

/**
 * Handles keys in a focused plot: arrows move among points, bars or groups; Enter selects or filters; Escape stops pointing,
 * then clears the filter; +, − and 0 zoom; Shift with an arrow pans.
 */
export function listenToPlotKeys(stage: PlotStage, pointer: PlotPointer, zoom: PointerZoom): void {
  /** Whether the key was handled. */
  const press = (event: KeyboardEvent): boolean => {
    const { drawing } = stage;
    if (!drawing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { key } = event;
    const canZoom = drawing.toData !== undefined;
    if (isMoveKey(key)) {
      if (!event.shiftKey) stage.pointAt(drawing.targets.next(stage.pointedAt, key), 'key');
      else if (canZoom && key !== 'Home' && key !== 'End') pan(key);
      else return false;
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
      case '-':
        if (canZoom) zoomBy(key === '-' ? 1 / ZOOM_STEP : ZOOM_STEP);
        return canZoom;
      case '0':
        if (canZoom) zoom.reset();
        return canZoom;
      default:
        return false;
    }
  };
  /** Zooms around what is pointed at, else around the center. */
  const zoomBy = (factor: number): void => {
    const { drawing, pointedAt } = stage;
    if (!drawing) return;
    const { left, top, width, height } = drawing.frame.box;
    const center = { x: left + width / 2, y: top + height / 2 };
    const { x, y } = pointedAt === undefined ? center : drawing.targets.anchor(pointedAt);
    zoom.zoom(factor, x, y);
  };
  const pan = (key: ArrowKey): void => {
    const { width = 0, height = 0 } = stage.drawing?.frame.box ?? {};
    const [dx, dy] = arrowDirection(key);
    // The drawing moves the other way.
    zoom.pan(-dx * width * PAN_STEP, -dy * height * PAN_STEP);
  };
  stage.root.addEventListener('keydown', event => {
    if (event.target !== stage.root || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
