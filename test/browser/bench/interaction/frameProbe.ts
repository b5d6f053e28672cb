import type { Frame, Page } from 'playwright-core';
import { requestsSettled } from '../../services/pendingRequests';

/*
 * How long a gesture takes is read in the pages themselves: from the time the browser gives to the
 * event that ends the gesture, to the first frame that looks as the page does in the end. Clocks of
 * all pages of a machine agree.
 */

/**
 * What a page looks like for a gesture: the pixels of its canvas, the text of the rows on the
 * screen, or a comparison's plot.
 */
export type Look = 'canvas' | 'rows' | 'plot';

/**
 * Runs in a page: records at each frame when it began and what it looks like, and when the latest
 * gesture ended.
 */
function installProbe(look: Look): void {
  const small = new OffscreenCanvas(96, 96);
  const context = small.getContext('2d', { willReadFrequently: true });
  const canvas = () => document.querySelector('canvas.masks-canvas') ?? document.querySelector('canvas');
  const ofCanvas = () => {
    const shown = canvas();
    if (!context || !shown) return '';
    context.clearRect(0, 0, 96, 96);
    context.drawImage(shown as HTMLCanvasElement, 0, 0, 96, 96);
    let hash = 0;
    for (const value of new Uint32Array(context.getImageData(0, 0, 96, 96).data.buffer))
      hash = (Math.imul(hash, 31) + value) | 0;
    return String(hash);
  };
  const ofRows = () =>
    [...document.querySelectorAll('.ag-row[row-index]')]
      .map(row => `${row.getAttribute('row-index')}${row.className}${row.textContent}`)
      .sort()
      .join();
  const ofPlot = () => document.querySelector('.compare-plot .plot-drawing')?.outerHTML ?? '';
  const looks = { canvas: ofCanvas, rows: ofRows, plot: ofPlot };
  const probe = { frames: [] as [number, string][], gesture: 0, running: true };
  const record = (now: number) => {
    if (!probe.running) return;
    probe.frames.push([performance.timeOrigin + now, looks[look]()]);
    requestAnimationFrame(record);
  };
  const ended = (event: Event) => {
    probe.gesture = performance.timeOrigin + event.timeStamp;
  };
  const before = (globalThis as { probe?: typeof probe }).probe;
  if (before) before.running = false;
  Object.assign(globalThis, { probe });
  for (const type of ['pointerup', 'keydown', 'change']) addEventListener(type, ended, { capture: true });
  requestAnimationFrame(record);
}

interface Probe {
  frames: [time: number, look: string][];
  gesture: number;
  running: boolean;
}

/**
 * Milliseconds of a gesture, and the longest frame of the page that shows its outcome meanwhile.
 */
export interface GestureTimes {
  total: number;
  longestFrame: number;
}

/** A pause in which nothing changes any more: the outcome is there. */
const QUIET = 250;

/** Times from the gesture in `from` to the frame in which `to` has its final look. */
export async function timeGesture(
  page: Page,
  { from, to, look }: { from: Frame; to: Frame; look: Look },
  gesture: () => Promise<void>,
): Promise<GestureTimes> {
  await from.evaluate(installProbe, look);
  if (to !== from) await to.evaluate(installProbe, look);
  await page.waitForTimeout(QUIET);
  const before = await lastLook(to);
  await gesture();
  const deadline = Date.now() + 20_000;
  for (let seen = ''; ;) {
    await requestsSettled(to);
    await page.waitForTimeout(QUIET);
    const now = await lastLook(to);
    if (now === seen && now !== before) break;
    if (Date.now() > deadline) throw new Error('The gesture changed nothing');
    seen = now;
  }
  const began = await from.evaluate(() => (globalThis as unknown as { probe: Probe }).probe.gesture);
  const frames = await to.evaluate(() => {
    const { probe } = globalThis as unknown as { probe: Probe };
    probe.running = false;
    return probe.frames;
  });
  const final = frames.at(-1)?.[1];
  let done = frames.length - 1;
  while (done > 0 && frames[done - 1]?.[1] === final) done--;
  const end = frames[done]?.[0] ?? NaN;
  let longestFrame = 0;
  for (let at = 1; at <= done; at++) {
    const [time = 0] = frames[at] ?? [];
    if (time >= began) longestFrame = Math.max(longestFrame, time - (frames[at - 1]?.[0] ?? time));
  }
  return { total: end - began, longestFrame };
}

function lastLook(frame: Frame): Promise<string> {
  return frame.evaluate(() => (globalThis as unknown as { probe: Probe }).probe.frames.at(-1)?.[1] ?? '');
}

/** Milliseconds between the frames of a page while a gesture lasts. */
export async function frameTimes(frame: Frame, gesture: () => Promise<void>): Promise<number[]> {
  await frame.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { frameStarts: times });
    const record = (now: number) => {
      times.push(now);
      if ((globalThis as { frameStarts?: number[] }).frameStarts === times) requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
  await gesture();
  const starts = await frame.evaluate(() => {
    const { frameStarts } = globalThis as unknown as { frameStarts: number[] };
    Object.assign(globalThis, { frameStarts: undefined });
    return frameStarts;
  });
  return starts.slice(1).map((time, at) => time - (starts[at] ?? time));
}
