import * as vscode from 'vscode';
import type { Account } from '../../app/accounts/account';
import type { Accounts } from '../../app/accounts/accounts';
import type { PlainHosts } from '../../app/accounts/plainHosts';
import { findAccount, signIn, signOut, suggestedAddress } from '../../app/accounts/signIn';
import type { MaskedLog } from '../../app/log/maskedLog';
import { CodedError, isCoded } from '../../base/errors';
import { reasonWords } from '../../words/reasonWords';
import { runSteps } from '../../app/commands/steps';
import { enterText } from '../multiStep';
import type { NetworkSettings } from '../../api/network/networkSettings';
import { optionalNumber, optionalText, text } from '../../app/commands/options';
import { sampleImagesFolder } from '../../app/sample/sampleImagesFolder';
import type { SampleProcess } from '../../app/sample/sampleProcess';
import type { Settings } from '../../app/settings/settings';
import { userMessage } from '../userMessage';
import { showFailure } from '../userMessages';
import { command } from './command';
import { showInformationMessage, showWarningMessage } from '../surfaces/messages';
import { withNotification } from '../surfaces/progress';
import { showQuickPick } from '../surfaces/quickPick';

/** The sample image that the walkthrough analyzes. */
const SAMPLE_IMAGE = 'nuclei-touching.png';

export interface AccountCommandParts {
  accounts: Accounts;
  plainHosts: PlainHosts;
  sample: () => Promise<SampleProcess>;
  settings: Settings;
  network: () => NetworkSettings;
  log: MaskedLog;
  /** Folder of the extension's own files. */
  storage: string;
}

/** Sign-in, sign-out, several accounts, and the sample service. */
export function accountCommands(parts: AccountCommandParts) {
  const { accounts } = parts;
  return {
    signIn: command({
      options: { baseUrl: text, apiKey: text },
      program: async ({ baseUrl, apiKey }) => {
        const account = await signIn(parts, baseUrl, apiKey);
        return { user: account.user, email: account.email ?? '', baseUrl: account.baseUrl };
      },
      person: () => signInAsPerson(parts),
    }),
    signOut: command({
      options: { account: optionalText },
      program: ({ account }) => signOut(accounts, account),
      person: () => signOutAsPerson(accounts),
    }),
    switchAccount: command({
      options: { account: text },
      program: ({ account }) => accounts.activate(findAccount(accounts, account).id),
      person: () => switchAsPerson(parts),
    }),
    startSampleService: command({
      options: { delayMs: optionalNumber },
      program: ({ delayMs }) => startSample(parts, delayMs),
      person: () => startSampleAsPerson(parts),
    }),
    analyzeSampleImage: command({
      options: {},
      program: () => Promise.reject(new CodedError('bad-request', 'This command belongs to the walkthrough')),
      person: () => analyzeSampleImage(parts),
    }),
    openSamplePictures: command({
      options: {},
      program: async () => ({
        path: await (await parts.sample()).writeImages(await sampleImagesFolder(parts.storage)),
      }),
      person: () => openSampleImages(parts),
    }),
  };
}

async function signInAsPerson(parts: AccountCommandParts): Promise<void> {
  const { normalizeBaseUrl } = await import('../../api/baseUrl');
  const title = vscode.l10n.t('Sign In to an Image Analysis Service');
  let baseUrl = suggestedAddress(parts.accounts, parts.settings.baseUrl);
  let account: Account | undefined;
  const done = await runSteps([
    async place => {
      const entered = await enterText({
        title,
        prompt: vscode.l10n.t('Address of the service'),
        placeholder: 'https://analysis.example.org',
        value: baseUrl,
        ...place,
        check: typed => checkAddress(parts.plainHosts, typed),
      });
      if (entered.kind !== 'value') return entered.kind;
      baseUrl = normalizeBaseUrl(entered.value, await parts.plainHosts.all());
      return 'next';
    },
    async place => {
      const entered = await enterText({
        title,
        prompt: vscode.l10n.t(
          'API key for {0}. To create one, go to Settings > API > Generate on its website.',
          baseUrl,
        ),
        password: true,
        ...place,
        check: async (typed, signal) => {
          if (typed === '') return vscode.l10n.t('Enter the API key');
          try {
            account = await signIn(parts, baseUrl, typed, { signal });
            return undefined;
          } catch (error) {
            return isCoded(error, 'cancelled') ? undefined : userMessage(error);
          }
        },
      });
      return entered.kind === 'value' ? 'next' : entered.kind;
    },
  ]);
  if (!done || !account) return;
  void showInformationMessage(
    vscode.l10n.t('Signed in to {0} as {1}.', account.baseUrl, account.email ?? account.user),
  );
}

/** What is wrong with an address; undefined for one that can be used, after a person's consent where it is unencrypted. */
async function checkAddress(plainHosts: PlainHosts, typed: string): Promise<string | undefined> {
  const { normalizeBaseUrl } = await import('../../api/baseUrl');
  try {
    normalizeBaseUrl(typed, await plainHosts.all());
    return undefined;
  } catch (error) {
    const why = isCoded(error) ? error.details.reason : undefined;
    if (!why) return vscode.l10n.t("This isn't a valid service address");
    if (why.kind !== 'address-unencrypted' || !(await agreesToPlain(...why.args)))
      return reasonWords(vscode.l10n.t, why);
    await plainHosts.confirm(...why.args);
    return undefined;
  }
}

async function agreesToPlain(host: string): Promise<boolean> {
  const useHttp = vscode.l10n.t('Use http');
  const button = await showWarningMessage(
    vscode.l10n.t('Send your API key to {0} unencrypted?', host),
    {
      modal: true,
      detail: vscode.l10n.t(
        'With http, anyone on the network between this machine and the service can read and change what is sent: your API key, your images, and their results. Use it only on a network that you trust.',
      ),
    },
    useHttp,
  );
  return button === useHttp;
}

async function signOutAsPerson(accounts: Accounts): Promise<void> {
  const account =
    accounts.all.length > 1
      ? await selectAccount(accounts, vscode.l10n.t('Which account do you want to sign out of?'))
      : accounts.active;
  if (!account) return;
  const confirm = vscode.l10n.t('Sign Out');
  const button = await showWarningMessage(
    vscode.l10n.t('Sign out of {0}?', account.email ?? account.user),
    {
      modal: true,
      detail: vscode.l10n.t(
        'This removes the API key, downloaded results, job names, and your choices for background images and pixel sizes from this machine. Nothing is removed from the service.',
      ),
    },
    confirm,
  );
  if (button === confirm) await accounts.remove(account.id);
}

async function switchAsPerson(parts: AccountCommandParts): Promise<void> {
  const { accounts } = parts;
  const other = {
    label: vscode.l10n.t('Sign In to Another Account…'),
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
    account: undefined,
  };
  const item = await showQuickPick([...accountItems(accounts), other], {
    placeHolder: vscode.l10n.t('Which account do you want to use?'),
    matchOnDescription: true,
  });
  if (item?.account) await accounts.activate(item.account.id);
  else if (item) await signInAsPerson(parts);
}

async function selectAccount(accounts: Accounts, placeHolder: string): Promise<Account | undefined> {
  return (await showQuickPick(accountItems(accounts), { placeHolder, matchOnDescription: true }))?.account;
}

function accountItems(accounts: Accounts) {
  return accounts.all.map(account => ({
    label: account.email ?? account.user,
    description: account.baseUrl,
    iconPath: new vscode.ThemeIcon(account.id === accounts.active?.id ? 'check' : 'account'),
    account,
  }));
}

async function startSample(
  parts: AccountCommandParts,
  delayMs?: number,
): Promise<{ baseUrl: string; apiKey: string }> {
  const { baseUrl, apiKey } = await (
    await parts.sample()
  ).ensureRunning(delayMs === undefined ? {} : { delayMs });
  await signIn(parts, baseUrl, apiKey, { sample: true });
  return { baseUrl, apiKey };
}

async function startSampleAsPerson(parts: AccountCommandParts): Promise<void> {
  await withNotification({ title: vscode.l10n.t('Starting sample service') }, () => startSample(parts));
  const open = vscode.l10n.t('Open Sample Images');
  // The command is over; the message stays until it is read.
  void showInformationMessage(
    vscode.l10n.t(
      'Signed in to the sample service. It runs on this machine and analyzes the images you upload.',
    ),
    open,
  )
    .then(button => (button === open ? openSampleImages(parts) : undefined))
    .then(undefined, showFailure);
}

/** Analyzes a sample image on the sample service, which uses no credits, whatever account is active. */
async function analyzeSampleImage(parts: AccountCommandParts): Promise<void> {
  const image = await withNotification({ title: vscode.l10n.t('Creating sample images') }, async () => {
    await startSample(parts);
    const folder = await (await parts.sample()).writeImages(await sampleImagesFolder(parts.storage));
    return vscode.Uri.joinPath(vscode.Uri.file(folder), SAMPLE_IMAGE);
  });
  await vscode.commands.executeCommand('imageAnalysis.analyzeFiles', image);
}

async function openSampleImages(parts: AccountCommandParts): Promise<void> {
  const folder = await withNotification({ title: vscode.l10n.t('Creating sample images') }, async () =>
    (await parts.sample()).writeImages(await sampleImagesFolder(parts.storage)),
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
      name: vscode.l10n.t('Sample images'),
    });
  }
  await vscode.commands.executeCommand('revealInExplorer', uri);
}
