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

/** The services of the extension host that subjects use for open results. */
export interface ResultsHost {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState' | 'workspaceState'>;
  readonly sessions: JobSessions;
  readonly settings: Settings;
  readonly startEngine: () => Engine;
  readonly choices: ResultChoices;
  readonly results: OpenResults;
  /** Objects that subjects provide to later subjects. */
  readonly parts: Parts;
  readonly log: OutputLog;
  /** Fires when a panel is restored after a reload. */
  readonly onDidRevive: Event<{ session: ResultSession; part: ResultPart }>;
  /** Fires when a person activates a panel of a result. */
  readonly onDidActivate: Event<ResultSession>;
  /** Fires with the IDs of the remaining accounts when an account is removed. */
  readonly onDidKeepAccounts: Event<ReadonlySet<string>>;
  /** Makes a source from its `restore` value; undefined if that is no longer valid. */
  reviveSource(stored: unknown): ResultSource | undefined;
}

/** The dependencies of a panel that shows a part of a result. */
export interface ShownPanel extends PanelDependencies {
  what: ResultPart;
  /** Updates the panel's title. */
  retitle: () => void;
}

/** The content of a panel. */
export interface PanelContent {
  readonly life: PanelLife;
  /** Makes its page run an entry of its context menu; ignores entries of other pages. */
  runInPage(entry: PageMenuCommand): void;
}

/** The parts that a subject adds to open results in the extension host. */
export interface ResultsContribution extends Partial<Disposable> {
  /** Commands by name, without the extension's prefix. */
  commands?: Commands;
  /** Parts that it adds to each session. */
  sessionParts?: AddSessionParts;
  /** The objects table for masks that have none. */
  measuredTable?: ResultSessionOptions['measuredTable'];
  /** Creates the contents of panels. */
  panels?: Partial<Record<ResultPart, (shown: ShownPanel) => PanelContent>>;
  /** Restores its panels after a reload, by view type; `state` is the stored state of the page. */
  revivePanel?: Readonly<Record<string, (panel: vscode.WebviewPanel, state: unknown) => void>>;
  /** Makes its kind of source from a `restore` value; `reviveOne` makes sources of other kinds. */
  reviveSource?(
    stored: unknown,
    reviveOne: (stored: unknown) => ResultSource | undefined,
  ): ResultSource | undefined;
}

/** Called once per subject, in order, when the first result is shown. */
export type ContributeToResults = (host: ResultsHost) => ResultsContribution;
