import type { BrowserContext, Page } from 'playwright-core';

/**
 * Answers the served workbench's question for its half of the key within its page, so that secrets outlive a reload. Not by
 * intercepting requests: Chromium then passes every one of them through this process, those of panels' pages and
 * their service worker too. That is suspected, not proved, of a panel whose page once never came.
 */
export async function answerMintKey(window: Page | BrowserContext, key: Uint8Array): Promise<void> {
  await window.addInitScript(
    bytes => {
      const { fetch } = globalThis;
      globalThis.fetch = (asked, ...rest) =>
        (asked instanceof Request ? asked.url : String(asked)).endsWith('/mint-key')
          ? Promise.resolve(new Response(Uint8Array.from(bytes)))
          : fetch(asked, ...rest);
    },
    [...key],
  );
}
