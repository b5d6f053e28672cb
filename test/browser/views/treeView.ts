import type { Locator, Page } from 'playwright-core';
import { WAIT_MS } from '../../../scripts/patience.mjs';
import { attempts, tryClickInMenu } from '../attempts';
import { startsWith } from '../text';

/**
 * Clicks through a context menu that is about to open: the names of submenus, then of the entry.
 */
export async function chooseInMenu(page: Page, ...path: string[]): Promise<void> {
  const isChosen = await tryInMenu(page, path, WAIT_MS);
  if (!isChosen) throw new Error(`The menu closed before ${path.join(', ')} was selected`);
}

/**
 * The same; false where the menu closes before its entry took a click. Throws where that isn't
 * there in time.
 */
async function tryInMenu(page: Page, path: readonly string[], timeout: number): Promise<boolean> {
  const menu = page.locator('.monaco-menu');
  const entry = (name: string) => menu.getByRole('menuitem', { name: startsWith(name) }).first();
  const last = entry(path.at(-1) ?? '');
  for (const name of path.slice(0, -1)) await entry(name).click({ timeout });
  await last.waitFor({ timeout });
  let isClicked = false;
  // A menu that has just opened ignores the mouse for a moment, and nothing in the page shows when
  // that ends.
  for (let pause = 300; pause < WAIT_MS && (await menu.first().isVisible()); pause *= 2) {
    const wasClicked = await tryClickInMenu(last, Math.max(1000, pause));
    isClicked ||= wasClicked;
    await menu
      .first()
      .waitFor({ state: 'hidden', timeout: pause })
      .catch(() => undefined);
  }
  await menu.first().waitFor({ state: 'hidden' });
  return isClicked;
}

/** A tree view of the side bar, or its welcome view while it is empty. */
export class TreeView {
  constructor(
    private readonly page: Page,
    readonly root: Locator,
  ) {}

  /** The view of that name in the container that is open. */
  static named(page: Page, name: string): TreeView {
    const header = page.locator(`.pane-header[aria-label^="${name}"]`);
    return new TreeView(page, page.locator('.part.sidebar .pane', { has: header }));
  }

  static explorer(page: Page): TreeView {
    return new TreeView(page, page.locator('.explorer-folders-view'));
  }

  item(name: string): Locator {
    return this.root.getByRole('treeitem', { name: startsWith(name) }).first();
  }

  /** The rows' text as shown. */
  async rows(): Promise<string[]> {
    return await this.root.getByRole('treeitem').allInnerTexts();
  }

  async waitForItem(name: string): Promise<void> {
    await this.item(name).waitFor();
  }

  async click(name: string): Promise<void> {
    await this.item(name).click();
  }

  /** Clicks the first and adds the others to the selection. */
  async select(first: string, ...others: string[]): Promise<void> {
    await this.item(first).click();
    for (const name of others) await this.item(name).click({ modifiers: ['ControlOrMeta'] });
  }

  async expand(name: string): Promise<void> {
    const item = this.item(name);
    if ((await item.getAttribute('aria-expanded')) === 'true') return;
    await item.locator('.monaco-tl-twistie').click();
    await this.root.locator('[role=treeitem][aria-expanded=true]').and(item).waitFor();
  }

  /**
   * Opens the item's context menu and selects an entry; again where the page of an editor takes the
   * focus, which closes it.
   */
  async menu(name: string, ...path: string[]): Promise<void> {
    await attempts(async timeout => {
      await this.item(name).click({ button: 'right' });
      const isChosen = await tryInMenu(this.page, path, timeout).catch(() => false);
      if (isChosen) return;
      if (await this.page.locator('.monaco-menu').first().isVisible())
        await this.page.keyboard.press('Escape');
      throw new Error(`${path.join(', ')} could not be selected in the menu of "${name}"`);
    });
  }

  /** Selects several items and an entry of their shared context menu. */
  async menuOfSeveral(names: [string, ...string[]], ...path: string[]): Promise<void> {
    await this.select(...names);
    await this.menu(names[names.length - 1] ?? names[0], ...path);
  }

  /** Clicks a button at the end of the item's row. */
  async inlineAction(name: string, action: string): Promise<void> {
    await this.item(name).hover();
    await this.item(name)
      .getByRole('button', { name: startsWith(action) })
      .click();
  }

  /** Clicks a button in the view's title. */
  async titleAction(action: string): Promise<void> {
    await this.root.locator('.pane-header').hover();
    await this.root
      .locator('.pane-header')
      .getByRole('button', { name: startsWith(action) })
      .click();
  }

  /** Clicks a button or a link of the welcome view. */
  async welcome(action: string): Promise<void> {
    const content = this.root.locator('.welcome-view-content');
    await content
      .getByRole('button', { name: action })
      .or(content.getByRole('link', { name: action }))
      .first()
      .click();
  }
}
