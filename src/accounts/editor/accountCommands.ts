import * as path from 'node:path';
import * as vscode from 'vscode';
import { CodedError, isCoded } from '../../base/errors';
import { quoted } from '../../base/reasons';
import { unlessRunning } from '../../base/unlessRunning';
import { untilCanceled } from '../../base/waiting';
import { showQuickPick } from '../../host/editor/boxes';
import { command } from '../../host/editor/command';
import { enterText } from '../../host/editor/dialogSteps';
import { userMessage } from '../../host/editor/language';
import { withCancel, withNotification } from '../../host/editor/progress';
import { showFailure, showInformationMessage, showWarningMessage } from '../../host/editor/messages';
import type { MaskedLog } from '../../host/logEntries';
import { optionalChoice, optionalNumber, optionalText, text } from '../../host/options';
import type { Settings } from '../../host/settings';
import { runSteps, type Step } from '../../host/steps';
import type { NetworkSettings } from '../../service/node/networkSettings';
import {
  accountOnHost,
  askForAccountWords,
  type ProgramRequest,
  accountNotice,
  userOf,
} from '../../words/accountWords';
import { reasonWords } from '../../words/reasonWords';
import type { Account, Accounts, Activation } from '../node/accounts';
import { sampleImagesFolder, sampleFolder } from '../node/accountsOnDisk';
import { type SampleProcess, samplePlate, sampleStudy } from '../../sample/node/sampleProcess';
import {
  accountWithoutKey,
  findAccount,
  type UserPrompts,
  type PlainHosts,
  signIn,
  signOut,
  suggestedAddress,
  useForProgram,
} from '../node/signIn';

/** The sample image that the walkthrough analyzes. */
const SAMPLE_IMAGE = 'nuclei-touching.png';

interface AccountCommandDependencies {
  accounts: Accounts;
  plainHosts: PlainHosts;
  sample: () => Promise<SampleProcess>;
  settings: Settings;
  network: () => NetworkSettings;
  log: MaskedLog;
  /** Folder of the extension's own files. */
  storage: string;
  /** Data that sign-out deletes and the user may save first; undefined if there is none. */
  dataToSave: (accountId: string) => Promise<DataToSave | undefined>;
}

/** Data that only the account's folder has. */
export interface DataToSave {
  /** Says that the data is removed too. */
  words: string;
  /** Title of the button that saves the data. */
  button: string;
  /** Lets the user save the data; returns whether they did. */
  save(): Promise<boolean>;
}

/**
 * Sign-in, sign-out, switching of accounts, and the sample service. A program may add accounts, and
 * its account becomes active if none is. But only a user replaces the active account. If another
 * one is active, `signIn`, `switchAccount` and `startSampleService` show a notification with a
 * button to use the new account, and reject with `not-active`. With `activate: false`, they show
 * nothing and return `active: false`. With `activate: true`, they ask the user, and reject with
 * `not-active` if the user declines. `signOut` of the active account leaves none active.
 */
export function accountCommands(dependencies: AccountCommandDependencies) {
  const { accounts } = dependencies;
  const notified = new Set<string>();
  // A second Enter on a button of the walkthrough is ignored while the first is handled.
  const createSampleImageOnce = unlessRunning(() => createSampleImage(dependencies));
  const analyzeSampleStudyOnce = unlessRunning(() => analyzeSampleSet(dependencies, 'study'));
  const analyzeSamplePlateOnce = unlessRunning(() => analyzeSampleSet(dependencies, 'plate'));
  const use = (account: Account, activate: boolean | undefined, request: ProgramRequest) =>
    useForProgram(accounts, account, activate, userPrompts(dependencies, request, notified));
  return {
    signIn: command({
      options: { baseUrl: text, apiKey: text, activate: optionalChoice },
      program: async ({ baseUrl, apiKey, activate }) => {
        const account = await signIn(dependencies, baseUrl, apiKey, { activation: activationFor(activate) });
        const active = await use(account, activate, 'signed-in');
        return { user: account.user, email: account.email ?? '', baseUrl: account.baseUrl, active };
      },
      person: () => signInAgain(dependencies),
    }),
    signOut: command({
      options: { account: optionalText },
      program: ({ account }) => signOut(accounts, account),
      person: () => signOutAsPerson(dependencies),
    }),
    switchAccount: command({
      options: { account: text, activate: optionalChoice },
      program: async ({ account, activate }) => ({
        active: await use(findAccount(accounts, account), activate, 'wants-to-switch'),
      }),
      person: () => switchAsPerson(dependencies),
    }),
    startSampleService: command({
      options: { delayMs: optionalNumber, activate: optionalChoice },
      program: async ({ delayMs, activate }) => {
        const started = await startSample(dependencies, { delayMs, activation: activationFor(activate) });
        const active = await use(started.account, activate, 'signed-in');
        return { baseUrl: started.baseUrl, apiKey: started.apiKey, active };
      },
      person: () => startSampleAsPerson(dependencies),
    }),
    analyzeSampleImage: command({
      options: {},
      program: () => Promise.reject(new CodedError('bad-request', 'This command belongs to the walkthrough')),
      person: async () => {
        const image = await createSampleImageOnce();
        if (image) await vscode.commands.executeCommand('imageAnalysis.analyzeFiles', image);
      },
    }),
    analyzeSampleStudy: command({
      options: {},
      program: () => Promise.reject(new CodedError('bad-request', 'This command belongs to the walkthrough')),
      person: async () => void (await analyzeSampleStudyOnce()),
    }),
    analyzeSamplePlate: command({
      options: {},
      program: () => Promise.reject(new CodedError('bad-request', 'This command is for people')),
      person: async () => void (await analyzeSamplePlateOnce()),
    }),
    openSampleImages: command({
      options: {},
      program: async () => ({ path: await writeSampleImages(dependencies) }),
      person: () => openSampleImages(dependencies),
    }),
  };
}

/** How a program's account may become active before a user is asked. */
function activationFor(activate: boolean | undefined): Activation {
  return activate === false ? 'never' : 'if-none';
}

/** `notified` has the accounts with a visible notification, so that a second call shows none. */
function userPrompts(
  { accounts, log }: Pick<AccountCommandDependencies, 'accounts' | 'log'>,
  request: ProgramRequest,
  notified: Set<string>,
): UserPrompts {
  const { t } = vscode.l10n;
  const useIt = t('Use It');
  return {
    notify: (account, active) => {
      log.info(
        `A program's ${request === 'signed-in' ? 'sign-in' : 'request to switch'} left the active account as it is`,
      );
      const key = `${request} ${account.id} ${active.id}`;
      if (notified.has(key)) return;
      notified.add(key);
      void showWarningMessage(accountNotice(t, request, account, active), useIt)
        .finally(() => notified.delete(key))
        .then(async button => {
          if (button === useIt) await accounts.activate(account.id);
        })
        .catch(showFailure);
    },
    ask: async (account, active) => {
      const { question, detail } = askForAccountWords(t, account, active);
      const prompt = showWarningMessage(question, { modal: true, detail }, useIt);
      // In extension tests, VS Code rejects dialogs.
      const button = await prompt.catch((error: unknown) =>
        log.warn(`Whether a program may switch accounts could not be asked: ${String(error)}`),
      );
      return button === useIt;
    },
  };
}

/** Signs in to the active account if its key is missing; else lets the user enter an address. */
async function signInAgain(dependencies: AccountCommandDependencies): Promise<void> {
  const activeWithoutKey = await accountWithoutKey(dependencies.accounts);
  if (activeWithoutKey?.sample) await startSampleAsPerson(dependencies);
  else await signInAsPerson(dependencies, { isAddressKnown: activeWithoutKey !== undefined });
}

async function signInAsPerson(
  dependencies: AccountCommandDependencies,
  { isAddressKnown = false }: { isAddressKnown?: boolean } = {},
): Promise<void> {
  const { normalizeBaseUrl } = await import('../../service/node/baseUrl');
  const title = vscode.l10n.t('Sign In to an Image Analysis Service');
  let baseUrl = suggestedAddress(dependencies.accounts, dependencies.settings.baseUrl);
  let account: Account | undefined;
  const steps: Step[] = [
    async position => {
      const entered = await enterText({
        title,
        prompt: vscode.l10n.t('Address of the service'),
        placeholder: 'https://analysis.example.org',
        value: baseUrl,
        ...position,
        check: typed => checkAddress(dependencies.plainHosts, typed),
      });
      if (entered.kind !== 'value') return entered.kind;
      baseUrl = normalizeBaseUrl(entered.value, await dependencies.plainHosts.all());
      return 'next';
    },
    async position => {
      const entered = await enterText({
        title,
        prompt: vscode.l10n.t(
          'API key for {0}. To create one, go to Settings > API > Generate on its website.',
          baseUrl,
        ),
        password: true,
        ...position,
        check: async (typed, signal) => {
          if (typed === '') return vscode.l10n.t('Enter the API key');
          try {
            account = await signIn(dependencies, baseUrl, typed, { signal });
            return undefined;
          } catch (error) {
            return isCoded(error, 'cancelled') ? undefined : userMessage(error);
          }
        },
      });
      return entered.kind === 'value' ? 'next' : entered.kind;
    },
  ];
  if (!(await runSteps(steps, isAddressKnown ? 1 : 0)) || !account) return;
  void showInformationMessage(
    vscode.l10n.t('Signed in to {0} as {1}.', account.baseUrl, account.email ?? account.user),
  );
}

/**
 * The problem of an address; undefined if it is valid. Asks the user for consent if it is
 * unencrypted.
 */
async function checkAddress(plainHosts: PlainHosts, typed: string): Promise<string | undefined> {
  const { hostOfAddress, normalizeBaseUrl } = await import('../../service/node/baseUrl');
  try {
    normalizeBaseUrl(typed, await plainHosts.all());
    return undefined;
  } catch (error) {
    const problem = isCoded(error) ? error.details.reason : undefined;
    if (!problem) return vscode.l10n.t("This isn't a valid service address");
    const host = problem.code === 'address-unencrypted' && hostOfAddress(typed);
    if (!host || !(await agreesToHttp(host))) return reasonWords(vscode.l10n.t, problem);
    await plainHosts.confirm(host);
    return undefined;
  }
}

async function agreesToHttp(host: string): Promise<boolean> {
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

async function signOutAsPerson({ accounts, dataToSave, log }: AccountCommandDependencies): Promise<void> {
  const account =
    accounts.all.length > 1 || !accounts.active
      ? await selectAccount(accounts, vscode.l10n.t('Which account do you want to sign out of?'))
      : accounts.active;
  if (!account) return;
  const confirm = vscode.l10n.t('Sign Out');
  const toSave = await dataToSave(account.id).catch((error: unknown) => {
    // Sign-out must also work if the account's files can't be read.
    log.info(`Reading what goes with an account: ${String(error)}`);
    return undefined;
  });
  for (let isSaved = false; ;) {
    const unsaved: DataToSave | undefined = isSaved ? undefined : toSave;
    const button: string | undefined = await showWarningMessage(
      vscode.l10n.t('Sign out of {0}?', accounts.all.length > 1 ? accountOnHost(account) : userOf(account)),
      {
        modal: true,
        detail: [
          ...(unsaved ? [unsaved.words] : []),
          vscode.l10n.t(
            'This removes the API key, downloaded results, job names, and your choices for background images and pixel sizes from this machine. Nothing is removed from the service.',
          ),
        ].join('\n\n'),
      },
      confirm,
      ...(unsaved ? [unsaved.button] : []),
    );
    if (unsaved && button === unsaved.button) isSaved = await unsaved.save();
    else {
      if (button === confirm) await accounts.remove(account.id);
      return;
    }
  }
}

async function switchAsPerson(dependencies: AccountCommandDependencies): Promise<void> {
  const { accounts } = dependencies;
  const signInItem = {
    label: vscode.l10n.t('Sign In to Another Account…'),
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
    account: undefined,
  };
  const item = await showQuickPick([...accountItems(accounts), signInItem], {
    placeHolder: vscode.l10n.t('Which account do you want to use?'),
    matchOnDescription: true,
  });
  if (item?.account) await accounts.activate(item.account.id);
  else if (item) await signInAsPerson(dependencies);
}

async function selectAccount(accounts: Accounts, placeHolder: string): Promise<Account | undefined> {
  return (await showQuickPick(accountItems(accounts), { placeHolder, matchOnDescription: true }))?.account;
}

function accountItems(accounts: Accounts) {
  return accounts.all.map(account => ({
    label: userOf(account),
    description: account.baseUrl,
    iconPath: new vscode.ThemeIcon(account.id === accounts.active?.id ? 'check' : 'account'),
    account,
  }));
}

async function startSample(
  dependencies: AccountCommandDependencies,
  { delayMs, activation = 'always' }: { delayMs?: number | undefined; activation?: Activation } = {},
): Promise<{ baseUrl: string; apiKey: string; account: Account }> {
  const { baseUrl, apiKey } = await (
    await dependencies.sample()
  ).ensureRunning(delayMs === undefined ? {} : { delayMs });
  const account = await signIn(dependencies, baseUrl, apiKey, { sample: true, activation });
  return { baseUrl, apiKey, account };
}

async function startSampleAsPerson(dependencies: AccountCommandDependencies): Promise<void> {
  await withNotification({ title: vscode.l10n.t('Starting sample service') }, () =>
    startSample(dependencies),
  );
  const open = vscode.l10n.t('Open Sample Images');
  // The command ends; the message stays until it is read.
  void showInformationMessage(
    vscode.l10n.t(
      'Signed in to the sample service. It runs on this machine and analyzes the images you upload.',
    ),
    open,
  )
    .then(button => (button === open ? openSampleImages(dependencies) : undefined))
    .then(undefined, showFailure);
}

/** Creates an image to analyze on the sample service, which becomes active: it uses no credits. */
async function createSampleImage(dependencies: AccountCommandDependencies): Promise<vscode.Uri> {
  return await withNotification({ title: vscode.l10n.t('Creating sample images') }, async () => {
    await startSample(dependencies);
    const folder = await sampleImagesFolder(dependencies.storage);
    await (await dependencies.sample()).writeImages(folder, 'single');
    return vscode.Uri.joinPath(vscode.Uri.file(folder), SAMPLE_IMAGE);
  });
}

/**
 * Analyzes the images of the study or the plate on the sample service, and opens the objects table.
 * Asks nothing, as it uses no credits. Masks are generated in the meantime. If a user cancels, a
 * submitted job continues in the Jobs view.
 */
async function analyzeSampleSet(
  dependencies: AccountCommandDependencies,
  set: 'study' | 'plate',
): Promise<void> {
  const { t } = vscode.l10n;
  const run = <T>(name: string, ...args: unknown[]) =>
    Promise.resolve(vscode.commands.executeCommand<T>(`imageAnalysis.${name}`, ...args));
  const { conditions: folders, pipelineId } = set === 'study' ? sampleStudy : samplePlate;
  const [progressTitle, name] =
    set === 'study'
      ? [t('Analyzing sample study'), t('Sample study')]
      : [t('Analyzing sample plate'), t('Sample plate')];
  const jobId = await withCancel(progressTitle, async (progress, signal) => {
    progress.report({ message: t('Creating images') });
    await startSample(dependencies);
    const folder = sampleFolder(await sampleImagesFolder(dependencies.storage), set);
    await (await dependencies.sample()).writeImages(folder, set, signal);
    progress.report({ message: t('Uploading') });
    const conditions = folders.map(subfolder => vscode.Uri.file(path.join(folder, subfolder)));
    const request = { pipelineId, name };
    const submitted = run<Submitted>('analyzeFiles', conditions[0], conditions, request);
    const { jobId: id, failed } = await untilCanceled(submitted, signal);
    if (id === undefined) throw notUploaded(failed);
    progress.report({ message: t('Finding and measuring objects') });
    await untilCanceled(run('waitForJob', { jobId: id }), signal);
    return id;
  });
  await run('openObjectsTable', { jobId });
  await run('generateMasks', { jobId });
}

/** The result of `analyzeFiles` for programs. */
interface Submitted {
  jobId?: string;
  failed: { code: string; message: string }[];
}

function notUploaded([first]: Submitted['failed']): CodedError {
  return new CodedError('service-error', 'No image of the study could be uploaded', {
    ...(first && { reason: quoted(first.message) }),
  });
}

/** Writes all sample images, with subfolders for study and plate; returns the folder. */
async function writeSampleImages(dependencies: AccountCommandDependencies): Promise<string> {
  const sample = await dependencies.sample();
  const folder = await sampleImagesFolder(dependencies.storage);
  const sets = (['study', 'plate'] as const).map(set => sample.writeImages(sampleFolder(folder, set), set));
  await Promise.all([sample.writeImages(folder, 'single'), ...sets]);
  return folder;
}

/**
 * Opens the sample images in this window if it has no folder, else in a new window: adding a folder
 * would change a workspace.
 */
async function openSampleImages(dependencies: AccountCommandDependencies): Promise<void> {
  const folder = await withNotification({ title: vscode.l10n.t('Creating sample images') }, () =>
    writeSampleImages(dependencies),
  );
  const uri = vscode.Uri.file(folder);
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const isEmpty = (vscode.workspace.workspaceFolders ?? []).length === 0;
  await vscode.commands.executeCommand(
    'vscode.openFolder',
    uri,
    isEmpty ? { forceReuseWindow: true } : { forceNewWindow: true },
  );
}

/** Lets the user sign in or try the sample service. Returns whether an account is active then. */
export async function signInToContinue(accounts: Pick<Accounts, 'active' | 'all'>): Promise<boolean> {
  const { t } = vscode.l10n;
  const switchAccount = {
    label: t('Switch Account…'),
    detail: t('To an account that is signed in on this machine.'),
    iconPath: new vscode.ThemeIcon('account'),
    command: 'imageAnalysis.switchAccount',
  };
  const selected = await showQuickPick(
    [
      ...(accounts.all.length > 0 ? [switchAccount] : []),
      {
        label: t('Sign In…'),
        detail: t('With the address of your image analysis service and an API key.'),
        iconPath: new vscode.ThemeIcon('sign-in'),
        command: 'imageAnalysis.signIn',
      },
      {
        label: t('Try the Sample Service'),
        detail: t('It runs on this machine, costs nothing, and includes sample images.'),
        iconPath: new vscode.ThemeIcon('beaker'),
        command: 'imageAnalysis.startSampleService',
      },
    ],
    { title: t('Sign In to Continue') },
  );
  if (!selected) return false;
  await vscode.commands.executeCommand(selected.command);
  return accounts.active !== undefined;
}
