import type { Page } from 'playwright-core';

/** A menu that VS Code would open. */
export interface OpenedMenu {
  x: number;
  y: number;
  context: object;
}

/**
 * Collects the menus that VS Code would open, with what it finds in the page by its rules; returns
 * them once there are `count`.
 */
export async function openedMenus(page: Page): Promise<(count: number) => Promise<OpenedMenu[]>> {
  await page.evaluate(`
    window.openedMenus = [];
    addEventListener('contextmenu', event => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      let context = {};
      for (let at = event.target.closest('[data-vscode-context]'); at; at = at.parentElement?.closest('[data-vscode-context]'))
        context = { ...JSON.parse(at.dataset.vscodeContext), ...context };
      openedMenus.push({ x: event.clientX, y: event.clientY, context });
    });
  `);
  return async count => {
    for (;;) {
      const menus: OpenedMenu[] = await page.evaluate(
        'new Promise(requestAnimationFrame).then(() => openedMenus)',
      );
      if (menus.length >= count) return menus;
    }
  };
}
