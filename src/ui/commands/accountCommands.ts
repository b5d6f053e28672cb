import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { CodedError, isCoded } from '../../base/errors';
import { accountId, type Account, type Accounts } from '../account';
import type { OutputLog } from '../log';
import { askText, runSteps } from '../multiStep';
import { readNetworkSettings } from '../network';
import { optionalNumber, optionalText, requiredText } from '../programCall';
import type { SampleService } from '../sampleService';
import type { Settings } from '../settings';
import { showFailure, userMessage } from '../userMessages';
import { registerCommand, type CommandHandlers } from './register';

export interface AccountCommandParts {
  accounts: Accounts;
  sample: SampleService;
  settings: Settings;
  log: OutputLog;
  /** Folder of the extension's own files. */
  storage: string;
}

/** Sign-in, sign-out, several accounts, and the sample service. */
export function registerAccountCommands(parts: AccountCommandParts): Disposable {
  const { accounts, log } = parts;
  const store = new DisposableStore();
  const register = (name: string, handlers: CommandHandlers) =>
    store.add(registerCommand(name, handlers, log));

  register('signIn', {
    program: async options => {
      const baseUrl = requiredText(options, 'baseUrl');
      const account = await signIn(parts, baseUrl, requiredText(options, 'apiKey'));
      return { user: account.user, email: account.email ?? '', baseUrl: account.baseUrl };
    },
    person: () => askAndSignIn(parts),
  });
  register('signOut', {
    program: options => signOut(accounts, optionalText(options, 'account')),
    person: () => askAndSignOut(accounts),
  });
  register('switchAccount', {
    program: options => switchTo(accounts, requiredText(options, 'account')),
    person: () => askAndSwitch(accounts),
  });
  register('startSampleService', {
    program: options => startSample(parts, optionalNumber(options, 'delayMs')),
    person: () => tryTheSample(parts),
  });
  register('openSamplePictures', {
    program: async () => ({ path: await parts.sample.writePictures(picturesFolder(parts)) }),
    person: () => openSamplePictures(parts),
  });
  return store;
}

/** Checks the key with the service and keeps the account. The key goes to `baseUrl` and nowhere else. */
async function signIn(
  { accounts, log }: AccountCommandParts,
  address: string,
  apiKey: string,
  options: { sample?: boolean; signal?: AbortSignal } = {},
): Promise<Account> {
  const [{ AnalysisClient }, { Transport }, { normaliseBaseUrl }] = await Promise.all([
    import('../../api/client'),
    import('../../api/transport'),
    import('../../api/baseUrl'),
  ]);
  const baseUrl = normaliseBaseUrl(address);
  log.addSecret(apiKey);
  const transport = new Transport({
    baseUrl,
    apiKey: () => Promise.resolve(apiKey),
    network: readNetworkSettings(),
    log,
  });
  try {
    const { user, email } = await new AnalysisClient(transport).check(options.signal);
    const id = accountId(baseUrl, user);
    // Signed in to by hand, the sample service is still one that has to be started.
    const sample = options.sample ?? accounts.all.find(known => known.id === id)?.sample;
    const account: Account = { id, baseUrl, user, ...(email && { email }), ...(sample && { sample }) };
    await accounts.add(account, apiKey);
    return account;
  } finally {
    transport.dispose();
  }
}

async function askAndSignIn(parts: AccountCommandParts): Promise<void> {
  const { normaliseBaseUrl } = await import('../../api/baseUrl');
  const title = vscode.l10n.t('Sign in to an image analysis service');
  let baseUrl = parts.accounts.active?.sample
    ? parts.settings.baseUrl
    : (parts.accounts.active?.baseUrl ?? parts.settings.baseUrl);
  let account: Account | undefined;
  const done = await runSteps([
    async place => {
      const answer = await askText({
        title,
        prompt: vscode.l10n.t('Address of the service'),
        placeholder: 'https://analysis.example.org',
        value: baseUrl,
        ...place,
        check: text => complaintAbout(() => normaliseBaseUrl(text)),
      });
      if (answer.kind !== 'answer') return answer.kind;
      baseUrl = normaliseBaseUrl(answer.value);
      return 'next';
    },
    async place => {
      const answer = await askText({
        title,
        prompt: vscode.l10n.t(
          'API key for {0}. It is generated on the website: Settings, API, Generate',
          baseUrl,
        ),
        password: true,
        ...place,
        check: async (text, signal) => {
          if (text === '') return vscode.l10n.t('Enter the API key');
          try {
            account = await signIn(parts, baseUrl, text, { signal });
            return undefined;
          } catch (error) {
            return isCoded(error, 'cancelled') ? undefined : userMessage(error);
          }
        },
      });
      return answer.kind === 'answer' ? 'next' : answer.kind;
    },
  ]);
  if (!done || !account) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Signed in to {0} as {1}.', account.baseUrl, account.email ?? account.user),
  );
}

function complaintAbout(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return isCoded(error) && error.details.reason
      ? error.details.reason
      : vscode.l10n.t('This is not an address of a service');
  }
}

/** Signs out the account with this id, user or base URL; the active one when nothing is given. */
async function signOut(accounts: Accounts, which: string | undefined): Promise<void> {
  const account = which === undefined ? accounts.active : findAccount(accounts, which);
  if (!account) {
    if (which === undefined) throw new CodedError('signed-out', 'No account is signed in');
    throw new CodedError('not-found', 'There is no such account', { subject: which });
  }
  await accounts.remove(account.id);
}

function findAccount(accounts: Accounts, which: string): Account | undefined {
  return accounts.all.find(({ id, user, baseUrl, email }) => [id, user, baseUrl, email].includes(which));
}

async function askAndSignOut(accounts: Accounts): Promise<void> {
  const account =
    accounts.all.length > 1
      ? await pickAccount(accounts, vscode.l10n.t('Sign out of which account?'))
      : accounts.active;
  if (!account) return;
  const confirm = vscode.l10n.t('Sign Out');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Sign out of {0}?', account.email ?? account.user),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The API key, the downloaded results and the names of your jobs are removed from this machine. Nothing is removed from the service.',
      ),
    },
    confirm,
  );
  if (answer === confirm) await accounts.remove(account.id);
}

async function switchTo(accounts: Accounts, which: string): Promise<void> {
  const account = findAccount(accounts, which);
  if (!account) throw new CodedError('not-found', 'There is no such account', { subject: which });
  await accounts.activate(account.id);
}

async function askAndSwitch(accounts: Accounts): Promise<void> {
  const account = await pickAccount(accounts, vscode.l10n.t('Work with which account?'));
  if (account) await accounts.activate(account.id);
}

async function pickAccount(accounts: Accounts, placeHolder: string): Promise<Account | undefined> {
  const items = accounts.all.map(account => ({
    label: account.email ?? account.user,
    description: account.baseUrl,
    iconPath: new vscode.ThemeIcon(account.id === accounts.active?.id ? 'check' : 'account'),
    account,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.account;
}

async function startSample(
  parts: AccountCommandParts,
  delayMs?: number,
): Promise<{ baseUrl: string; apiKey: string }> {
  const { baseUrl, apiKey } = await parts.sample.ensureRunning(delayMs === undefined ? {} : { delayMs });
  await signIn(parts, baseUrl, apiKey, { sample: true });
  return { baseUrl, apiKey };
}

async function tryTheSample(parts: AccountCommandParts): Promise<void> {
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Starting the sample service') },
    () => startSample(parts),
  );
  const open = vscode.l10n.t('Open the Sample Pictures');
  // The command is over; the message stays until it is read.
  void vscode.window
    .showInformationMessage(
      vscode.l10n.t(
        'You are signed in to the sample service. It runs on this machine and really analyses what you upload.',
      ),
      open,
    )
    .then(answer => (answer === open ? openSamplePictures(parts) : undefined))
    .then(undefined, showFailure);
}

function picturesFolder({ storage }: AccountCommandParts): string {
  return path.join(storage, 'sample', 'pictures');
}

async function openSamplePictures(parts: AccountCommandParts): Promise<void> {
  const folder = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Making the sample pictures') },
    () => parts.sample.writePictures(picturesFolder(parts)),
  );
  const uri = vscode.Uri.file(folder);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceReuseWindow: true });
    return;
  }
  if (!folders.some(known => known.uri.toString() === uri.toString())) {
    vscode.workspace.updateWorkspaceFolders(folders.length, 0, {
      uri,
      name: vscode.l10n.t('Sample pictures'),
    });
  }
  await vscode.commands.executeCommand('revealInExplorer', uri);
}
