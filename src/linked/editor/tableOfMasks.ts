import * as vscode from 'vscode';
import type { OpenResults } from '../node/openResults';
import type { ResultSession } from '../node/resultSession';
import { percentIncrements } from '../../host/workProgress';
import { CodedError, isCoded } from '../../base/errors';
import type { TableChoice } from '../../columns/tableChoice';
import { phaseWords } from '../../words/phaseWords';
import { withCancelIfSlow } from '../../host/editor/progress';
import { showQuickPick } from '../../host/editor/surfaces/quickPick';

/**
 * Lets a person choose the table of masks that come without one, and shows it: measured from the masks, or a file whose rows
 * are linked to their objects. On Esc, and where it can't be opened, everything stays as it was.
 */
export async function chooseTableOfMasks(results: OpenResults, session: ResultSession): Promise<void> {
  const choice = await selectTable(session.source.title);
  if (!choice) return;
  await withCancelIfSlow(
    choice.kind === 'measured'
      ? vscode.l10n.t('Measuring the objects of {0}', session.source.title)
      : vscode.l10n.t('Reading the table for {0}', session.source.title),
    async (signal, progress) => {
      const increment = percentIncrements();
      const listener = session.onDidProgress(({ part, phase, done, total }) => {
        if (part !== 'objects' || total === 0) return;
        const message = phaseWords(vscode.l10n.t, phase);
        progress.report({ message, increment: increment((done / total) * 100) });
      });
      try {
        await session.chooseTable(choice, signal);
      } finally {
        listener.dispose();
      }
    },
  ).then(
    () => showTable(results, session),
    (error: unknown) => {
      if (!isCoded(error, 'cancelled')) throw error;
    },
  );
}

async function showTable(results: OpenResults, { source }: ResultSession): Promise<void> {
  // The masks may have been closed meanwhile.
  if (!results.sessionOf(source)) return;
  await results.show(source, 'objects').catch((error: unknown) => {
    if (!(error instanceof CodedError)) throw error;
  });
}

async function selectTable(title: string): Promise<TableChoice | undefined> {
  const items = [
    {
      label: vscode.l10n.t('Measure from Masks'),
      detail: vscode.l10n.t(
        'Makes a table of ID, class, area, perimeter, axes, Feret diameter and centroid, with intensities where the background image is known',
      ),
      isFile: false,
    },
    {
      label: vscode.l10n.t('Select a Table…'),
      detail: vscode.l10n.t('Links the rows of a CSV or TSV file to the objects by image and ID'),
      isFile: true,
    },
  ];
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('Table for {0}', title),
    placeHolder: vscode.l10n.t('These masks come without a table'),
  });
  if (!picked) return undefined;
  if (!picked.isFile) return { kind: 'measured' };
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Select a Table for {0}', title),
      openLabel: vscode.l10n.t('Link Table'),
      filters: { [vscode.l10n.t('Table')]: ['csv', 'tsv', 'txt'] },
    })) ?? [];
  return uri && { kind: 'file', uri: uri.toString() };
}
