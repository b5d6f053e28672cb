import * as path from 'node:path';
import * as vscode from 'vscode';
import type { JobSessions } from '../../jobs/node/jobSessions';
import { backgroundImagePairingSource } from '../node/backgroundImagePairingSource';
import { LocalCopies } from '../node/localCopies';
import { ClassColorChoices } from '../../results/node/classColorChoices';
import { ResultChoices } from '../../results/node/resultChoices';
import { MasksExporter } from '../node/masksExporter';
import { OpenResults } from '../node/openResults';
import { ownTables } from '../node/ownTables';
import type { Engine } from '../node/engine';
import { reviveSource } from '../node/reviveSource';
import type { Settings } from '../../host/settings';
import { StateFiles } from '../../accounts/node/stateFiles';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { jobColumnName } from '../../words/jobWords';
import { showToPerson } from './resultCommands';
import { chooseTableOfMasks } from './tableOfMasks';
import { setContext } from '../../host/editor/contextKeys';
import { identityOf, virtualFiles } from '../../uploads/editor/localFiles';
import { showFailure } from '../../host/editor/userMessages';
import { findWorkspaceFiles, selectBackgroundImage } from '../../host/editor/workspaceFiles';
import { setPanelTitle } from '../../host/editor/surfaces/titles';
import { panelTitle } from './panelTitle';
import { ResultPanels } from './resultPanels';

export interface ShownResultsParts {
  context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState'>;
  /** Folder of the extension's own files. */
  storage: string;
  sessions: JobSessions;
  settings: Settings;
  startEngine: () => Engine;
  log: Log;
}

/** Open results, their panels and their export. Created when the first result is shown, not at activation. */
export class ShownResults implements Disposable {
  readonly choices: ResultChoices;
  readonly panels: ResultPanels;
  readonly results: OpenResults;
  readonly exporter: MasksExporter;

  constructor({ context, storage, sessions, settings, startEngine, log }: ShownResultsParts) {
    const localState = new StateFiles(path.join(storage, 'local'));
    const choices = new ResultChoices(async accountId =>
      accountId === undefined ? localState : (await sessions.of(accountId)).state,
    );
    this.choices = choices;
    const parseUri = (text: string) => vscode.Uri.parse(text);
    const reviveParts = { sessions, parseUri, jobColumn: jobColumnName(vscode.l10n.t) };
    const pairing = backgroundImagePairingSource({
      choices,
      findFiles: findWorkspaceFiles,
      selectFile: selectBackgroundImage,
      parseUri,
      identityOf,
    });
    this.panels = new ResultPanels({
      extensionUri: context.extensionUri,
      pairing,
      opacity: () => settings.masksOpacity,
      byteOrderMark: () => settings.tableByteOrderMark,
      choices,
      classColors: new ClassColorChoices(context.globalState),
      openOther: (source, part) => void showToPerson(this.results, source, part).catch(showFailure),
      exportMasks: (source, selected) =>
        void import('./exportSteps')
          .then(({ exportAsPerson }) => exportAsPerson(this.exporter, source, selected))
          .catch(showFailure),
      chooseTable: session => void chooseTableOfMasks(this.results, session).catch(showFailure),
      log,
    });
    this.results = new OpenResults({
      startEngine,
      createView: (shown, place, options) => this.panels.create(shown, place, options),
      revive: stored => reviveSource(reviveParts, stored),
      tableMemory: () => settings.tableMemory,
      ownTable: ownTables({
        choices,
        pairing,
        makeCopies: () => new LocalCopies({ files: virtualFiles, parseUri, log }),
        parseUri,
        log,
      }),
      keptLinks: source => choices.linksOf(source),
      log,
    });
    this.results.onDidShow(({ part }) => {
      if (part === 'masks') completeMasksStep();
    });
    this.exporter = new MasksExporter({
      startEngine,
      sessionOf: source => this.results.sessionOf(source),
      keptLinks: source => choices.linksOf(source),
      tableMemory: () => settings.tableMemory,
      log,
    });
  }

  /** Restores a panel after a reload; `state` is what its page stored. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const revived = this.results.revived(panel.viewType, state);
    if (!revived) {
      panel.dispose();
      return;
    }
    const { source, part } = revived;
    setPanelTitle(panel, panelTitle(source, part));
    this.results.adopt(source, part, shown => this.panels.adopt(panel, shown));
  }

  dispose(): void {
    this.results.dispose();
  }
}

/**
 * Completes the walkthrough's step of the masks, which may also have opened by themselves. VS Code notices when the key becomes
 * true, but never again if it was true before the walkthrough was first opened in this window: so it is true for a moment only.
 */
function completeMasksStep(): void {
  setContext('imageAnalysis.masksShown', true);
  setContext('imageAnalysis.masksShown', false);
}
