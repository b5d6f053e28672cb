import * as vscode from 'vscode';
import type { Accounts } from '../../accounts/node/accounts';
import type { SampleProcess } from '../../sample/node/sampleProcess';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Log } from '../../base/log';
import { setContext } from '../../host/editor/shown';
import { showWarningMessage } from '../../host/editor/messages';
import { hasOldChoices } from '../../results/node/oldChoices';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { AccountSessions } from '../node/accountSessions';

interface StartUpDependencies {
  accounts: Accounts;
  sessions: AccountSessions;
  sample: () => Promise<SampleProcess>;
  choices: () => Promise<ResultChoices>;
  globalState: vscode.Memento;
  extensionId: string;
  log: Log;
}

/** Reads accounts, moves old state and resumes running jobs. It doesn't wait for the network. */
export async function startUp({
  accounts,
  sessions,
  sample,
  choices,
  globalState,
  extensionId,
  log,
}: StartUpDependencies): Promise<void> {
  const showSignedIn = () => {
    setContext('imageAnalysis.signedIn', accounts.active !== undefined);
    setContext('imageAnalysis.hasAccounts', accounts.all.length > 0);
  };
  accounts.onDidChange(showSignedIn);
  accounts.onDidSetAside(name => {
    void showWarningMessage(
      vscode.l10n.t(
        'The list of accounts was damaged and was saved as {0}. Sign in again to accounts that are missing.',
        name,
      ),
    );
  });
  await accounts.load();
  showSignedIn();
  accounts.watchOtherWindows().catch((error: unknown) => log.error('Following other windows failed', error));
  if (hasOldChoices(globalState)) {
    await import('../../results/node/resultChoices')
      .then(async ({ moveOldChoices }) => moveOldChoices(globalState, accounts, await choices()))
      .catch((error: unknown) => log.error('Moving choices of earlier versions failed', error));
  }
  accounts
    .restrictFolders()
    .catch((error: unknown) => log.error('Closing the folders of accounts to other users failed', error));
  accounts
    .deleteOrphanedFolders()
    .catch((error: unknown) => log.error('Deleting folders without an account failed', error));
  // `npm start` opens a window that is already signed in, on the walkthrough; an installed
  // extension opens nothing by itself.
  const walkthroughModule =
    process.env['IMAGE_ANALYSIS_START_SAMPLE'] === '1' ? import('./walkthrough') : Promise.resolve(undefined);
  walkthroughModule
    .then(walkthrough => walkthrough?.openWalkthrough(extensionId))
    .catch((error: unknown) => log.error('The walkthrough did not open', error));
  const signingIn = walkthroughModule
    .then(walkthrough => walkthrough?.signInToSample(accounts))
    .catch((error: unknown) => log.error('The sample service did not start', error));
  if (accounts.all.length > 0) {
    Promise.all([import('../node/resumeJobs'), signingIn])
      .then(([{ resumeJobs }]) => resumeJobs(accounts, sessions, sample, log))
      .catch((error: unknown) => log.error('Resuming running jobs failed', error))
      .then(async () =>
        (await import('../../jobs/editor/submitSteps')).pickUpLeftSubmits(accounts, sessions, log),
      )
      .catch((error: unknown) => log.error('Picking up submits of closed windows failed', error));
  }
}

/** Former IDs of commands, which programs and key bindings may still use. */
const EARLIER_IDS = { 'imageAnalysis.openSamplePictures': 'imageAnalysis.openSampleImages' };

/** Runs a command by its name without "imageAnalysis.". */
export type RunCommand = (name: string, args: readonly unknown[]) => Promise<unknown>;

/** Registers commands with VS Code. The first one that runs loads them all. */
export function registerCommands(ids: readonly string[], load: () => Promise<RunCommand>): Disposable {
  const store = new DisposableStore();
  let loading: Promise<RunCommand> | undefined;
  const getRunCommand = () => {
    loading ??= load();
    loading.catch(() => (loading = undefined));
    return loading;
  };
  const register = (id: string, commandId: string) => {
    const name = commandId.replace('imageAnalysis.', '');
    const run = async (...args: unknown[]) => (await getRunCommand())(name, args);
    store.add(vscode.commands.registerCommand(id, run));
  };
  for (const id of ids) register(id, id);
  for (const [earlierId, id] of Object.entries(EARLIER_IDS)) register(earlierId, id);
  return store;
}

/** Polls jobs more often while this window is focused. */
export function followAttention(sessions: AccountSessions): vscode.Disposable {
  const setAttention = ({ focused }: vscode.WindowState) =>
    sessions.setAttention(focused ? 'focused' : 'background');
  setAttention(vscode.window.state);
  return vscode.window.onDidChangeWindowState(setAttention);
}
