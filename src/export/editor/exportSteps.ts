import * as path from 'node:path';
import { runInSlices } from '../../base/node/slices';
import * as vscode from 'vscode';
import { distinctNamesInSteps, type ObjectsOfImage, pathOfImage } from '../../archives/masksSummary';
import type { ExportReport } from '../exportRequest';
import { countObjects } from '../../words/format';
import {
  exportFormatNames,
  exportFormats,
  type ExportFormat,
  type ExportFormatTraits,
} from '../engine/exportFormats';
import type { ExportChoice, ExportProgress, MasksExporter, OpenedMasks } from '../node/masksExporter';
import { plainFileName } from '../../results/node/fileStems';
import { saveFile } from '../../results/node/saveFile';
import type { ResultSource } from '../../session/node/resultSource';
import { percentIncrements, type WorkProgress } from '../../host/workProgress';
import { selectExportFolder } from '../../host/editor/exportFolder';
import { withCancelIfSlow } from '../../host/editor/progress';
import { phaseWords } from '../../words/resultWords';
import { askAboutOpenFile, confirmReplacing } from '../../results/editor/savePlace';
import { showInformationMessage } from '../../host/editor/messages';
import { completeStep } from '../../host/editor/walkthroughSteps';
import { showQuickPick } from '../../host/editor/boxes';

/**
 * Lets a user select the content and folder of an export, exports it, and reports the outcome. With
 * `selected`, exports only these objects. Does nothing on Esc.
 */
export async function exportAsPerson(
  exporter: MasksExporter,
  source: ResultSource,
  selected?: readonly ObjectsOfImage[],
): Promise<void> {
  const title = selected
    ? vscode.l10n.t('Export Selected Objects of {0}', source.title)
    : vscode.l10n.t('Export Masks of {0}', source.title);
  const format = await selectFormat(title);
  if (!format) return;
  const masks = await withCancelIfSlow(
    vscode.l10n.t('Reading the masks of {0}', source.title),
    (signal, progress) => exporter.open(source, reportTo(progress), signal),
  );
  try {
    const choice = selected
      ? await choiceOfSelected(title, format, masks, selected)
      : await selectChoice(title, format, masks);
    if (!choice) return;
    const report = await exportToPlace(title, masks, choice);
    if (!report) return;
    completeStep('imageAnalysis.masksExported');
    void showReport(report, choice.objects === 'shown').then(undefined, () => undefined);
  } finally {
    masks.dispose();
  }
}

async function selectFormat(title: string): Promise<ExportFormat | undefined> {
  const items = exportFormatNames.map(format => ({
    format,
    ...formatItem(exportFormats[format]),
  }));
  const placeHolder = vscode.l10n.t('Select a format');
  return (await showQuickPick(items, { title, placeHolder, matchOnDetail: true }))?.format;
}

function formatItem(format: ExportFormatTraits): vscode.QuickPickItem {
  const label = format.masksAs === 'labels' ? vscode.l10n.t('Label images ({0})', format.name) : format.name;
  const parts = [
    filesWords(format),
    masksWords(format),
    format.overlap === 'smallest-on-top'
      ? vscode.l10n.t('where objects overlap, the smallest is on top')
      : '',
  ];
  return { label, detail: parts.filter(part => part !== '').join('; ') };
}

function filesWords({ filePer }: ExportFormatTraits): string {
  return filePer === 'export' ? vscode.l10n.t('One file') : vscode.l10n.t('One file per image');
}

function masksWords({ masksAs, labelBits }: ExportFormatTraits): string {
  switch (masksAs) {
    case 'run-lengths':
      return vscode.l10n.t('masks as run-length encodings of the whole image');
    case 'outlines':
      return vscode.l10n.t('outlines with holes, classes, colors and measurements');
    case 'rois':
      return vscode.l10n.t('for the ROI Manager of ImageJ and Fiji');
    case 'labels':
      return labelBits === '16' ? vscode.l10n.t('16-bit') : vscode.l10n.t('16-bit or 32-bit');
  }
}

async function selectChoice(
  title: string,
  format: ExportFormat,
  masks: OpenedMasks,
): Promise<ExportChoice | undefined> {
  const { summary } = masks;
  const readable = summary.images.filter(({ failure }) => !failure);
  const names = await runInSlices(distinctNamesInSteps(summary.images.map(pathOfImage)));
  const images = await selectSome(
    title,
    vscode.l10n.t('Select images'),
    readable,
    ({ index, objectCount }) => ({
      label: names[index] ?? '',
      description: countObjects(vscode.l10n.t, vscode.env.language, objectCount),
    }),
  );
  if (!images) return undefined;
  const classes = await selectSome(
    title,
    vscode.l10n.t('Select classes'),
    summary.classes,
    ({ name, count }) => ({
      label: name === '' ? vscode.l10n.t('No class') : name,
      description: countObjects(vscode.l10n.t, vscode.env.language, count),
    }),
  );
  if (!classes) return undefined;
  const perClass = exportFormats[format].perClass && classes.length > 1 ? await selectPerClass(title) : false;
  if (perClass === undefined) return undefined;
  const selection = {
    // If all readable images are selected, `images` is missing: the report then also names images
    // that can't be read.
    ...(images.length < readable.length && { images: images.map(({ index }) => index) }),
    ...(classes.length < summary.classes.length && { classes: classes.map(({ name }) => name) }),
  };
  const objects = masks.hidesSome ? await selectObjects(title, masks, selection) : 'all';
  if (!objects) return undefined;
  const populations = await selectPopulations(title, format, masks);
  if (populations === undefined) return undefined;
  const destination = await selectExportFolder();
  if (destination === undefined) return undefined;
  return {
    format,
    destination,
    ...selection,
    perClass,
    populations,
    objects,
  };
}

/** Lets a user select the other options of an export of selected objects. */
async function choiceOfSelected(
  title: string,
  format: ExportFormat,
  masks: OpenedMasks,
  selected: readonly ObjectsOfImage[],
): Promise<ExportChoice | undefined> {
  const perClass = exportFormats[format].perClass ? await selectPerClass(title) : false;
  if (perClass === undefined) return undefined;
  const populations = await selectPopulations(title, format, masks);
  if (populations === undefined) return undefined;
  const destination = await selectExportFolder();
  if (destination === undefined) return undefined;
  return { format, destination, perClass, populations, objects: 'all', selected };
}

/**
 * Lets a user select entries; at first all are selected. A single entry needs no selection.
 * Undefined on Esc.
 */
async function selectSome<T>(
  title: string,
  placeHolder: string,
  entries: readonly T[],
  describe: (entry: T) => vscode.QuickPickItem,
): Promise<T[] | undefined> {
  if (entries.length < 2) return [...entries];
  const items = entries.map(entry => ({ ...describe(entry), entry, picked: true }));
  const selected = await showQuickPick(items, { title, placeHolder, canPickMany: true });
  // An empty selection is the same as Esc.
  return selected && selected.length > 0 ? selected.map(({ entry }) => entry) : undefined;
}

async function selectPerClass(title: string): Promise<boolean | undefined> {
  const items = [
    { label: vscode.l10n.t('One label image with all classes'), perClass: false },
    { label: vscode.l10n.t('One label image for each class'), perClass: true },
  ];
  const placeHolder = vscode.l10n.t('How should classes be written?');
  return (await showQuickPick(items, { title, placeHolder }))?.perClass;
}

/**
 * Asks whether to write populations, if any exist and the format supports them. Undefined on Esc.
 */
async function selectPopulations(
  title: string,
  format: ExportFormat,
  masks: OpenedMasks,
): Promise<boolean | undefined> {
  const { populations: writtenAs }: ExportFormatTraits = exportFormats[format];
  if (!writtenAs || !(await masks.havePopulations())) return false;
  const items =
    writtenAs === 'class'
      ? [
          {
            label: vscode.l10n.t({ message: 'Class', comment: 'Of an object' }),
            detail: vscode.l10n.t('Each object has the class of the analysis'),
            populations: false,
          },
          {
            label: vscode.l10n.t({ message: 'Population', comment: 'Named set of objects' }),
            detail: vscode.l10n.t(
              'Each object has its deepest population as derived class, such as "Cells: Ki67+"; objects in none have no class',
            ),
            populations: true,
          },
        ]
      : [
          { label: vscode.l10n.t('Without populations'), populations: false },
          {
            label: vscode.l10n.t('With populations'),
            detail: vscode.l10n.t('Each object lists its populations'),
            populations: true,
          },
        ];
  const placeHolder =
    writtenAs === 'class'
      ? vscode.l10n.t('What should be the class of objects?')
      : vscode.l10n.t('Should populations be written?');
  return (await showQuickPick(items, { title, placeHolder }))?.populations;
}

async function selectObjects(
  title: string,
  masks: OpenedMasks,
  selection: Pick<ExportChoice, 'images' | 'classes'>,
): Promise<'all' | 'shown' | undefined> {
  const { all, visible } = await withCancelIfSlow(vscode.l10n.t('Counting visible objects'), signal =>
    masks.countObjects(selection, signal),
  );
  const number = (count: number) => count.toLocaleString(vscode.env.language);
  const items = [
    {
      label: vscode.l10n.t('Visible objects only ({0})', number(visible)),
      detail: vscode.l10n.t('Excludes hidden classes and rows hidden by the table filter'),
      objects: 'shown' as const,
    },
    { label: vscode.l10n.t('All objects ({0})', number(all)), objects: 'all' as const },
  ];
  const placeHolder = vscode.l10n.t('Select objects to export');
  return (await showQuickPick(items, { title, placeHolder }))?.objects;
}

/**
 * Exports, or retries with another folder if a file is open in another program. Undefined if the
 * user declines.
 */
async function exportToPlace(
  title: string,
  masks: OpenedMasks,
  choice: ExportChoice,
): Promise<ExportReport | undefined> {
  /** Folders whose files may be replaced. */
  const confirmed = new Set<string>();
  const written = await saveFile(
    choice.destination,
    destination => exportReplacing(title, masks, { ...choice, destination }, confirmed),
    {
      choose: selectExportFolder,
      aboutOpen: error => askAboutOpenFile(error, vscode.l10n.t('Choose Another Folder')),
    },
  );
  return written?.saved;
}

/** Exports, and confirms before existing files are replaced. Undefined if the user declines. */
function exportReplacing(
  title: string,
  masks: OpenedMasks,
  choice: ExportChoice,
  confirmed: Set<string>,
): Promise<ExportReport | undefined> {
  return confirmReplacing(mayReplace => {
    if (mayReplace) confirmed.add(choice.destination);
    const overwrite = confirmed.has(choice.destination);
    return withCancelIfSlow(title, (signal, progress) =>
      masks.export({ ...choice, overwrite, name: plainFileName(masks.name) }, reportTo(progress), signal),
    );
  }, vscode.l10n.t('All existing files of this export in the folder will be replaced.'));
}

function reportTo(progress: WorkProgress): ExportProgress {
  let phase = '';
  // A new phase continues the progress bar from its current position.
  const increment = percentIncrements();
  return (newPhase, share) => {
    const message = phaseWords(vscode.l10n.t, newPhase);
    if (share !== undefined) progress.report({ message, increment: increment(share * 100) });
    else if (phase !== newPhase) progress.report({ message });
    phase = newPhase;
  };
}

async function showReport(
  { files, objects, unreadableCount, overlapped }: ExportReport,
  isVisibleOnly: boolean,
): Promise<void> {
  const number = (value: number) => value.toLocaleString(vscode.env.language);
  const counted = (count: number) => countObjects(vscode.l10n.t, vscode.env.language, count);
  const [first] = files;
  const words = [
    files.length === 1 && first
      ? vscode.l10n.t('Exported {0} to {1}.', counted(objects), path.basename(first.path))
      : vscode.l10n.t('Exported {0} to {1} files.', counted(objects), number(files.length)),
  ];
  if (isVisibleOnly)
    words.push(vscode.l10n.t('Hidden classes and rows hidden by the table filter were left out.'));
  if (unreadableCount > 0)
    words.push(vscode.l10n.t('Unreadable and left out: {0}.', counted(unreadableCount)));
  if (overlapped > 0)
    words.push(
      vscode.l10n.t(
        'Pixels lost to overlap: {0}. The CSV file next to the image counts them for each object.',
        number(overlapped),
      ),
    );
  const reveal = vscode.l10n.t('Reveal in Explorer');
  const actions = first ? [reveal] : [];
  const button = await showInformationMessage(words.join(' '), ...actions);
  if (button === reveal && first)
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(first.path));
}
