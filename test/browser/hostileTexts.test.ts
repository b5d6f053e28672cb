import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HARMLESS, HOSTILE, HostileService } from './services/hostileService';
import { useWorkbench } from './useWorkbench';

/** A file's name can't hold a slash, a command needs none. */
const HOSTILE_FILE = 'a[hostile](command:workbench.action.toggleZenMode)$(flame).png';

describe('A service that is not trusted', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: folder => writeFile(join(folder, HOSTILE_FILE), 'no image'),
    // Tooltips are looked at.
    settings: { 'workbench.hover.delay': 500 },
  });

  describe('has texts, and files on disk have names, that', () => {
    let service: HostileService;

    before(async () => {
      service = await new HostileService().listen();
    });

    after(async () => {
      await service.stop();
    });

    /**
     * Each test ends with this: the texts are on the screen, and nothing in the window was made of
     * them.
     */
    async function expectInert(surface: string): Promise<void> {
      const { page } = suite.workbench;
      const made = await page.evaluate(() =>
        [...document.querySelectorAll('a[href], a[data-href], .codicon-flame')]
          .map(element => element.outerHTML)
          .filter(html => /toggleZenMode|evil\.example|codicon-flame/.test(html)),
      );
      assert.deepEqual(made, [], surface);
      const turned = await page.evaluate(() => document.body.innerText.includes('\u202e'));
      assert.equal(turned, false, `${surface} turns the direction of its text`);
    }

    /** Waits until an element shows the hostile text to the letter, spaces of no width aside. */
    async function shown(selector: string, text = HARMLESS): Promise<void> {
      await suite.workbench.page.waitForFunction(
        ([where, wanted]) =>
          [...document.querySelectorAll<HTMLElement>(where ?? '')].some(
            element =>
              element.checkVisibility() && element.innerText.replaceAll('\u200b', '').includes(wanted ?? ''),
          ),
        [selector, text],
      );
    }

    it('are text in the sign-in box, before anybody is signed in', async () => {
      const { workbench } = suite;
      const { quickInput } = workbench;
      await workbench.openContainer('Image Analysis');
      await workbench.tree('Files').welcome('Sign In');
      await quickInput.titled('Sign in');
      await quickInput.enter(service.baseUrl);
      await quickInput.widget.getByText('API key for').waitFor();
      await quickInput.enter('wrong-key');
      await shown('.quick-input-message');
      await expectInert('The validation message of the sign-in box');
      await quickInput.enter(service.key);
      await quickInput.closed();
    });

    it('are text in notifications, beside a view and in its tree', async () => {
      const { workbench } = suite;
      await shown('.notification-list-item-message');
      await expectInert('A notification');
      await workbench.clearNotifications();
      for (const view of ['Files', 'Pipelines', 'Jobs']) {
        await workbench.page.locator(`.pane-header[aria-label^="${view}"]`).waitFor();
      }
      await shown('.pane-header .description');
      for (const label of ['item x', 'pipeline…', 'failed x']) {
        const row = workbench.page.locator('.sidebar .monaco-list-row', { hasText: label }).first();
        await row.hover();
        await shown('.monaco-hover');
        await expectInert(`The row and the tooltip of ${label}`);
      }
    });

    it('are text in progress, and in the message about a failed upload', async () => {
      const { workbench } = suite;
      await workbench.openContainer('Explorer');
      await workbench.explorerMenu([HOSTILE_FILE], 'Image Analysis', 'Upload…');
      await workbench.dialog.getByText(`${HOSTILE_FILE} is damaged.`).waitFor();
      await workbench.clickInDialog('Upload Anyway');
      await shown('.notification-list-item-message', HOSTILE_FILE);
      await expectInert('The message about an upload');
      await shown('.notification-list-item-message', HARMLESS);
      await expectInert("The service's own words in a message");
      await workbench.clearNotifications();
    });

    it('are text in pick lists and their hovers', async () => {
      const { workbench } = suite;
      const { quickInput, page } = workbench;
      await workbench.runCommand('Image Analysis: Submit Analysis Job…');
      await shown('.quick-input-list-row', `pipeline ${HARMLESS}`);
      await expectInert('A label and a detail of a pick');
      await page.locator('.quick-input-list-label-meta').first().hover();
      await shown('.monaco-hover');
      await expectInert('The hover of a detail, which is Markdown');
      // What is typed is marked in the labels piece by piece.
      await quickInput.type('flame');
      await shown('.quick-input-list-row', '$(flame)');
      await expectInert('The marks in a label');
      await quickInput.type('');
      await page.locator('.quick-input-list .monaco-list-row').first().click();
      await shown('.quick-input-list-row .label-name', 'item x');
      await expectInert('The list of items');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'folder x' }).hover();
      await page.locator('.quick-input-list').getByRole('button', { name: 'Open Folder' }).first().click();
      await page.waitForFunction(
        wanted => {
          const input = document.querySelector<HTMLInputElement>('.quick-input-widget input.input');
          return input?.placeholder.replaceAll('\u200b', '').includes(wanted);
        },
        `folder ${HARMLESS.slice(0, 20)}`,
      );
      await expectInert('The placeholder of a list');
      await page
        .locator('.quick-input-list .monaco-list-row')
        .first()
        .locator('input, [role=checkbox]')
        .first()
        .check();
      await quickInput.widget.getByRole('button', { name: 'OK' }).click();
      await quickInput.widget.getByText('uses credits').waitFor();
      await quickInput.enter(HOSTILE);
      await workbench.statusBarItem(/1 job \d+%/).hover();
      await shown('.monaco-hover');
      await expectInert('The tooltip of the status bar');
    });

    it('are text in dialogs', async () => {
      const { workbench } = suite;
      await workbench.openContainer('Image Analysis');
      await workbench.tree('Jobs').menu('done x', 'Open Masks');
      await shown('.monaco-dialog-box');
      await expectInert('A dialog');
      await workbench.clickInDialog('Cancel');
      await workbench.runCommand('Image Analysis: Sign Out');
      await shown('.monaco-dialog-box');
      await expectInert('The dialog before signing out');
      await workbench.clickInDialog('Cancel');
    });

    it('are text in the title of a panel and in the message of a failure', async () => {
      const { workbench } = suite;
      await workbench.runCommand('Image Analysis: Switch Account…');
      await shown('.quick-input-list-row .label-name');
      await expectInert('The list of accounts');
      await workbench.quickInput.escape();
      const { page } = workbench;
      await workbench.tree('Jobs').menu('done x', 'Save Results As…');
      await page.locator('.quick-input-widget input.input[placeholder*="done x"]').waitFor();
      await expectInert('The placeholder of the results to save');
      await workbench.quickInput.escape();
      await workbench.tree('Jobs').menu('done x', 'Open Objects Table');
      await workbench.editorTab(/Objects of done x/).waitFor();
      await expectInert('The tab of a panel');
      service.refuses = true;
      await workbench.runCommand('Image Analysis: Refresh');
      await expectInert('The trees of a service that fails');
      service.refuses = false;
      await workbench.runCommand('Image Analysis: Refresh');
      await workbench.tree('Jobs').waitForItem('failed x');
      await workbench.clearNotifications();
    });

    it('are text in the reason why a job failed, which a click on it shows', async () => {
      const { workbench } = suite;
      await workbench.tree('Jobs').click('failed x');
      await shown('.notification-list-item-message', 'failed x');
      await expectInert('The reason of a failed job');
      await workbench.screenshot('failed-job');
      await workbench.clearNotifications();
    });

    it('stay in lists while the service is unreachable, below a row that says so', async () => {
      const { workbench } = suite;
      const rows = ['item x', 'pipeline', 'failed x'];
      const { host } = new URL(service.baseUrl);
      await service.stop();
      await workbench.runCommand('Image Analysis: Refresh');
      for (const [index, view] of ['Files', 'Pipelines', 'Jobs'].entries()) {
        const tree = workbench.tree(view);
        await tree.waitForItem(`Can't reach ${host}. Click to retry.`);
        await tree.root
          .getByText(rows[index] ?? '')
          .first()
          .waitFor();
      }
      await workbench.screenshot('offline');
    });
  });

  describe('on http, not on this machine,', () => {
    let service: HostileService;

    before(async () => {
      service = await new HostileService().listen();
    });

    after(async () => {
      await service.stop();
    });

    it('is used only after a person agreed to it, who is asked once for the host', async () => {
      const { workbench } = suite;
      const { quickInput, dialog } = workbench;
      // Reaches this machine, but is no loopback address.
      const address = service.baseUrl.replace('127.0.0.1', '0.0.0.0');
      await workbench.runCommand('Image Analysis: Sign In…');
      await quickInput.titled('Sign in');
      await quickInput.enter(address);
      await dialog.getByText(`Send your API key to ${new URL(address).host} unencrypted?`).waitFor();
      await workbench.screenshot('plain-http');
      await workbench.clickInDialog('Cancel');
      await quickInput.message.getByText('must begin with https').waitFor();
      await quickInput.accept();
      await workbench.clickInDialog('Use http');
      await quickInput.widget.getByText('API key for').waitFor();
      await quickInput.back();
      await quickInput.widget.getByText('Address of the service').waitFor();
      await quickInput.accept();
      await quickInput.widget.getByText('API key for').waitFor();
      await quickInput.enter(service.key);
      assert.match(await workbench.readNotification('Signed in to'), /http:\/\/0\.0\.0\.0/);
    });
  });
});
