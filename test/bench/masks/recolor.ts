import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { findChromium } from '../../host/chromium';

export interface RecolorTimes {
  /**
   * Milliseconds to make and upload a palette, and to make, upload and paint the view; absent
   * without WebGL2.
   */
  palette?: number;
  repaint?: number;
  /** Label tiles that were requested while colors changed. */
  fetched: number;
}

/**
 * Measures, in a headless Chromium with WebGL2 in software, how long the masks page takes to give
 * 50,000 objects other colors. Throws UnavailableError where there is no browser.
 */
export async function recolor(): Promise<RecolorTimes> {
  const { path, environment } = await findChromium();
  const bundle = await build({
    entryPoints: ['test/browser/bench/recolorPage.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  });
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    env: { ...process.env, ...environment },
  });
  try {
    const page = await browser.newPage();
    await page.setContent('<!doctype html><title>Recolor</title>');
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
    return await page.evaluate<RecolorTimes>('recolor()');
  } finally {
    await browser.close();
  }
}
