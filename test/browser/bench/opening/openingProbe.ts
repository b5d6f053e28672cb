/** When a page showed what, in milliseconds since the epoch. */
export interface OpeningProbe {
  /** The frame of the image, its masks perhaps not yet. */
  frame?: number;
  /** The first pixel in a color of masks. */
  first?: number;
  /** The last time that anything in the canvas changed. */
  last?: number;
  longestFrame: number;
  /** The first cells of a table. */
  cells?: number;
}

/**
 * Runs in every page before its own code; watches the canvas of a masks page, and the grid of a
 * table.
 */
export function installOpeningProbe(): void {
  const probe: OpeningProbe = { longestFrame: 0 };
  Object.assign(globalThis, { openingProbe: probe });
  const small = new OffscreenCanvas(128, 128);
  const context = small.getContext('2d', { willReadFrequently: true });
  let before = 0;
  let frame = NaN;
  let recorded = -Infinity;
  const record = (now: number) => {
    // Where two loops run, the second one ends here.
    if (now === recorded) return;
    recorded = now;
    const cell = probe.cells ?? document.querySelector('.ag-row[row-id] [col-id="column-1"]')?.textContent;
    if (cell) probe.cells ??= performance.timeOrigin + now;
    if (frame > 0) probe.longestFrame = Math.max(probe.longestFrame, now - frame);
    const canvas = document.querySelector<HTMLCanvasElement>('canvas.masks-canvas');
    if (context && canvas && canvas.width > 0) {
      frame = now;
      context.clearRect(0, 0, 128, 128);
      context.drawImage(canvas, 0, 0, 128, 128);
      // In whole pixels: this runs in each frame, on the thread that it measures.
      const pixels = new Uint32Array(context.getImageData(0, 0, 128, 128).data.buffer);
      let hash = 0;
      let colored = false;
      for (const pixel of pixels) {
        const red = pixel & 255;
        const green = (pixel >> 8) & 255;
        const blue = (pixel >> 16) & 255;
        hash = (Math.imul(hash, 31) + pixel) | 0;
        colored ||= Math.max(red, green, blue) - Math.min(red, green, blue) > 30;
      }
      const time = performance.timeOrigin + now;
      probe.frame ??= time;
      if (colored) probe.first ??= time;
      if (hash !== before) probe.last = time;
      before = hash;
    }
    requestAnimationFrame(record);
  };
  // Not in the page of the workbench itself. VS Code replaces the document of a webview, after
  // which frames requested before never come.
  const start = () => {
    if (recorded < performance.now() - 200) requestAnimationFrame(record);
  };
  if (parent !== self) setInterval(start, 50);
}
