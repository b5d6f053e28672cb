import type { Frame, Page } from 'playwright-core';

/** How long to wait for a page that may hang, in milliseconds. */
const TIMEOUT = 2000;

/**
 * The tabs, messages and panels that a window shows, for the message of a test that found no panel.
 */
export async function describeWindow(page: Page): Promise<string> {
  const texts = async (selector: string) =>
    (await page.locator(selector).allInnerTexts()).map(text => text.trim().replace(/\s+/g, ' '));
  const lines = [
    `tabs: ${JSON.stringify(await texts('.tabs-container [role=tab]'))}`,
    `messages: ${JSON.stringify(await texts('.notification-list-item-message'))}`,
    `dialog: ${JSON.stringify(await texts('.monaco-dialog-box'))}`,
  ];
  for (const frame of page.frames()) {
    if (!frame.url().includes('/webview/')) continue;
    const element = await frame.frameElement().catch(() => undefined);
    const id = await element?.getAttribute('id').catch(() => undefined);
    const title = await element?.getAttribute('title').catch(() => undefined);
    const isVisible = await element?.isVisible().catch(() => false);
    const state = await Promise.race([
      pageState(frame).catch(String),
      new Promise<string>(resolve => setTimeout(resolve, TIMEOUT, 'does not respond')),
    ]);
    const name = `${frame.url().split('/').at(-1)?.split('?')[0]} id=${id} title=${title}`;
    lines.push(`frame: ${name} ${isVisible ? 'visible' : 'hidden'}; ${state}`);
  }
  return lines.map(line => `  ${line}`).join('\n');
}

/** Which stage of loading a panel's page is in. */
async function pageState(frame: Frame): Promise<string> {
  return await frame.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const worker = ['installing', 'waiting', 'active'].filter(state =>
      Reflect.get(registration ?? {}, state),
    );
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1));
    const marks = performance.getEntriesByType('mark').map(({ name }) => name);
    return [
      document.readyState,
      navigator.serviceWorker.controller ? 'controlled' : 'not controlled',
      `worker ${worker.join('+') || 'none'}`,
      `loaded ${loaded.join(' ')}`,
      `marks ${marks.join(' ')}`,
    ].join(', ');
  });
}
