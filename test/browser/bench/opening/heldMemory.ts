import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/**
 * Bytes that a window of the workbench holds with all its pages, which share a heap, once garbage
 * is collected.
 */
export interface HeldMemory {
  /** Objects of scripts. */
  script: number;
  /** What lies beside them: arrays of numbers, and what elements and styles take. */
  beside: number;
  /**
   * All of the processes that show the window, what they share with others in parts; undefined
   * where it can't be read.
   */
  process: number | undefined;
}

export async function heldMemory(page: Page): Promise<HeldMemory> {
  const session = await page.context().newCDPSession(page);
  // What only something collected held goes with the next collection.
  for (let time = 0; time < 3; time++) {
    await session.send('HeapProfiler.collectGarbage');
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)));
  }
  // Browsers of a few years ago tell the first of them alone.
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = (await session.send(
    'Runtime.getHeapUsage',
  )) as Record<'usedSize' | 'embedderHeapUsedSize' | 'backingStorageSize', number>;
  await session.detach();
  return {
    script: usedSize,
    beside: embedderHeapUsedSize + backingStorageSize,
    process: await processBytes(page),
  };
}

async function processBytes(page: Page): Promise<number | undefined> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session || process.platform !== 'linux') return undefined;
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  const sizes = await Promise.all(renderers.map(({ id }) => readFile(`/proc/${id}/smaps_rollup`, 'utf8')));
  return sizes.reduce((sum, text) => sum + 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]), 0);
}
