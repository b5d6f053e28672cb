import type { Page } from 'playwright-core';
import { heard, type PageWanted } from './previewPages';
import type { ThemeName } from './themes';

export interface Scene extends PageWanted {
  name: string;
  themes: readonly ThemeName[];
  /** What happens before the picture is taken. */
  act?(page: Page): Promise<void>;
}

export const everyTheme: readonly ThemeName[] = ['dark', 'light', 'hcDark', 'hcLight'];

/** Until the page told its panel that its first content is on the screen. */
export const shown = (page: Page) => heard(page, 'shown');

/** Until nothing has been painted or fetched for a while; good enough for a picture to look at. */
export async function idle(page: Page): Promise<void> {
  await page.waitForTimeout(600);
}
