import type { Locator, Page } from 'playwright-core';

/** The one place at the top of the window where VS Code asks: palette, pick lists and input boxes. */
export class QuickInput {
  constructor(private readonly page: Page) {}

  get widget(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** The row of a list whose label is exactly that. */
  option(label: string): Locator {
    return this.widget.locator('.monaco-list-row', {
      has: this.page.locator('.label-name').getByText(label, { exact: true }),
    });
  }

  /** Waits for the step with that title (without the "1/3" after it). */
  async titled(title: string): Promise<void> {
    await this.widget.locator('.quick-input-title', { hasText: title }).waitFor();
  }

  /** Writes into the box and leaves it open. */
  async type(text: string): Promise<void> {
    await this.widget.locator('input.input').first().fill(text);
  }

  /** Names a place in a file dialog, once the dialog has proposed a name: it writes that late, over what is there. */
  async namePlace(proposed: string, path: string): Promise<void> {
    await this.widget.locator('.monaco-list-row').first().waitFor();
    await this.page.waitForFunction(
      name =>
        [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input.input')].some(
          input => input.checkVisibility() && input.value.endsWith(`/${name}`),
        ),
      proposed,
    );
    await this.type(path);
    await this.widget.getByRole('button', { name: 'OK' }).click();
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

  /** Ticks rows of a list that allows several, and accepts. */
  async chooseSeveral(...labels: string[]): Promise<void> {
    for (const label of labels) await this.option(label).locator('[role=checkbox], input').first().check();
    await this.widget.getByRole('button', { name: 'OK' }).click();
  }

  async back(): Promise<void> {
    await this.widget.getByRole('button', { name: 'Back' }).click();
  }

  /** Leaves this step; another may follow it. */
  async escape(): Promise<void> {
    await this.page.keyboard.press('Escape');
  }

  /** Waits until nothing is asked any more. */
  async closed(): Promise<void> {
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** What the box says about what was typed. */
  get message(): Locator {
    return this.widget.locator('.quick-input-message');
  }
}
