import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { WAIT_MS } from '../../scripts/patience.mjs';
import { serveMintKey } from '../host/serveMintKey';
import { launchChromium } from '../host/chromium';
import type { HostElsewhere } from '../host/hostElsewhere';
import { mintKey } from '../host/mintKey';
import { folderAddress, installedFolder, installExtension, ServedHost } from '../host/servedHost';
import type { EditionName } from '../host/vscodeServer';
import { attempts, tryClick } from './attempts';
import { trackRequests } from './services/pendingRequests';
import { QuickInput } from './views/quickInput';
import { startsWith } from './text';
import { chooseInMenu, TreeView } from './views/treeView';
import { describeWindow } from './describeWindow';

export type Theme = 'light' | 'dark' | 'high-contrast' | 'high-contrast-light';

/** The VS Code that tests run in, unless the current one. */
const edition = process.env['IA_TEST_EDITION'] as EditionName | undefined;

/** Whether that is the oldest one that the manifest allows. */
export const isOldest = edition === 'oldest';

/** Each theme as settings and as the list of themes name it. */
const themes: Record<Theme, { id: string; label: string }> = {
  light: isOldest ? { id: 'Default Light Modern', label: 'Light Modern' } : sameName('Light 2026'),
  dark: isOldest ? { id: 'Default Dark Modern', label: 'Dark Modern' } : sameName('Dark 2026'),
  'high-contrast': { id: 'Default High Contrast', label: 'Dark High Contrast' },
  'high-contrast-light': { id: 'Default High Contrast Light', label: 'Light High Contrast' },
};

function sameName(name: string): { id: string; label: string } {
  return { id: name, label: name };
}

export interface WorkbenchOptions {
  /** Names the trace and the folder of files saved after a failure. */
  name: string;
  theme: Theme;
  /** The packaged extension, installed as a user would install it. */
  vsix: string;
  /** The workspace; exists already. */
  folder: string;
  /** Only for this workbench; removed by its owner. */
  dataFolder: string;
  settings?: Record<string, unknown>;
  /** The language of the editor, and the extension's translations in it; else English. */
  language?: { id: string; translations: Record<string, string> };
  environment?: Record<string, string>;
  workspaceTrust?: boolean;
  /** A host that runs already, with settings of its own, instead of a new one. */
  elsewhere?: HostElsewhere | undefined;
}

/** Whether what happens is recorded, for the trace viewer. */
const isTraced = Boolean(process.env['IA_TRACE']);

async function newContext(
  browser: Browser,
  { theme, dataFolder, language }: WorkbenchOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: theme.endsWith('light') ? 'light' : 'dark',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(WAIT_MS);
  await serveMintKey(context, await mintKey(dataFolder));
  await context.addInitScript(trackRequests);
  await context.addInitScript(stopSpinners);
  if (language) await context.addInitScript(setEditorLanguage, language.id);
  return context;
}

/**
 * Sets VS Code's language as a language pack does; its own texts stay English. Runs in a page.
 */
function setEditorLanguage(id: string): void {
  Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: id });
}

/** Adds translations to the installed extension, as a translator would ship them. */
async function addTranslations({ dataFolder, language }: WorkbenchOptions): Promise<void> {
  if (!language) return;
  const bundle = join(await installedFolder(dataFolder), 'l10n', `bundle.l10n.${language.id}.json`);
  await writeFile(bundle, JSON.stringify(language.translations));
}

/**
 * Stops VS Code's own signs of work under way, which reduced motion leaves moving: frames of the
 * whole window, painted without a GPU, for as long as anything is awaited. Runs in a page.
 */
function stopSpinners(): void {
  const style = new CSSStyleSheet();
  style.replaceSync('.progress-bit, .codicon-modifier-spin, .codicon-sync { animation: none !important; }');
  document.adoptedStyleSheets.push(style);
}

/** A host that isn't ours to stop. */
function runsOn({ origin }: HostElsewhere): Pick<ServedHost, 'origin' | 'stop'> {
  return { origin, stop: () => Promise.resolve() };
}

/** The browser itself crashed. */
class BrowserEnded extends Error {}

/**
 * What a window waits for is not that all is loaded, but that it is ready. Playwright once lost the
 * response of an address while it waited for the former, which failed the suite.
 */
const COMMITTED = { waitUntil: 'commit' } as const;

/**
 * A user's window of VS Code with the extension installed: what the user does and sees, as readable
 * calls.
 */
export class Workbench {
  readonly quickInput: QuickInput;
  readonly explorer: TreeView;
  private readonly others: Workbench[] = [];

  private constructor(
    private readonly options: WorkbenchOptions,
    private readonly host: Pick<ServedHost, 'origin' | 'stop'>,
    private readonly browser: Browser,
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.quickInput = new QuickInput(page);
    this.explorer = TreeView.explorer(page);
  }

  /**
   * Installs the extension into a fresh VS Code and opens the folder; a second time when the
   * browser itself crashes in the meantime, which has nothing to do with what is tested.
   */
  static async open(options: WorkbenchOptions): Promise<Workbench> {
    // Under a runner that has installed it already, as a copy: where an extension is, is recorded
    // relative to the list.
    if (options.elsewhere) return Workbench.start(options);
    const installed = options.vsix === process.env['IA_VSIX'] && process.env['IA_INSTALLED'];
    if (installed) await cp(installed, join(options.dataFolder, 'extensions'), { recursive: true });
    else await installExtension(options.vsix, options.dataFolder, edition);
    await addTranslations(options);
    try {
      return await Workbench.start(options);
    } catch (error) {
      if (!(error instanceof BrowserEnded)) throw error;
      console.error('The browser broke down while it opened the workbench; once more.');
      return Workbench.start(options);
    }
  }

  private static async start(options: WorkbenchOptions): Promise<Workbench> {
    const host = options.elsewhere
      ? runsOn(options.elsewhere)
      : await ServedHost.start({
          dataFolder: options.dataFolder,
          edition,
          settings: {
            'workbench.colorTheme': themes[options.theme].id,
            'workbench.reduceMotion': 'on',
            // Where the mouse has stopped, a tooltip would soon cover what is clicked next, unless
            // that comes sooner.
            'workbench.hover.delay': 3_600_000,
            ...options.settings,
          },
          environment: options.environment,
          workspaceTrust: options.workspaceTrust,
          isForTests: true,
        });
    let browser: Browser | undefined;
    try {
      browser = await launchChromium();
      const context = await newContext(browser, options);
      if (isTraced) await context.tracing.start({ screenshots: true, snapshots: true });
      return await Workbench.openIn(context, options, host, browser);
    } catch (error) {
      const isBroken = browser?.isConnected() === false;
      await browser?.close();
      await host.stop();
      throw isBroken ? new BrowserEnded('The browser ended by itself', { cause: error }) : error;
    }
  }

  private static async openIn(
    context: BrowserContext,
    options: WorkbenchOptions,
    host: Pick<ServedHost, 'origin' | 'stop'>,
    browser: Browser,
  ): Promise<Workbench> {
    const workbench = new Workbench(options, host, browser, context, await context.newPage());
    await workbench.page.goto(
      folderAddress(host.origin, options.elsewhere?.addressed ?? options.folder),
      COMMITTED,
    );
    await workbench.ready();
    return workbench;
  }

  /**
   * Another window of the same VS Code, which ends with this one. With `ownSecrets` it is as in
   * another browser.
   */
  async openAnother({ ownSecrets }: { ownSecrets: boolean }): Promise<Workbench> {
    const { options, host, browser, context } = this;
    const theirs = ownSecrets ? await newContext(browser, options) : context;
    const other = await Workbench.openIn(theirs, options, host, browser);
    this.others.push(other);
    return other;
  }

  /**
   * Ends the window and its server; after a failure a last screenshot and the trace, if any, are
   * saved under out/failures.
   */
  async close(failed: boolean): Promise<void> {
    try {
      if (failed) await this.saveFailure(join('out', 'failures', this.options.name));
    } catch (error) {
      console.error('Nothing was saved of the failed window:', error);
    } finally {
      await this.browser.close();
      await this.host.stop();
    }
  }

  private async saveFailure(folder: string): Promise<void> {
    for (const [index, { page }] of [this, ...this.others].entries())
      await page.screenshot({ path: join(folder, `last${index === 0 ? '' : `-${index + 1}`}.png`) });
    if (!isTraced) return;
    await this.context.tracing.stop({ path: join(folder, 'trace.zip') });
    console.error(`Look at it: npx playwright-core show-trace ${join(folder, 'trace.zip')}`);
  }

  /** Closes the window as a user does; its server goes on. */
  async leave(): Promise<void> {
    await this.page.close({ runBeforeUnload: true });
  }

  /** Reloads the window, as F5 in a browser does. */
  async reload(): Promise<void> {
    await this.page.reload(COMMITTED);
    await this.ready();
  }

  /** Reloads the window as VS Code itself does, which saves the state of its editors first. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.ready();
  }

  /** Installs another version of the extension, and reloads the window as VS Code asks for then. */
  async install(vsix: string): Promise<void> {
    await installExtension(vsix, this.options.dataFolder, edition);
    await this.reloadWindow();
  }

  /** Runs a command as the palette lists it, such as "Image Analysis: Refresh". */
  async runCommand(title: string): Promise<void> {
    await attempts(async timeout => {
      await this.openPalette();
      const isTyped = await this.quickInput.type(`>${title}`, { timeout }).then(
        () => true,
        () => false,
      );
      if (isTyped && (await tryClick(this.quickInput.option(title), timeout))) return;
      // A frame that takes the focus closes the list again. A list that was opened before VS Code
      // knew the command stays without it.
      if (await this.quickInput.widget.isVisible()) await this.quickInput.escape();
      throw new Error(`The palette does not offer "${title}"`);
    });
  }

  /**
   * The key is lost where a list is about to close, or a frame is about to take the focus: a user
   * presses it again.
   */
  private async openPalette(): Promise<void> {
    await this.quickInput.closed();
    await attempts(async timeout => {
      await this.page.keyboard.press('F1');
      await this.quickInput.widget.waitFor({ timeout });
    });
  }

  async changeTheme(theme: Theme): Promise<void> {
    const { label } = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.type(label);
    await this.quickInput.option(label).click();
    await this.quickInput.closed();
    for (const { frame } of await this.panels())
      await frame.locator(`body[data-vscode-theme-name="${label}"]`).waitFor();
  }

  /** Opens a container of the activity bar, unless it is open. */
  async openContainer(name: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: startsWith(name) });
    if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
    await this.page.locator('.part.sidebar').getByRole('heading', { name }).first().waitFor();
    // The mouse leaves the tab, whose tooltip would cover the first rows, for where nothing has
    // one: the middle of the status bar.
    const { width = 0, height = 0 } = this.page.viewportSize() ?? {};
    await this.page.mouse.move(width / 2, height - 5);
  }

  tree(viewName: string): TreeView {
    return TreeView.named(this.page, viewName);
  }

  /** Selects in the context menu of files and folders of the explorer. */
  async explorerMenu(names: [string, ...string[]], ...path: string[]): Promise<void> {
    await this.openContainer('Explorer');
    await this.explorer.menuOfSeveral(names, ...path);
  }

  /**
   * Opens a file by a double click in the explorer; again where another row was there at the second
   * click, as files that are being written come and go.
   */
  async openByClick(file: string): Promise<void> {
    await this.openContainer('Explorer');
    await attempts(async timeout => {
      await this.explorer.item(file).dblclick({ timeout });
      await this.editorTab(file).first().waitFor({ timeout });
    });
  }

  async chooseInMenu(...path: string[]): Promise<void> {
    await chooseInMenu(this.page, ...path);
  }

  /** The notification that contains the text; visible as long as VS Code shows it. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /**
   * Waits for a notification and returns its message; hovers over it, since otherwise VS Code soon
   * hides it.
   */
  async readNotification(text: string | RegExp): Promise<string> {
    const message = this.notification(text).locator('.notification-list-item-message').first();
    const content = await message.innerText();
    await message.hover();
    return content.trim();
  }

  async clickInNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).getByRole('button', { name: button, exact: true }).click();
  }

  /**
   * Messages of the notifications on the screen, once those that show work which takes long have
   * gone with it.
   */
  async notifications(): Promise<string[]> {
    const atWork = this.page.locator('.notifications-toasts .notification-list-item', {
      has: this.page.locator('.monaco-progress-container.active'),
    });
    await atWork.first().waitFor({ state: 'hidden' });
    return await this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  }

  /**
   * Opens the notification center, which also has notifications that were hidden, and clicks a
   * button of one.
   */
  async clickInNotificationCenter(text: string | RegExp, button: string): Promise<void> {
    await this.runCommand('Notifications: Show Notifications');
    const item = this.page.locator('.notifications-center .notification-list-item', { hasText: text });
    await item.getByRole('button', { name: button, exact: true }).click();
  }

  async clearNotifications(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
    await this.page.locator('.notification-list-item').first().waitFor({ state: 'detached' });
  }

  /** The modal dialog that is open. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  async clickInDialog(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** The entry of the status bar that contains the text. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item', { hasText: text });
  }

  /** The tab of an editor or panel. */
  editorTab(title: string | RegExp): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name: title });
  }

  /** Closes the editor or panel by its tab. */
  async closeTab(title: string | RegExp): Promise<void> {
    const tab = this.editorTab(title);
    await tab.hover();
    await tab.getByRole('button', { name: startsWith('Close') }).click();
    await tab.waitFor({ state: 'detached' });
  }

  /**
   * The page inside the extension's panel whose title matches: the inner of the two frames VS Code
   * wraps it in. Call this again after the panel was hidden or reloaded.
   */
  async panel(title: string | RegExp): Promise<Frame> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const frame = await this.findPanel(title);
      if (frame) return frame;
      if (Date.now() > deadline) {
        const there = await describeWindow(this.page).catch(String);
        throw new Error(`No panel titled ${String(title)} within ${WAIT_MS / 1000} s, but\n${there}`);
      }
      await this.page.waitForTimeout(50);
    }
  }

  /** The clipboard's text, once it matches. */
  async clipboard(expected: RegExp): Promise<string> {
    // Not with waitForFunction: to it, the promise of a text is an answer already.
    for (;;) {
      const text = await this.page.evaluate(() => navigator.clipboard.readText());
      if (expected.test(text)) return text;
      await this.page.waitForTimeout(100);
    }
  }

  /** Saves a screenshot of the whole window as out/screenshots/<theme>/<step>.png. */
  async screenshot(step: string): Promise<string> {
    const path = join('out', 'screenshots', this.options.theme, `${step}.png`);
    await mkdir(dirname(path), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return path;
  }

  private async findPanel(title: string | RegExp): Promise<Frame | undefined> {
    for (const { frame, title: shown } of await this.panels())
      if (typeof title === 'string' ? shown === title : title.test(shown)) return frame;
    return undefined;
  }

  /** The extension's visible pages, with their titles. */
  private async panels(): Promise<{ frame: Frame; title: string }[]> {
    const found: { frame: Frame; title: string }[] = [];
    for (const frame of this.page.frames()) {
      if (!frame.parentFrame()?.url().includes('extensionId=image-analysis.image-analysis')) continue;
      // A frame may be removed in the meantime: then it isn't the one.
      const element = await frame.frameElement().catch(() => undefined);
      const id = await element?.getAttribute('id').catch(() => undefined);
      if (id !== 'active-frame' || !(await element?.isVisible().catch(() => false))) continue;
      found.push({ frame, title: (await element?.getAttribute('title').catch(() => null)) ?? '' });
    }
    return found;
  }

  /** Waits until the window shows its side bar as before, and the extension host responds. */
  private async ready(): Promise<void> {
    // A click that is meant to open a part would close it if it was restored in the meantime.
    await this.page.waitForFunction(() => performance.getEntriesByName('code/didStartWorkbench').length > 0);
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await this.page
      .locator('.activitybar')
      .getByRole('tab', { name: startsWith('Image Analysis') })
      .waitFor();
  }
}
