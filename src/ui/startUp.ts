import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../base/log';
import type { Accounts } from './account';
import type { AccountSessions } from './accountSessions';
import { StateFiles } from './stateFiles';

export interface StartUpParts {
  accounts: Accounts;
  sessions: AccountSessions;
  log: Log;
}

/** What happens at activation: the accounts are read, and jobs that were running are followed again. No network is awaited. */
export async function startUp({ accounts, sessions, log }: StartUpParts): Promise<void> {
  const showSignedIn = () =>
    void vscode.commands.executeCommand(
      'setContext',
      'imageAnalysis.signedIn',
      accounts.active !== undefined,
    );
  accounts.onDidChange(showSignedIn);
  await accounts.load();
  showSignedIn();
  resumeJobs(accounts, sessions).catch((error: unknown) =>
    log.error('Going on with running jobs failed', error),
  );
  if (process.env['IMAGE_ANALYSIS_START_SAMPLE'] === '1' && accounts.all.length === 0) {
    // `npm start` opens a window that is signed in already.
    Promise.resolve(vscode.commands.executeCommand('imageAnalysis.startSampleService', {})).catch(
      (error: unknown) => log.error('The sample service did not start', error),
    );
  }
}

/** Loads an account's session only if it left jobs running. */
async function resumeJobs(accounts: Accounts, sessions: AccountSessions): Promise<void> {
  for (const { id } of accounts.all) {
    const pending = await new StateFiles(path.join(accounts.folder(id), 'state')).read('jobs');
    if (!Array.isArray(pending) || pending.length === 0) continue;
    await (await sessions.of(id)).tracker.resume();
  }
}
