import type { BrowserContext, Page } from 'playwright-core';

/**
 * Handles the served workbench's request for its half of the key within its page, so that secrets
 * survive a reload. Not by intercepting requests: Chromium then passes every one of them through
 * this process, those of panels' pages and their service worker too. That is suspected, not proven,
 * to be why a panel's page once never loaded.
 */
export async function serveMintKey(window: Page | BrowserContext, key: Uint8Array): Promise<void> {
  await window.addInitScript(
    bytes => {
      const { fetch } = globalThis;
      globalThis.fetch = (target, ...rest) =>
        (target instanceof Request ? target.url : String(target)).endsWith('/mint-key')
          ? Promise.resolve(new Response(Uint8Array.from(bytes)))
          : fetch(target, ...rest);
    },
    [...key],
  );
}
