import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { showAccountOn } from './accounts/editor/accountLabel';
import { TreeProvider } from './host/editor/treeProvider';
import { accountPlaces, type AccountPlaces } from './accounts/node/accountFolder';
import { Accounts } from './accounts/node/accounts';
import type { SampleProcess } from './sample/node/sampleProcess';
import { Lazy } from './base/disposable';
import { onceUnflushed } from './base/node/diskErrors';
import { OutputLog } from './host/editor/log';
import { showFailure } from './host/editor/messages';
import { viewIds } from './host/manifestNames';
import { type SettingDeclarations, Settings, type SettingsReader } from './host/settings';
import { JobStatusBar } from './jobs/editor/jobStatusBar';
import { JobNodes } from './jobs/node/jobNodes';
import { PipelineNodes } from './jobs/node/pipelineNodes';
import { RecentJobs } from './jobs/node/recentJobs';
import { announceJobs } from './session/editor/jobNotifications';
import { registerResultEditors } from './workbench/editor/resultEditors';
import type { ShownResults } from './session/editor/shownResults';
import { readNetworkSettings } from './service/editor/network';
import { filesDrop, showFilterOn } from './uploads/editor/filesView';
import type { UploadCommandDependencies } from './uploads/editor/uploadCommands';
import { offerUploads } from './uploads/editor/uploadOffers';
import { UploadStatusBar } from './uploads/editor/uploadStatusBar';
import { FileNodes } from './uploads/node/fileNodes';
import { followAttention, registerCommands, startUp } from './workbench/editor/startUp';
import { AccountSessions } from './workbench/node/accountSessions';

/** What package.json says of itself: the only source of the settings' defaults and limits. */
interface Manifest {
  version: string;
  contributes: { configuration: { properties: SettingDeclarations }; commands: { command: string }[] };
}

/** Builds every part, hands each what it needs, and registers them. Awaits no network. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const manifest = context.extension.packageJSON as Manifest;
  const { commands, configuration } = manifest.contributes;
  const storage = context.globalStorageUri.fsPath;
  const bundled = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  const log = new OutputLog();
  context.subscriptions.push(
    onceUnflushed(code => log.warn(`A disk doesn't support flushing (${code}); files are saved without`)),
  );
  const settings = new Settings(vscodeSettings, configuration.properties, log);
  const accounts = new Accounts(context.secrets, storage, log, placesOfAccounts(context));
  const sampleProcess = new Lazy<SampleProcess>(async () => {
    const { SampleProcess } = await import('./sample/node/sampleProcess');
    return new SampleProcess(bundled('sample.js'), path.join(storage, 'sample', 'data'), log);
  });
  const sample = () => sampleProcess.get();
  const loadEngine = async () => {
    const { EngineThread } = await import('./session/node/engineThread');
    return () => new EngineThread(bundled('engine.js'));
  };
  const startEngine = async () => (await loadEngine())();
  const sessions = new AccountSessions({
    accounts,
    sample,
    settings,
    network: readNetworkSettings,
    startEngine,
    extensionVersion: manifest.version,
    log,
  });
  const shown = new Lazy<ShownResults>(async () => {
    const [{ ShownResults }, { contributions }, startEngine] = await Promise.all([
      import('./session/editor/shownResults'),
      import('./workbench/editor/contributions'),
      loadEngine(),
    ]);
    const made = new ShownResults({ context, storage, sessions, settings, startEngine, contributions, log });
    made.results.onDidShow(({ source: { jobIds = [] } }) => recent.markSeen(jobIds));
    return made;
  });
  const nodeParts = { sessions, onLoadMoreFailed: (error: unknown) => void showFailure(error), log };
  const files = new FileNodes(nodeParts);
  const analyze: UploadCommandDependencies['analyze'] = async (...uploaded) =>
    (await import('./jobs/editor/analyzeCommands')).analyzeUploaded({ sessions, log }, ...uploaded);
  const uploadParts = { sessions, settings, files, startEngine, analyze, log };
  const pipelines = new PipelineNodes(nodeParts);
  const jobs = new JobNodes(nodeParts);
  const filesTree = new TreeProvider(files, async () => (await import('./uploads/node/fileItem')).fileItem);
  const pipelinesTree = new TreeProvider(
    pipelines,
    async () => (await import('./jobs/node/treeItems')).pipelineItem,
  );
  const jobsTree = new TreeProvider(jobs, async () => (await import('./jobs/node/treeItems')).jobTreeItem);

  const jobsView = vscode.window.createTreeView(viewIds.jobs, {
    treeDataProvider: jobsTree,
    canSelectMany: true,
  });
  const pipelinesView = vscode.window.createTreeView(viewIds.pipelines, { treeDataProvider: pipelinesTree });
  const recent = new RecentJobs(sessions, () => jobsView.visible);
  const filesView = vscode.window.createTreeView(viewIds.files, {
    treeDataProvider: filesTree,
    canSelectMany: true,
    dragAndDropController: filesDrop,
  });

  context.subscriptions.push(
    log,
    accounts,
    sessions,
    sampleProcess,
    shown,
    files,
    pipelines,
    jobs,
    filesTree,
    pipelinesTree,
    jobsTree,
    followAttention(sessions),
    recent,
    new JobStatusBar({ sessions, recent, view: jobsView }),
    jobsView,
    jobsView.onDidChangeVisibility(({ visible }) => {
      if (!visible) return;
      recent.markSeen();
      jobs.redraw();
    }),
    // Rows say how long ago a job was submitted.
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && jobsView.visible) jobs.redraw();
    }),
    new UploadStatusBar(sessions),
    announceJobs({ sessions, shown, recent, settings, log }),
    sessions.onDidCompareRun(({ session, record, outcome }) => {
      if (!outcome.compared || outcome.withoutResult.length === 0) return;
      import('./jobs/editor/runAgainOffers')
        .then(({ reportRunOutcome }) => reportRunOutcome({ log }, { session, record, outcome }))
        .catch(showFailure);
    }),
    filesView,
    showAccountOn([filesView, pipelinesView, jobsView], accounts, log),
    showFilterOn(filesView, files),
    accounts.onDidChange(() => shown.value?.keepAccounts(new Set(accounts.all.map(({ id }) => id)))),
    pipelinesView,
    offerUploads(accounts, uploadParts),
    registerCommands(
      commands.map(({ command }) => command),
      async () => {
        const { allCommands } = await import('./workbench/editor/allCommands');
        return allCommands({
          accounts,
          sessions,
          settings,
          sample,
          shown: await shown.get(),
          files,
          trees: [files, pipelines, jobs],
          recent,
          startEngine,
          storage,
          log,
        });
      },
    ),
    registerResultEditors(shown, log),
  );
  await startUp({
    accounts,
    sessions,
    sample,
    choices: async () => (await shown.get()).choices,
    globalState: context.globalState,
    extensionId: context.extension.id,
    log,
  });
}

/**
 * Desktop VS Code alone is told of by both: in Remote and in a browser the extension runs where its
 * server does.
 */
function placesOfAccounts({ extension, globalStorageUri }: vscode.ExtensionContext): AccountPlaces {
  const isLocal = extension.extensionKind === vscode.ExtensionKind.UI;
  const isDesktop = vscode.env.uiKind === vscode.UIKind.Desktop;
  return accountPlaces({
    storage: globalStorageUri.fsPath,
    // VS Code sets the variable where it runs from a folder that holds all it stores.
    usesProfile: isLocal && isDesktop && process.env['VSCODE_PORTABLE'] === undefined,
    platform: process.platform,
    env: process.env,
    home: homedir(),
  });
}

/** Reads settings from VS Code's configuration. */
const vscodeSettings: SettingsReader = {
  read: (name, resource) =>
    vscode.workspace
      .getConfiguration('imageAnalysis', resource === undefined ? undefined : vscode.Uri.parse(resource))
      .get(name),
};
