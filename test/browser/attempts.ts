import type { Locator } from 'playwright-core';
import { WAIT_MS } from '../../scripts/patience.mjs';

/**
 * Tries what VS Code may ignore, such as a key while a list closes, until it succeeds, as a user
 * would. `attempt` gets the milliseconds in which it has to, each time twice as many: on a slow
 * machine nothing may have been ignored.
 */
export async function attempts<T>(attempt: (timeout: number) => Promise<T>): Promise<T> {
  for (let timeout = 5000; ; timeout *= 2) {
    try {
      return await attempt(timeout);
    } catch (error) {
      if (2 * timeout > WAIT_MS) throw error;
    }
  }
}

/**
 * Clicks; false where the element isn't there in time, or has gone before. An element that got the
 * click counts as clicked even if that took longer: what is clicked once more does its work twice.
 */
export async function tryClick(target: Locator, timeout: number): Promise<boolean> {
  return await clicked(target, timeout, { inMenu: false });
}

/**
 * Clicks an entry of a context menu: false also where that got the click and did nothing, as menus
 * do for a moment after they have opened. An entry keeps from its list what it takes.
 */
export async function tryClickInMenu(entry: Locator, timeout: number): Promise<boolean> {
  return await clicked(entry, timeout, { inMenu: true });
}

async function clicked(target: Locator, timeout: number, { inMenu }: { inMenu: boolean }): Promise<boolean> {
  const listen = (node: Element) => {
    const seen = { isClicked: false, isPassedOn: false };
    node.addEventListener('mouseup', () => Object.assign(seen, { isClicked: true, isPassedOn: false }), true);
    node.closest('.actions-container')?.addEventListener('mouseup', () => (seen.isPassedOn = true));
    return seen;
  };
  try {
    const seen = await target.evaluateHandle(listen, undefined, { timeout });
    const isDone = await target.click({ timeout }).then(
      () => true,
      () => false,
    );
    // The window may be loaded again by now.
    if (isDone && !inMenu) return true;
    return await seen.evaluate(
      ({ isClicked, isPassedOn }, mayPass) => isClicked && (mayPass || !isPassedOn),
      !inMenu,
    );
  } catch {
    return false;
  }
}
