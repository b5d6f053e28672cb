import * as assert from 'node:assert/strict';
import { KeyedService } from './services/keyedService';
import { placeSampleImages } from './sampleFiles';
import { until } from './until';
import { useWorkbench } from './useWorkbench';
import type { Workbench } from './workbench';

/**
 * Each browser has secrets of its own, and VS Code tells none of them what another stores or
 * deletes.
 */
describe('Two windows of a served VS Code, in two browsers', () => {
  const suite = useWorkbench({ theme: 'dark', prepare: placeSampleImages });
  let service: KeyedService;
  let second: Workbench;

  before(async () => {
    service = await new KeyedService().listen();
  });

  after(async () => {
    await service.stop();
  });

  const welcome = (window: Workbench, text: string) =>
    window.tree('Files').root.locator('.welcome-view-content', { hasText: text });

  const image = (window: Workbench) => window.tree('Files').item('plate.png');

  /** Only a window that knows the account, but not its key, asks for no address. */
  async function signIn(
    window: Workbench,
    key: string,
    { knowsAccount = false, at = service }: { knowsAccount?: boolean; at?: KeyedService } = {},
  ): Promise<void> {
    const { quickInput } = window;
    await window.runCommand('Image Analysis: Sign In…');
    await quickInput.titled('Sign in');
    if (!knowsAccount) await quickInput.enter(at.baseUrl);
    await quickInput.widget.getByText(`API key for ${at.baseUrl}`).waitFor();
    await quickInput.enter(key);
    await window.readNotification('Signed in to');
    await window.clearNotifications();
    await image(window).waitFor();
  }

  it('are signed in each for itself, as they share an account but no key', async () => {
    const { workbench: first } = suite;
    second = await first.openAnother({ ownSecrets: true });
    for (const window of [first, second]) {
      await window.openContainer('Image Analysis');
      await welcome(window, 'Sign in with').waitFor();
    }
    await signIn(first, service.keys[0]);
    await welcome(second, 'this browser has no API key for this account').waitFor();
    assert.equal(await image(second).count(), 0);
    await second.screenshot('no-key-in-this-browser');
    await signIn(second, service.keys[0], { knowsAccount: true });
    await image(first).waitFor();
  });

  it('show the host beside the email in all views while another account has the same email', async () => {
    const { workbench: first } = suite;
    const { quickInput } = first;
    const beside = async () =>
      Promise.all(
        ['Files', 'Pipelines', 'Jobs'].map(name =>
          first.page.locator(`.pane-header[aria-label^="${name}"] .description`).allInnerTexts(),
        ),
      ).then(texts => texts.flat().filter(text => text !== ''));
    const account = ({ baseUrl }: KeyedService) =>
      quickInput.widget.locator('.monaco-list-row', { hasText: baseUrl });
    const email = 'user@example.org';
    await until(async () => String(await beside()) === email);
    const other = await new KeyedService().listen();
    try {
      await signIn(first, other.keys[0], { at: other });
      const [there = '', here = ''] = [other, service].map(({ baseUrl }) => new URL(baseUrl).host);
      const inAll = (host: string) => String(Array<string>(3).fill(`${host} · ${email}`));
      await until(async () => String(await beside()) === inAll(there));
      await first.screenshot('host-beside-email');
      await first.runCommand('Image Analysis: Switch Account…');
      await account(service).click();
      await until(async () => String(await beside()) === inAll(here));
      await first.runCommand('Image Analysis: Sign Out');
      await account(other).click();
      await first.dialog.getByText(`Sign out of ${email} · ${there}?`).waitFor();
      await first.clickInDialog('Sign Out');
      await until(async () => String(await beside()) === email);
      for (const window of [first, second]) await image(window).waitFor();
    } finally {
      await other.stop();
    }
  });

  it('no longer use a key that one of them has renewed', async () => {
    const { workbench: first } = suite;
    const [, renewed] = service.keys;
    await signIn(first, renewed);
    await welcome(second, 'Sign In').waitFor();
    await image(second).waitFor({ state: 'detached' });
    service.seen.length = 0;
    await second.runCommand('Image Analysis: Refresh');
    await welcome(second, 'Sign In').waitFor();
    await signIn(second, renewed, { knowsAccount: true });
    await image(first).waitFor();
    assert.deepEqual([...new Set(service.seen)], [renewed]);
  });

  it('are both signed out by one of them', async () => {
    const { workbench: first } = suite;
    await first.runCommand('Image Analysis: Sign Out');
    await first.clickInDialog('Sign Out');
    await welcome(first, 'Sign in with').waitFor();
    await welcome(second, 'Sign in with').waitFor();
    service.seen.length = 0;
    await second.reloadWindow();
    await second.openContainer('Image Analysis');
    await welcome(second, 'Sign in with').waitFor();
    assert.deepEqual(service.seen, []);
  });

  it('are signed in to the sample service with one click in the second, too', async () => {
    const { workbench: first } = suite;
    await first.tree('Files').welcome('Try the sample service');
    await welcome(second, "its API key isn't here").waitFor();
    await second.screenshot('no-sample-key-in-this-browser');
    await second.tree('Files').welcome('Sign In to the Sample Service');
    for (const window of [first, second]) await window.tree('Files').waitForItem('Sample images');
    assert.equal(await second.quickInput.widget.count(), 0);
  });
});
