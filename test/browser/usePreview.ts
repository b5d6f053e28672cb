import * as assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import {
  oneRenderer,
  PreviewPages,
  waitForMessage,
  type OpenPreview,
  type PageSetup,
} from './preview/previewPages';
import type { PageName } from './preview/pageScripts';
import type { ThemeName } from './preview/themes';

/** What a suite's tests receive: pages without VS Code. */
export interface PreviewSuite {
  /** For further pages, which the test closes itself. */
  readonly pages: PreviewPages;
  /** The page that is open. */
  readonly preview: OpenPreview;
  /**
   * Opens a page in place of the one before, and resolves once its first content is on the screen.
   */
  open(setup: PageSetup, theme?: ThemeName): Promise<Page>;
}

/**
 * Inside a describe: our pages in a browser of its own, where scroll bars take room, as in VS Code,
 * if a test is about that. A test fails if the page it opened reported a problem.
 */
export function usePreview(names: readonly PageName[], { scrollBars = false } = {}): PreviewSuite {
  let browser: Browser | undefined;
  let pages: PreviewPages | undefined;
  let preview: OpenPreview | undefined;

  const close = async () => {
    const closed = preview;
    preview = undefined;
    await closed?.close();
    assert.deepEqual(closed?.problems ?? [], []);
  };

  before(async () => {
    browser = await launchChromium({
      args: oneRenderer,
      ...(scrollBars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
    });
    pages = await PreviewPages.bundle(browser, names);
  });
  after(() => browser?.close());
  afterEach(close);

  const opened = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('A page is open only while tests run');
    return value;
  };
  return {
    get pages() {
      return opened(pages);
    },
    get preview() {
      return opened(preview);
    },
    async open(setup, theme = 'dark') {
      await close();
      preview = await opened(pages).open(setup, theme);
      const { page } = preview;
      await waitForMessage(page, 'shown');
      return page;
    },
  };
}
