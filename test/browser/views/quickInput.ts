import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** The quick input at the top of the window: palette, quick picks and input boxes. */
export class QuickInput {
  constructor(private readonly page: Page) {}

  get widget(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** The row of a list with exactly that label. */
  option(label: string): Locator {
    return this.widget.locator('.monaco-list-row', {
      has: this.page.locator('.label-name').getByText(label, { exact: true }),
    });
  }

  /** Waits for the step with that title (without the "1/3" after it). */
  async titled(title: string): Promise<void> {
    await this.widget.locator('.quick-input-title', { hasText: title }).waitFor();
  }

  /** Types into the box and leaves it open. */
  async type(text: string, options?: { timeout: number }): Promise<void> {
    await this.widget.locator('input.input').first().fill(text, options);
  }

  /**
   * Enters a path in a file dialog, once the dialog has suggested a name, which would overwrite it.
   * `beside` is a file in another folder than the dialog shows: it is listed first, and until then
   * the dialog accepts nothing.
   */
  async namePlace(proposed: string, path: string, beside?: string): Promise<void> {
    await this.widget.locator('.monaco-list-row').first().waitFor();
    await this.page.waitForFunction(
      name =>
        [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input.input')].some(
          // With the host's own separator.
          input =>
            input.checkVisibility() &&
            /[\\/]/.test(input.value.at(-name.length - 1) ?? '') &&
            input.value.endsWith(name),
        ),
      proposed,
    );
    await this.type(path);
    if (beside !== undefined) await this.option(beside).waitFor();
    // A desktop's own dialog says what it does; that of a browser may not.
    await this.widget.getByRole('button', { name: /^(OK|Save)$/ }).click();
  }

  /** Selects a file in a file dialog, which lists a folder before it accepts a file. */
  async selectFile(path: string, button: string): Promise<void> {
    await this.option('..').waitFor();
    await this.type(path);
    await this.widget.getByRole('button', { name: button }).click();
  }

  /** Selects a folder in a file dialog, in which the folder above it is listed first. */
  async selectFolder(path: string, button: string): Promise<void> {
    await this.option('..').waitFor();
    await this.type(`${path}/`);
    await this.option(basename(path)).waitFor({ state: 'detached' });
    await this.widget.getByRole('button', { name: button }).click();
  }

  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  async accept(): Promise<void> {
    await this.page.keyboard.press('Enter');
  }

  async choose(label: string): Promise<void> {
    await this.option(label).click();
  }

  /** Selects rows of a multi-select list, and accepts. */
  async chooseSeveral(...labels: string[]): Promise<void> {
    for (const label of labels) await this.option(label).locator('[role=checkbox], input').first().check();
    await this.widget.getByRole('button', { name: 'OK' }).click();
  }

  /** A choice beside the box that is on or off. */
  toggle(name: string, checked?: boolean): Locator {
    const state = checked === undefined ? '' : `[aria-checked="${checked}"]`;
    return this.widget.locator(`[aria-label="${name}"]${state}`);
  }

  async back(): Promise<void> {
    await this.widget.getByRole('button', { name: 'Back' }).click();
  }

  /** Cancels this step; another may follow it. */
  async escape(): Promise<void> {
    await this.page.keyboard.press('Escape');
  }

  /** Waits until no input is open. */
  async closed(): Promise<void> {
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** The validation message below the box. */
  get message(): Locator {
    return this.widget.locator('.quick-input-message');
  }
}
