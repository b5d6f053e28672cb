import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import type { Parts } from '../../base/parts';
import type { Commands } from '../../host/editor/command';
import type { OutputLog } from '../../host/editor/log';
import type { Settings } from '../../host/settings';
import type { JobSessions } from '../../jobs/node/jobSessions';
import type { PageMenuCommand } from '../../protocol/menuCommands';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { ResultPart } from '../../service/resultParts';
import type { Engine } from '../engineProtocol';
import type { OpenResults } from '../node/openResults';
import type { AddSessionParts, ResultSession, ResultSessionOptions } from '../node/resultSession';
import type { ResultSource } from '../node/resultSource';
import type { PanelLife, PanelDependencies } from './panelLife';

/** What the extension host gives to each subject that adds to open results. */
export interface ResultsHost {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState' | 'workspaceState'>;
  readonly sessions: JobSessions;
  readonly settings: Settings;
  readonly startEngine: () => Engine;
  readonly choices: ResultChoices;
  readonly results: OpenResults;
  /** What subjects offer to those after them in the host. */
  readonly parts: Parts;
  readonly log: OutputLog;
  /** A panel came back after a reload. */
  readonly onDidRevive: Event<{ session: ResultSession; part: ResultPart }>;
  /** A panel of a result is the one that a person works in now. */
  readonly onDidActivate: Event<ResultSession>;
  /** Only these accounts are left. */
  readonly onDidKeepAccounts: Event<ReadonlySet<string>>;
  /** Makes a source from what it gave as `restore`; undefined where that isn't valid any more. */
  reviveSource(stored: unknown): ResultSource | undefined;
}

/** What a panel of a part of a result is made of. */
export interface ShownPanel extends PanelDependencies {
  what: ResultPart;
  /** Loads the panel's title anew. */
  retitle: () => void;
}

/** The content of a panel. */
export interface PanelContent {
  readonly life: PanelLife;
  /** Makes its page run an entry of its context menu, if the entry is the page's. */
  runInPage(entry: PageMenuCommand): void;
}

/** What a subject adds to open results in the extension host. */
export interface ResultsContribution extends Partial<Disposable> {
  /** Commands by their names, without the extension's. */
  commands?: Commands;
  /** What it keeps with each session. */
  sessionParts?: AddSessionParts;
  /** The table of masks that come without one. */
  measuredTable?: ResultSessionOptions['measuredTable'];
  /** Makes the contents of panels. */
  panels?: Partial<Record<ResultPart, (shown: ShownPanel) => PanelContent>>;
  /** Restores its own panels after a reload, by view type; `state` is what the page stored. */
  revivePanel?: Readonly<Record<string, (panel: vscode.WebviewPanel, state: unknown) => void>>;
  /** Makes its own kind of source from its `restore`; `reviveOne` makes those of other kinds. */
  reviveSource?(
    stored: unknown,
    reviveOne: (stored: unknown) => ResultSource | undefined,
  ): ResultSource | undefined;
}

/** Made once, in the order of the subjects, when the first result is shown. */
export type ContributeToResults = (host: ResultsHost) => ResultsContribution;
