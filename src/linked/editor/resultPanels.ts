import type { ObjectsOfImage } from '../../masks/objectsOfImage';
import type { ResultPart } from '../../service/resultParts';
import * as vscode from 'vscode';
import { delay } from '../../base/delay';
import type { ClassColorChoices } from '../../results/node/classColorChoices';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { Log } from '../../base/log';
import {
  columnBeside,
  viewTypeOf,
  type ResultView,
  type ShownPart,
  type ViewPlace,
} from '../node/openResults';
import type { BackgroundImagePairingSource, ResultSource } from '../node/resultSource';
import type { ResultSession } from '../node/resultSession';
import { userMessage } from '../../host/editor/userMessage';
import type { ImagePanel, ImagePanelParts } from './imagePanel';
import { MasksPanel } from './masksPanel';
import { pageRoot } from '../../pages/editor/pageHtml';
import { TablePanel } from './tablePanel';
import { showWarningMessage } from '../../host/editor/surfaces/messages';
import { createWebviewPanel, setPanelTitle } from '../../host/editor/surfaces/titles';
import { panelTitle } from './panelTitle';

export interface ResultPanelsOptions {
  extensionUri: vscode.Uri;
  pairing: BackgroundImagePairingSource;
  /** Opacity of masks, 0…1. */
  opacity: () => number;
  /** Whether tables that are made here may begin with a byte order mark. */
  byteOrderMark: () => boolean;
  choices: ResultChoices;
  classColors: ClassColorChoices;
  /** What a page's button for another part of the result does. */
  openOther: (source: ResultSource, part: ResultPart) => void;
  /** What the masks page's button for exporting does. */
  exportMasks: (source: ResultSource, selected?: readonly ObjectsOfImage[]) => void;
  /** What the masks page's button for the table of masks without one does. */
  chooseTable: (session: ResultSession) => void;
  log: Log;
}

/** Makes the panel of an image, which is loaded only for that. */
type CreateContent = (parts: Omit<ImagePanelParts, 'image'>) => ImagePanel;

/** Shows parts of results in webview panels. */
export class ResultPanels {
  constructor(private readonly options: ResultPanelsOptions) {}

  /** Shows a part in a new panel. */
  create(shown: ShownPart, place: ViewPlace, { keepsFocus }: { keepsFocus: boolean }): ResultView {
    const { session, part } = shown;
    const panel = createWebviewPanel(
      viewTypeOf(part),
      panelTitle(session.source, part, session.tableChoice),
      { viewColumn: columnOf(place), preserveFocus: keepsFocus },
      this.webviewOptions(),
    );
    return this.fill(panel, shown);
  }

  /** Shows a part in a panel that VS Code has made, as for a custom editor. */
  adopt(panel: vscode.WebviewPanel, shown: ShownPart, createContent?: CreateContent): ResultView {
    panel.webview.options = this.webviewOptions();
    return this.fill(panel, shown, createContent);
  }

  private fill(
    panel: vscode.WebviewPanel,
    { session, part }: ShownPart,
    createContent?: CreateContent,
  ): ResultView {
    panel.iconPath = iconOf(part);
    const {
      extensionUri,
      pairing,
      opacity,
      choices,
      classColors,
      openOther,
      exportMasks,
      chooseTable,
      byteOrderMark,
      log,
    } = this.options;
    const parts = {
      session,
      what: part,
      panel,
      extensionUri,
      describe: userMessage,
      openOther: (other: ResultPart) => openOther(session.source, other),
      pageMissing: () => void this.offerAnother(panel, view, { session, part }),
      log,
    };
    const { source } = session;
    const contentOf = () => {
      if (createContent) return createContent({ ...parts, choices });
      if (part === 'masks')
        return new MasksPanel({
          ...parts,
          pairing,
          opacity,
          choices,
          classColors,
          exportMasks: selected => exportMasks(source, selected),
          chooseTable: () => chooseTable(session),
        });
      if (part === 'image') throw new TypeError('An image is shown in an editor of its own');
      return new TablePanel({ ...parts, byteOrderMark }, part);
    };
    const view = panelView(panel, contentOf(), () =>
      setPanelTitle(panel, panelTitle(source, part, session.tableChoice)),
    );
    return view;
  }

  /** Offers to reopen a panel whose page stayed blank. */
  private async offerAnother(
    panel: vscode.WebviewPanel,
    blank: ResultView,
    { session, part }: ShownPart,
  ): Promise<void> {
    // A panel that a program opened is closed by now, and there is no prompt.
    await delay(0);
    if (blank.content.isOver) return;
    const again = vscode.l10n.t('Open Again');
    const message = vscode.l10n.t('VS Code didn\'t load the page of "{0}".', panel.title);
    if ((await showWarningMessage(message, again)) !== again) return;
    if (!blank.content.isOver) blank.close();
    this.options.openOther(session.source, part);
  }

  private webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.options.extensionUri)] };
  }
}

function panelView(
  panel: vscode.WebviewPanel,
  content: TablePanel | MasksPanel | ImagePanel,
  retitle: () => void,
): ResultView {
  return {
    content: content.life.state,
    get isActive() {
      return panel.active;
    },
    get column() {
      return panel.visible ? panel.viewColumn : undefined;
    },
    reveal: () => panel.reveal(),
    load: () => content.load(),
    retitle,
    runInPage: entry => {
      if (!(content instanceof TablePanel)) {
        if (entry.page === 'masks') content.runInPage(entry.command);
      } else if (entry.page === 'table') content.runInPage(entry.command);
    },
    close: () => void panel.dispose(),
    dispose: () => content.dispose(),
  };
}

function columnOf(place: ViewPlace): vscode.ViewColumn {
  if (place === 'active') return vscode.ViewColumn.Active;
  if (place === 'aside') return unusedColumn();
  if (typeof place === 'number') return place;
  const columns = vscode.window.tabGroups.all.map(({ viewColumn }) => viewColumn);
  return columnBeside(place.beside, columns) ?? vscode.ViewColumn.Beside;
}

/** A column in which nothing is covered that a person works on: the active one only while it is empty. */
function unusedColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (activeTabGroup.tabs.length === 0) return activeTabGroup.viewColumn;
  return all.find(({ isActive }) => !isActive)?.viewColumn ?? vscode.ViewColumn.Beside;
}

function iconOf(part: ResultPart): vscode.ThemeIcon {
  const icons = { objects: 'table', aggregate: 'graph', masks: 'layers', file: 'table', image: 'file-media' };
  return new vscode.ThemeIcon(icons[part]);
}
