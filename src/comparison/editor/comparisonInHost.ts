import * as vscode from 'vscode';
import { Lazy } from '../../base/disposable';
import { viewTypes } from '../../host/manifestNames';
import { backgroundImages } from '../../linking/editor/linkingInHost';
import { masksActions } from '../../masks/editor/masksInHost';
import type { ContributeToResults } from '../../session/editor/contribution';
import { showToPerson } from '../../session/editor/resultCommands';
import type { ResultSource } from '../../session/node/resultSource';
import {
  ComparisonSessions,
  type ComparisonSettings,
  validSettings,
  PairsResult,
} from '../node/comparisonSession';
import { MasksComparer } from '../node/masksComparer';
import { storedPairs } from '../node/storedPairs';
import { compareCommands } from './compareCommands';
import type { ComparisonPanels } from './comparisonPanels';

/** Contributes comparisons of masks: panels, tables of pairs, and requests of programs. */
export const comparisonInHost: ContributeToResults = host => {
  const { context, sessions, startEngine, choices, results, parts, log } = host;
  const comparisons = new ComparisonSessions((a, b) => ({
    a,
    b,
    comparer: new MasksComparer({ startEngine, log }),
    pairStore: storedPairs(choices, a, b),
    log,
  }));
  const pairsOf = (a: ResultSource, b: ResultSource, settings?: ComparisonSettings): PairsResult => {
    const title = vscode.l10n.t('{0} vs. {1}', a.title, b.title);
    // From the table of pairs, the user can show the comparison that created it.
    const showOther = async () => (await panels.get()).show(a, b, vscode.ViewColumn.Beside);
    return new PairsResult({ a, b, title, sessions: comparisons, showOther, ...(settings && { settings }) });
  };
  // Loaded with the first panel.
  const panels: Lazy<ComparisonPanels> = new Lazy(async () => {
    const { ComparisonPanels } = await import('./comparisonPanels');
    return new ComparisonPanels({
      extensionUri: context.extensionUri,
      sessions: comparisons,
      pairing: parts.get(backgroundImages),
      revive: stored => host.reviveSource(stored),
      openPairs: ({ a, b }, targetColumn) => showToPerson(results, pairsOf(a, b), 'objects', targetColumn),
      results,
      log,
    });
  });
  results.onDidBegin(session => {
    if (session.source instanceof PairsResult) session.source.began(session);
  });
  results.onDidEnd(({ source }) => {
    if (source instanceof PairsResult) source.ended();
  });
  host.onDidKeepAccounts(accountIds => panels.value?.keepAccounts(accountIds));
  parts.get(masksActions).compareMasks = async source => {
    const { selectMasksToCompare } = await import('./compareSteps');
    const compared = await selectMasksToCompare({ sessions, activeMasks: source }, []);
    if (compared) (await panels.get()).show(compared.a, compared.b);
  };
  return {
    commands: compareCommands({ sessions, results, panels: () => panels.get(), startEngine, log }),
    revivePanel: {
      [viewTypes.comparison]: (panel, state) => {
        let closed = false;
        panel.onDidDispose(() => (closed = true));
        void panels.get().then(comparisonPanels => {
          if (!closed) comparisonPanels.revive(panel, state);
        });
      },
    },
    reviveSource: (stored, reviveOne) => {
      const { kind, a, b, ...settings } = (stored ?? {}) as Partial<Record<string, unknown>>;
      if (kind !== 'pairs') return undefined;
      const [sourceA, sourceB] = [reviveOne(a), reviveOne(b)];
      return sourceA && sourceB && pairsOf(sourceA, sourceB, validSettings(settings));
    },
    dispose: () => {
      panels.dispose();
      comparisons.dispose();
    },
  };
};
