import * as assert from 'node:assert/strict';
import { HostileService } from './services/hostileService';
import { useWorkbench } from './useWorkbench';

describe('A service on http, not on this machine', () => {
  const suite = useWorkbench({ theme: 'light' });
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
