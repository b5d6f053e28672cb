import * as assert from 'node:assert/strict';
import type { ElementHandle, Frame, Locator, Page } from 'playwright-core';
import { WAIT_MS } from '../../../scripts/patience.mjs';
import { requestsSettled } from '../services/pendingRequests';

/** A place on the background image: shares of its width and height. */
type Share = readonly [x: number, y: number];

/** A panel's page that shows masks, as a user operates it. */
export class MasksView {
  constructor(
    private readonly page: Page,
    readonly frame: Frame,
  ) {}

  get canvas(): Locator {
    return this.frame.locator('canvas.masks-canvas');
  }

  section(name: string): Locator {
    return this.frame.locator(`section[aria-label="${name}"]`);
  }

  /** A measurement of the object in focus, as the inspector shows it. */
  measure(name: string): Locator {
    return this.frame
      .locator('dt', { hasText: new RegExp(`^${name}$`) })
      .locator('xpath=following-sibling::dd[1]');
  }

  /** Drags over the background image along points given as shares of its width and height. */
  async drag(first: Share, ...others: Share[]): Promise<void> {
    const box = await this.canvas.boundingBox();
    assert.ok(box);
    const at = ([x, y]: Share) => [box.x + x * box.width, box.y + y * box.height] as const;
    await this.page.mouse.move(...at(first));
    await this.page.mouse.down();
    for (const point of others) await this.page.mouse.move(...at(point), { steps: 4 });
    await this.page.mouse.up();
  }

  /** A screenshot of the canvas alone, once no request is pending and painting has ended. */
  async painted(): Promise<string> {
    const read = async () => {
      await requestsSettled(this.frame);
      return this.canvas.evaluate(async (canvas: HTMLCanvasElement) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext('2d');
        context?.drawImage(canvas, 0, 0);
        const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data.buffer;
        const hash = await crypto.subtle.digest('SHA-256', pixels ?? new ArrayBuffer(0));
        return [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join('');
      });
    };
    for (let before = await read(); ;) {
      const now = await read();
      if (now === before) return now;
      before = now;
    }
  }

  /** Waits until the canvas looks as it did before. */
  async repaints(before: string): Promise<void> {
    await this.paintedSuchThat(now => now === before, 'Something else is painted than before');
  }

  /** A screenshot of the canvas once it has changed. */
  async paintsAnew(before: string): Promise<string> {
    return this.paintedSuchThat(now => now !== before, 'The same is painted as before');
  }

  /** A page at rest may still be notified of a change, by an event or from the table. */
  private async paintedSuchThat(isSo: (now: string) => boolean, complaint: string): Promise<string> {
    for (const deadline = Date.now() + WAIT_MS; ;) {
      const now = await this.painted();
      if (isSo(now)) return now;
      assert.ok(Date.now() < deadline, complaint);
      // To read the canvas takes the time of the page that is to paint it.
      await this.page.waitForTimeout(100);
    }
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name });
  }

  /**
   * Moves the pointer onto the center of a pixel of the image, computed from the status line at two
   * other places.
   */
  async pointAt(x: number, y: number): Promise<void> {
    const box = await this.canvas.boundingBox();
    assert.ok(box);
    const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const step = Math.min(box.width, box.height) / 6;
    const first = { x: center.x - step, y: center.y - step };
    const second = { x: center.x + step, y: center.y + step };
    const [a, b] = [await this.pixelAt(first), await this.pixelAt(second)];
    const scale = (second.x - first.x) / (b.x - a.x);
    await this.page.mouse.move(first.x + (x - a.x) * scale, first.y + (y - a.y) * scale);
  }

  /** The pixel of the image at a place of the window, as the status line says. */
  async pixelAt(at: { x: number; y: number }): Promise<{ x: number; y: number }> {
    const pointer = this.frame.locator('.status-item.pointer');
    // From elsewhere, so that the status line is of this move.
    await this.page.mouse.move(0, 0);
    await pointer.and(this.frame.locator(':empty')).waitFor({ state: 'attached' });
    await this.page.mouse.move(at.x, at.y);
    const words = await pointer.filter({ hasText: /x [\d,]+, y [\d,]+/ }).innerText();
    const [, x = '', y = ''] = /x ([\d,]+), y ([\d,]+)/.exec(words) ?? [];
    return { x: Number(x.replaceAll(',', '')), y: Number(y.replaceAll(',', '')) };
  }

  /**
   * Waits until masks are painted at full resolution: only they have colors, not a gray background
   * image or the page's background.
   */
  async seeMasks(): Promise<void> {
    const isColored = (canvas: HTMLCanvasElement | null) => {
      if (!canvas) return false;
      // Every fourth pixel of every fourth row: all of them several times a second take the page's
      // time.
      const [width, height] = [Math.ceil(canvas.width / 4), Math.ceil(canvas.height / 4)];
      const context = new OffscreenCanvas(width, height).getContext('2d');
      if (!context) return false;
      context.imageSmoothingEnabled = false;
      context.drawImage(canvas, 0, 0, width, height);
      const { data } = context.getImageData(0, 0, width, height);
      let colored = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
        if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) colored++;
      }
      return colored > 500 / 16;
    };
    const canvas = await this.canvas.elementHandle();
    await this.frame.waitForFunction(isColored, canvas as ElementHandle<HTMLCanvasElement> | null, {
      polling: 200,
    });
    await this.painted();
  }
}
