import * as path from 'node:path';
import * as vscode from 'vscode';
import { EngineThread } from './engine/pool';
import { Accounts } from './ui/account';
import { showAccountOn } from './ui/accountLabel';
import { AccountSessions } from './ui/accountSessions';
import { registerAccountCommands } from './ui/commands/accountCommands';
import { registerExportCommands } from './ui/commands/exportCommands';
import { registerJobCommands } from './ui/commands/jobCommands';
import { registerListCommands } from './ui/commands/listCommands';
import { registerResultCommands, showToPerson } from './ui/commands/resultCommands';
import { registerUploadCommands } from './ui/commands/uploadCommands';
import { announceJobs } from './ui/jobNotifications';
import { JobStatusBar } from './ui/jobStatusBar';
import { OutputLog } from './ui/log';
import { MasksPreferences } from './ui/panels/masksPreferences';
import { MasksExporter } from './ui/masksExporter';
import { ResultSessions } from './ui/panels/resultSessions';
import { registerTableEditor } from './ui/panels/tableEditor';
import { picturePairingSource } from './ui/picturePairing';
import { reviveSource } from './ui/resultSources';
import { SampleService } from './ui/sampleService';
import { Settings } from './ui/settings';
import { startUp } from './ui/startUp';
import { filesDrop } from './ui/trees/filesDrop';
import { FilesTree } from './ui/trees/filesTree';
import { JobsTree } from './ui/trees/jobsTree';
import { PipelinesTree } from './ui/trees/pipelinesTree';
import { showFailure } from './ui/userMessages';

/** Builds every part, hands each what it needs, and registers them. Awaits no network. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const storage = context.globalStorageUri.fsPath;
  const bundled = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  const log = new OutputLog();
  const settings = new Settings();
  const accounts = new Accounts(context.secrets, storage, log);
  const sample = new SampleService(bundled('sample.js'), path.join(storage, 'sample', 'data'), log);
  const sessions = new AccountSessions({ accounts, sample, settings, log });
  const results: ResultSessions = new ResultSessions({
    extensionUri: context.extensionUri,
    engineScript: bundled('engine.js'),
    pairing: picturePairingSource(context.globalState),
    opacity: () => settings.masksOpacity,
    tableMemory: () => settings.tableMemory,
    preferences: new MasksPreferences(context.globalState),
    openOther: (source, what) => void showToPerson(results, source, what).catch(showFailure),
    revive: (restored: unknown) => reviveSource(sessions, restored),
    log,
  });
  const exporter = new MasksExporter({
    startEngine: () => new EngineThread(bundled('engine.js')),
    sessionOf: source => results.sessionOf(source),
    log,
  });
  const filesTree = new FilesTree('files', sessions, log);
  const pipelinesTree = new PipelinesTree('pipelines', sessions, log);
  const jobsTree = new JobsTree(sessions, log);

  const filesView = vscode.window.createTreeView('imageAnalysis.files', {
    treeDataProvider: filesTree,
    canSelectMany: true,
    dragAndDropController: filesDrop,
  });

  context.subscriptions.push(
    log,
    accounts,
    sessions,
    results,
    filesTree,
    pipelinesTree,
    jobsTree,
    new JobStatusBar(sessions),
    announceJobs({ sessions, results, settings, log }),
    filesView,
    showAccountOn(filesView, accounts),
    accounts.onDidChange(() => results.keepAccounts(new Set(accounts.all.map(({ id }) => id)))),
    vscode.window.createTreeView('imageAnalysis.pipelines', { treeDataProvider: pipelinesTree }),
    vscode.window.createTreeView('imageAnalysis.jobs', { treeDataProvider: jobsTree, canSelectMany: true }),
    registerAccountCommands({ accounts, sample, settings, log, storage }),
    registerUploadCommands({ sessions, settings, filesTree, log }),
    registerJobCommands({ sessions, log }),
    registerResultCommands({ sessions, results, log }),
    registerExportCommands({ sessions, results, exporter, log }),
    registerTableEditor(results),
    registerListCommands({ sessions, trees: [filesTree, pipelinesTree, jobsTree], log }),
  );
  await startUp({ accounts, sessions, log });
}
