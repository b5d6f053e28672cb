import type { Page } from 'playwright-core';
import { waitForMessage, type PageSetup } from './previewPages';
import type { PreviewEngine } from './tableEngine';
import type { ThemeName } from './themes';

export interface Scene extends PageSetup {
  name: string;
  themes: readonly ThemeName[];
  /** What happens before the screenshot is taken. */
  act?(page: Page, engine: PreviewEngine): Promise<void>;
}

export const everyTheme: readonly ThemeName[] = ['dark', 'light', 'hcDark', 'hcLight'];

/** Waits until the page has reported that its first content is on the screen. */
export const shown = (page: Page) => waitForMessage(page, 'shown');

/**
 * Waits until painting and fetching have most likely ended, which is good enough for a screenshot.
 */
export async function idle(page: Page): Promise<void> {
  await page.waitForTimeout(600);
}
