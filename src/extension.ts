import * as path from 'node:path';
import * as vscode from 'vscode';
import { EngineThread } from './engine/pool';
import { Accounts } from './app/accounts/accounts';
import { PlainHosts } from './app/accounts/plainHosts';
import { followAttention } from './ui/attention';
import { showAccountOn } from './ui/accountLabel';
import { AccountSessions } from './app/accounts/accountSessions';
import { accountCommands } from './ui/commands/accountCommands';
import { registerCommands } from './ui/commands/command';
import { fileFilterCommands } from './ui/commands/fileFilterCommands';
import { followCommands } from './ui/commands/followCommands';
import { exportCommands } from './ui/commands/exportCommands';
import { jobCommands } from './ui/commands/jobCommands';
import { jobRowCommands } from './ui/commands/jobRowCommands';
import { imageCommands } from './ui/commands/imageCommands';
import { menuCommands } from './ui/commands/menuCommands';
import { listCommands } from './ui/commands/listCommands';
import { resultCommands, showToPerson } from './ui/commands/resultCommands';
import { uploadAgain, uploadCommands } from './ui/commands/uploadCommands';
import { announceJobs } from './ui/jobNotifications';
import { JobStatusBar } from './ui/jobStatusBar';
import { OutputLog } from './ui/log';
import { findNameOfJob } from './app/jobs/nameOfJob';
import { RecentJobs } from './app/jobs/recentJobs';
import { MasksExporter } from './app/export/masksExporter';
import { keyOfJob } from './app/results/jobResult';
import { OpenResults } from './app/results/openResults';
import { registerPanelSerializers, ResultPanels } from './ui/panels/resultPanels';
import { registerImageEditors } from './ui/panels/imageEditor';
import { registerTableEditor } from './ui/panels/tableEditor';
import { backgroundImagePairingSource } from './app/backgroundImages/backgroundImagePairingSource';
import { findWorkspaceFiles, selectBackgroundImage } from './ui/workspaceFiles';
import { reviveSource } from './app/results/reviveSource';
import { jobColumnName } from './words/jobWords';
import { SampleProcess } from './app/sample/sampleProcess';
import type { StartReadThread } from './app/uploads/smallFileReader';
import { ClassColorChoices } from './app/choices/classColorChoices';
import { ResultChoices } from './app/choices/resultChoices';
import { viewIds } from './app/manifestNames';
import { Settings } from './app/settings/settings';
import type { SettingDeclarations } from './app/settings/settingsReader';
import { StateFiles } from './app/state/stateFiles';
import { readNetworkSettings } from './ui/network';
import { vscodeSettings } from './ui/vscodeSettings';
import { fileItem } from './app/trees/fileItem';
import { jobTreeItem } from './app/trees/jobItem';
import { pipelineItem } from './app/trees/pipelineItem';
import { identityOf, virtualFiles } from './ui/localFiles';
import { LocalCopies } from './app/backgroundImages/localCopies';
import { ownTables } from './app/results/ownTables';
import { chooseTableOfMasks } from './ui/commands/tableOfMasks';
import { startUp } from './ui/startUp';
import { TreeProvider } from './ui/trees/treeProvider';
import { showFilterOn } from './ui/trees/fileFilterMessage';
import { filesDrop } from './ui/trees/filesDrop';
import { FileNodes } from './app/trees/fileNodes';
import { JobNodes } from './app/trees/jobNodes';
import { PipelineNodes } from './app/trees/pipelineNodes';
import { UploadStatusBar } from './ui/uploadStatusBar';
import { offerUploads } from './ui/uploadOffers';
import { reportRunOutcomes } from './ui/runOutcomes';
import { showFailure } from './ui/userMessages';

/** Builds every part, hands each what it needs, and registers them. Awaits no network. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const storage = context.globalStorageUri.fsPath;
  const bundled = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  const log = new OutputLog();
  const settings = new Settings(vscodeSettings, settingDeclarations(context), log);
  const accounts = new Accounts(context.secrets, storage, log);
  const sample = new SampleProcess(bundled('sample.js'), path.join(storage, 'sample', 'data'), log);
  const startEngine = () => new EngineThread(bundled('engine.js'));
  const startReader: StartReadThread = async limits => {
    const { ReadThread } = await import('./engine/readThread');
    return new ReadThread(bundled('reader.js'), limits);
  };
  const sessions = new AccountSessions({
    accounts,
    sample,
    settings,
    network: readNetworkSettings,
    startEngine,
    startReader,
    extensionVersion: (context.extension.packageJSON as { version: string }).version,
    log,
  });
  const localState = new StateFiles(path.join(storage, 'local'));
  const choices = new ResultChoices(async accountId =>
    accountId === undefined ? localState : (await sessions.of(accountId)).state,
  );
  const parseUri = (text: string) => vscode.Uri.parse(text);
  const reviveParts = {
    sessions,
    parseUri,
    jobColumn: jobColumnName(vscode.l10n.t),
  };
  const pairing = backgroundImagePairingSource({
    choices,
    findFiles: findWorkspaceFiles,
    selectFile: selectBackgroundImage,
    parseUri,
    identityOf,
  });
  const panels = new ResultPanels({
    extensionUri: context.extensionUri,
    pairing,
    opacity: () => settings.masksOpacity,
    choices,
    classColors: new ClassColorChoices(context.globalState),
    openOther: (source, part) => void showToPerson(results, source, part).catch(showFailure),
    exportMasks: (source, selected) =>
      void import('./ui/commands/exportSteps')
        .then(({ exportAsPerson }) => exportAsPerson(exporter, source, selected))
        .catch(showFailure),
    chooseTable: session => void chooseTableOfMasks(results, session).catch(showFailure),
    log,
  });
  const results: OpenResults = new OpenResults({
    startEngine,
    createView: (shown, place, options) => panels.create(shown, place, options),
    revive: stored => reviveSource(reviveParts, stored),
    tableMemory: () => settings.tableMemory,
    ownTable: ownTables({
      choices,
      pairing,
      makeCopies: () => new LocalCopies({ files: virtualFiles, parseUri, log }),
      parseUri,
      log,
    }),
    log,
  });
  const exporter = new MasksExporter({
    startEngine,
    sessionOf: source => results.sessionOf(source),
    log,
  });
  const nodeParts = { sessions, onLoadMoreFailed: (error: unknown) => void showFailure(error), log };
  const files = new FileNodes(nodeParts);
  const uploadParts = { sessions, settings, files, startEngine, log };
  const pipelines = new PipelineNodes(nodeParts);
  const jobs = new JobNodes(nodeParts);
  const filesTree = new TreeProvider(files, fileItem);
  const pipelinesTree = new TreeProvider(pipelines, pipelineItem);
  const jobsTree = new TreeProvider(jobs, jobTreeItem);

  const jobsView = vscode.window.createTreeView(viewIds.jobs, {
    treeDataProvider: jobsTree,
    canSelectMany: true,
  });
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
    results,
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
    results.onDidShow(({ jobIds = [] }) => recent.markSeen(jobIds)),
    announceJobs({ sessions, results, recent, settings, log }),
    sessions.onDidLearnOfJob(({ session, jobId }) => {
      findNameOfJob(vscode.l10n.t, session, jobId).then(
        name => results.rename(keyOfJob(session.account.id, jobId), name),
        (error: unknown) => log.error('The results of a renamed job could not be titled', error),
      );
    }),
    reportRunOutcomes({ sessions, log }),
    filesView,
    showAccountOn(filesView, accounts),
    showFilterOn(filesView, files),
    accounts.onDidChange(() => results.keepAccounts(new Set(accounts.all.map(({ id }) => id)))),
    vscode.window.createTreeView(viewIds.pipelines, { treeDataProvider: pipelinesTree }),
    offerUploads({ accounts, sessions, log, again: (...what) => uploadAgain(uploadParts, ...what) }),
    registerCommands(
      {
        ...accountCommands({
          accounts,
          plainHosts: new PlainHosts(new StateFiles(storage)),
          sample,
          settings,
          network: readNetworkSettings,
          log,
          storage,
        }),
        ...uploadCommands(uploadParts),
        ...jobCommands({ sessions, log }),
        ...jobRowCommands({ sessions, results, startEngine, log }),
        ...followCommands({ sessions, results, recent, log }),
        ...resultCommands({ sessions, results }),
        ...exportCommands({ sessions, results, exporter }),
        ...menuCommands({ results }),
        ...fileFilterCommands({ files }),
        ...imageCommands({ results }),
        ...listCommands({ sessions, trees: [files, pipelines, jobs], log }),
      },
      log,
    ),
    registerPanelSerializers(results, panels),
    registerTableEditor(results, panels),
    registerImageEditors(results, panels, log),
  );
  await startUp({
    accounts,
    sessions,
    choices,
    globalState: context.globalState,
    extensionId: context.extension.id,
    log,
  });
}

/** What package.json says of the settings: the only source of their defaults and limits. */
function settingDeclarations(context: vscode.ExtensionContext): SettingDeclarations {
  const { contributes } = context.extension.packageJSON as {
    contributes: { configuration: { properties: SettingDeclarations } };
  };
  return contributes.configuration.properties;
}
