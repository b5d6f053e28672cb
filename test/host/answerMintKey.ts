import type { BrowserContext, Page } from 'playwright-core';

/**
 * Answers the served workbench's question for its half of the key within its page, so that secrets outlive a reload. Not by
 * intercepting requests: Chromium then passes every one of them through this process, and now and then one that a
 * service worker has a part in (as each page of a panel has) is never answered.
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
