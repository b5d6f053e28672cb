import * as path from 'node:path';
import * as vscode from 'vscode';
import { isCoded } from '../../base/errors';
import type { ExportReport } from '../../formats/exportRequest';
import type { ExportChoice, ExportProgress, MasksExporter, OpenedMasks } from '../masksExporter';
import type { ResultSource } from '../panels/resultSource';
import { withCancelIfSlow } from './sendFiles';

/** Asks a person what to export and where to, exports it, and says what came of it. Does nothing on Esc. */
export async function exportAsPerson(exporter: MasksExporter, source: ResultSource): Promise<void> {
  const title = vscode.l10n.t('Export the masks of {0}', source.title);
  const format = await askFormat(title);
  if (!format) return;
  const masks = await withCancelIfSlow(
    vscode.l10n.t('Reading the masks of {0}', source.title),
    (signal, progress) => exporter.open(source, reportTo(progress), signal),
  );
  try {
    const choice = await askChoice(title, format, masks);
    if (!choice) return;
    const report = await exportReplacing(title, masks, choice);
    if (report) void sayReport(report).then(undefined, () => undefined);
  } finally {
    masks.dispose();
  }
}

type Format = ExportChoice['format'];

async function askFormat(title: string): Promise<Format | undefined> {
  const items: (vscode.QuickPickItem & { format: Format })[] = [
    {
      format: 'coco',
      label: vscode.l10n.t('COCO JSON'),
      detail: vscode.l10n.t('One file; masks as run-length encodings of the whole image'),
    },
    {
      format: 'labels-tiff',
      label: vscode.l10n.t('Label images (TIFF)'),
      detail: vscode.l10n.t('16 or 32 bit; where objects overlap the smaller is on top'),
    },
    {
      format: 'labels-png',
      label: vscode.l10n.t('Label images (PNG)'),
      detail: vscode.l10n.t('16 bit; where objects overlap the smaller is on top'),
    },
    {
      format: 'geojson',
      label: vscode.l10n.t('QuPath GeoJSON'),
      detail: vscode.l10n.t('A file for each image; outlines with holes, classes, colours and measurements'),
    },
    {
      format: 'imagej-roi',
      label: vscode.l10n.t('ImageJ RoiSet.zip'),
      detail: vscode.l10n.t('A file for each image, for the ROI Manager of ImageJ and Fiji'),
    },
  ];
  const placeHolder = vscode.l10n.t('Which format?');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDetail: true }))?.format;
}

async function askChoice(
  title: string,
  format: Format,
  masks: OpenedMasks,
): Promise<ExportChoice | undefined> {
  const { summary } = masks;
  const readable = summary.images.filter(({ failure }) => !failure);
  const images = await askSome(
    title,
    vscode.l10n.t('Which images?'),
    readable,
    ({ filename, objectCount }) => ({
      label: filename,
      description: vscode.l10n.t('{0} objects', objectCount.toLocaleString(vscode.env.language)),
    }),
  );
  if (!images) return undefined;
  const classes = await askSome(
    title,
    vscode.l10n.t('Which classes?'),
    summary.classes,
    ({ name, count }) => ({
      label: name === '' ? vscode.l10n.t('Without a class') : name,
      description: vscode.l10n.t('{0} objects', count.toLocaleString(vscode.env.language)),
    }),
  );
  if (!classes) return undefined;
  const perClass = format.startsWith('labels') && classes.length > 1 ? await askPerClass(title) : false;
  if (perClass === undefined) return undefined;
  const objects = masks.hidesSome ? await askObjects(title) : 'all';
  if (!objects) return undefined;
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title: vscode.l10n.t('Where to export to?'),
      openLabel: vscode.l10n.t('Export Here'),
    })) ?? [];
  if (!folder) return undefined;
  return {
    format,
    destination: folder.fsPath,
    // With all of them the report names those that cannot be read.
    ...(images.length < readable.length && { images: images.map(({ index }) => index) }),
    ...(classes.length < summary.classes.length && { classes: classes.map(({ name }) => name) }),
    perClass,
    objects,
  };
}

/** Some of the things; all are ticked at first. Does not ask where there is no choice. Undefined on Esc. */
async function askSome<T>(
  title: string,
  placeHolder: string,
  things: readonly T[],
  describe: (thing: T) => vscode.QuickPickItem,
): Promise<T[] | undefined> {
  if (things.length < 2) return [...things];
  const items = things.map(thing => ({ ...describe(thing), thing, picked: true }));
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
  // Nothing ticked exports nothing: the same as Esc.
  return chosen && chosen.length > 0 ? chosen.map(({ thing }) => thing) : undefined;
}

async function askPerClass(title: string): Promise<boolean | undefined> {
  const items = [
    { label: vscode.l10n.t('One label image with all classes'), perClass: false },
    { label: vscode.l10n.t('One label image for each class'), perClass: true },
  ];
  const placeHolder = vscode.l10n.t('How are classes told apart?');
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.perClass;
}

async function askObjects(title: string): Promise<'all' | 'shown' | undefined> {
  const items = [
    {
      label: vscode.l10n.t('Only what is shown'),
      detail: vscode.l10n.t('Leaves out hidden classes, and rows that the filter of the table hides'),
      objects: 'shown' as const,
    },
    { label: vscode.l10n.t('All objects'), objects: 'all' as const },
  ];
  const placeHolder = vscode.l10n.t('Which objects?');
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.objects;
}

/** Exports; asks before files that are there are replaced. Undefined when they are not to be. */
async function exportReplacing(
  title: string,
  masks: OpenedMasks,
  choice: ExportChoice,
): Promise<ExportReport | undefined> {
  const run = (overwrite: boolean) =>
    withCancelIfSlow(title, (signal, progress) =>
      masks.export({ ...choice, overwrite }, reportTo(progress), signal),
    );
  try {
    return await run(false);
  } catch (error) {
    if (!isCoded(error, 'exists')) throw error;
    const replace = vscode.l10n.t('Replace');
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t('"{0}" exists already. Replace it?', error.details.subject ?? ''),
      {
        modal: true,
        detail: vscode.l10n.t('All files of this export that exist already in the folder are replaced.'),
      },
      replace,
    );
    return answer === replace ? await run(true) : undefined;
  }
}

function reportTo(progress: vscode.Progress<{ message?: string; increment?: number }>): ExportProgress {
  let phase = '';
  let shown = 0;
  return (now, share) => {
    const message = phaseWords(now);
    if (share === undefined) {
      if (phase !== now) progress.report({ message });
    } else {
      // A phase that begins cannot take the bar back: it goes on from where it is.
      const percent = Math.max(shown, share * 100);
      progress.report({ message, increment: percent - shown });
      shown = percent;
    }
    phase = now;
  };
}

function phaseWords(phase: Parameters<ExportProgress>[0]): string {
  switch (phase) {
    case 'downloading':
      return vscode.l10n.t('Downloading…');
    case 'reading':
      return vscode.l10n.t('Reading…');
    case 'exporting':
      return vscode.l10n.t('Writing…');
  }
}

async function sayReport({ files, objects, unreadableCount, overlapped }: ExportReport): Promise<void> {
  const number = (value: number) => value.toLocaleString(vscode.env.language);
  const [first] = files;
  const words = [
    files.length === 1 && first
      ? vscode.l10n.t('Exported {0} objects to {1}.', number(objects), path.basename(first.path))
      : vscode.l10n.t('Exported {0} objects to {1} files.', number(objects), number(files.length)),
  ];
  if (unreadableCount > 0)
    words.push(vscode.l10n.t('{0} objects could not be read and were left out.', number(unreadableCount)));
  if (overlapped > 0)
    words.push(
      vscode.l10n.t(
        '{0} pixels were lost to overlap; the CSV file beside counts them for each object.',
        number(overlapped),
      ),
    );
  const reveal = vscode.l10n.t('Reveal in Explorer');
  const actions = first ? [reveal] : [];
  const answer = await vscode.window.showInformationMessage(words.join(' '), ...actions);
  if (answer === reveal && first)
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(first.path));
}
