import { deepEqual, equal } from 'node:assert/strict';
import type { PlotWindow } from '../../../../src/columns/viewSpec';
import type { LoadedPlot, LoadedZoom } from '../../../../src/drawing/page/plotDrawing';
import { PlotZoom } from '../../../../src/drawing/page/plotZoom';

const whole: PlotWindow = { x: [0, 100], y: [0, 100] };
const quarter: PlotWindow = { x: [25, 75], y: [25, 75] };

function loaded(zoom: Partial<LoadedZoom> = {}): LoadedPlot {
  const draw = () => {
    throw new Error('Not drawn in this test');
  };
  return { draw, zoom: { whole, fit: null, window: null, isComplete: false, ...zoom } };
}

/** A zoom of a plot, and what it saved and requested. */
function zoomOf(plot: LoadedPlot) {
  const calls: string[] = [];
  let onLoad: () => void = () => undefined;
  const nextLoad = () => new Promise<void>(resolve => (onLoad = resolve));
  const zoom = new PlotZoom({
    window: null,
    save: () => calls.push('window'),
    load: () => {
      calls.push('load');
      onLoad();
    },
  });
  zoom.setLoaded(plot);
  return { zoom, calls, nextLoad };
}

describe('the zoom of a plot', () => {
  it('shows the window at once, and requests its points once it stays', async () => {
    const { zoom, calls, nextLoad } = zoomOf(loaded());
    const load = nextLoad();
    equal(zoom.zoom(0.5, [50, 50]), true);
    deepEqual(zoom.window, quarter);
    zoom.pan(0.1, 0);
    deepEqual(calls, ['window', 'window']);
    await load;
    deepEqual(calls, ['window', 'window', 'load']);
  });

  it('requests nothing where all points are loaded', async () => {
    const { zoom, calls, nextLoad } = zoomOf(loaded({ isComplete: true }));
    zoom.zoom(0.5, [50, 50]);
    // A window with points that aren't loaded is requested, which shows that the first wasn't.
    const other = zoomOf(loaded());
    const load = other.nextLoad();
    other.zoom.zoom(0.5, [50, 50]);
    await Promise.race([load, nextLoad()]);
    deepEqual([calls, other.calls], [['window'], ['window', 'load']]);
  });

  it('draws the points of a window only where they cover what is shown', () => {
    const overview = loaded();
    const { zoom } = zoomOf(overview);
    zoom.zoom(0.5, [50, 50]);
    equal(zoom.plot, overview);
    const close = loaded({ window: quarter, isComplete: true });
    zoom.setLoaded(close);
    equal(zoom.plot, close);
    zoom.zoom(1.5, [50, 50]);
    equal(zoom.plot, overview);
    zoom.discardOverview();
    equal(zoom.plot, close);
    zoom.cancelPending();
  });

  it('is reset to all, and then to the rows that match the filters', () => {
    const { zoom } = zoomOf(loaded({ fit: quarter, isComplete: true }));
    equal(zoom.nextReset, 'fit');
    zoom.reset();
    deepEqual([zoom.window, zoom.nextReset], [quarter, 'showAll']);
    zoom.reset();
    deepEqual([zoom.window, zoom.nextReset], [null, 'fit']);
  });

  it('does nothing where all is shown already, or where the plot has no axes to zoom', () => {
    const { zoom, calls } = zoomOf(loaded());
    equal(zoom.zoom(2, [50, 50]), false);
    zoom.pan(-0.1, 0.1);
    zoom.reset();
    equal(zoom.nextReset, undefined);
    zoom.setLoaded({ draw: loaded().draw });
    equal(zoom.canZoom, false);
    equal(zoom.zoom(0.5, [50, 50]), false);
    deepEqual(calls, []);
  });
});
