import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import { unreadableFile } from '../../base/node/fileErrors';
import { reason } from '../../base/reasons';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../../host/editor/messages';
import { saveWithDialog, tableFiles } from '../../results/editor/savePlace';
import { writeWholeFile } from '../../results/node/saveFile';
import { savedEndings } from '../../results/node/tableFormats';
import { columnsOfImage, findRowColumns } from '../../columns/rowColumns';
import { imageStudy } from '../../session/node/imageStudy';
import { openCompletely } from '../../session/node/programTable';
import { savePopulationTable } from '../node/populationPrograms';
import type { OpenedPanel } from '../../table/editor/tablePanelPart';
import { sessionPopulations } from '../node/sessionPopulations';
import { MAX_POPULATIONS, type Population } from '../population';
import {
  usablePopulations,
  haveThresholds,
  type UnusablePopulation,
  MAX_POPULATION_FILE,
  populationFileText,
  populationsOfFile,
  withPopulationsOfFile,
} from '../populationFile';
import type { PopulationPageRequests, PopulationTable } from '../populationRequests';
import { problemWords } from '../problemWords';

/** Maximum number of populations to list in a dialog. */
const MAX_LISTED = 12;

type Requests = PopulationPageRequests;

/**
 * Asks where to save a table of the row counts of populations, and writes it. Throws `bad-request`
 * if the table lacks columns to group by, or a population has a problem.
 */
export async function savePopulationTableFile(
  { session, kind, stem, signal, byteOrderMark }: OpenedPanel,
  { by: grouping, mean }: Requests['savePopulationTable']['params'],
): Promise<Requests['savePopulationTable']['result']> {
  const table = { session, kind, signal };
  const { columns } = await openCompletely(table);
  const study = session.find(imageStudy);
  const { condition, replicate } = (await study?.rolesOf(kind, signal)) ?? { condition: [], replicate: [] };
  const { image } = findRowColumns(columns);
  const by = {
    images: columnsOfImage(columns),
    replicates: replicate.length > 0 ? [...condition, ...replicate] : [],
    conditions: condition,
    prism: condition.length > 0 && replicate.length > 0 ? [...condition, ...replicate] : [],
  }[grouping];
  if (by.length === 0) throw noColumnsError(grouping);
  const file = {
    name: `${stem}-${vscode.l10n.t('populations')}.csv`,
    filters: tableFiles(...(grouping === 'prism' ? ['csv', 'tsv'] : savedEndings)),
    title: vscode.l10n.t('Save Table of Populations'),
  };
  // Images without objects have no rows, so the total area is only known for single images.
  const imageAreas = grouping === 'images' ? await study?.areasOf(kind, signal) : undefined;
  const areas = imageAreas?.column === image ? imageAreas : undefined;
  const written = await saveWithDialog(file, destination =>
    savePopulationTable(table, columns, {
      by,
      measures: mean === undefined ? [] : [mean],
      statistics: mean === undefined ? [] : ['mean'],
      ...(areas && { areas: { texts: areas.texts, areas: areas.areas } }),
      ...(grouping === 'prism' && { isSpread: true }),
      // The dialog has already asked whether to overwrite.
      ...{ destination, overwrite: true, markHeader: byteOrderMark() },
    }),
  );
  return { saved: written ? { name: path.basename(written.path), rows: written.saved.rows } : null };
}

function noColumnsError(by: PopulationTable): CodedError {
  const why =
    by === 'images'
      ? reason('No column of the table names images')
      : by === 'conditions'
        ? reason('No column has the role of conditions')
        : reason('No columns have the roles of conditions and replicates');
  return new CodedError('bad-request', why.message, { reason: why });
}

/** Asks where to save the populations of a table, and saves them for other tables. */
export async function savePopulationFile(
  { session, kind, stem, signal }: OpenedPanel,
  all: readonly Population[],
): Promise<Requests['savePopulationFile']['result']> {
  const { columns } = await session.tables.open(kind, signal);
  await session.get(sessionPopulations).sendToEngine(kind);
  const { populations } = await session.tables.request(kind, 'countPopulations', {}, signal);
  // Thresholds per image aren't saved: other tables have other images.
  const thresholds = populations.map(
    population =>
      [population.name, population.thresholds.map(([low, high]) => (low === high ? low : null))] as const,
  );
  const data = Buffer.from(populationFileText(all, columns, new Map(thresholds)));
  const name = `${stem}-${vscode.l10n.t('populations')}.json`;
  if (data.length > MAX_POPULATION_FILE) throw tooLarge(name);
  const file = { name, filters: filters(), title: vscode.l10n.t('Save Populations') };
  const written = await saveWithDialog(file, destination => writeWholeFile(destination, [data]));
  return { saved: written ? { name: path.basename(written.path), populations: all.length } : null };
}

/**
 * Lets a user select a file of populations, and how to apply it. Resolves with the table's new
 * list, or null on cancel. Throws `bad-request` for another kind of file.
 */
export async function applyPopulationFile(
  { session, kind, signal }: OpenedPanel,
  tablePopulations: readonly Population[],
): Promise<Requests['applyPopulationFile']['result']> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Apply Populations'),
      openLabel: vscode.l10n.t({ message: 'Apply', comment: 'Verb: apply populations' }),
      filters: filters(),
    })) ?? [];
  if (!uri) return { populations: null };
  const name = path.posix.basename(uri.path);
  const filePopulations = populationsOfFile(await textOf(uri, name), name);
  const { columns } = await session.tables.open(kind, signal);
  const { usable, unusable } = usablePopulations(filePopulations, columns);
  if (usable.length === 0) {
    await refuse(name, unusable);
    return { populations: null };
  }
  if (unusable.length > 0 && !(await askToSkip(name, unusable, filePopulations.length)))
    return { populations: null };
  const isFrozen = haveThresholds(usable) ? await askForThresholds(name) : false;
  const isReplacing = tablePopulations.length > 0 ? await askToReplace(name, tablePopulations.length) : false;
  if (isFrozen === undefined || isReplacing === undefined) return { populations: null };
  if (!isReplacing && tablePopulations.length + usable.length > MAX_POPULATIONS) throw tooMany(name);
  return { populations: withPopulationsOfFile(tablePopulations, usable, { isFrozen, isReplacing }) };
}

function tooMany(name: string): CodedError {
  return new CodedError('bad-request', 'Too many populations', {
    subject: name,
    reason: reason('A table can have {0} populations at most', MAX_POPULATIONS),
  });
}

function filters(): Record<string, string[]> {
  return { [vscode.l10n.t('Populations')]: ['json'] };
}

async function textOf(uri: vscode.Uri, name: string): Promise<string> {
  if (uri.scheme !== 'file')
    throw new CodedError('not-a-file', 'Not on a disk', {
      subject: name,
      reason: reason('Only files on a disk can be opened'),
    });
  try {
    if ((await stat(uri.fsPath)).size > MAX_POPULATION_FILE) throw tooLarge(name);
    return await readFile(uri.fsPath, 'utf8');
  } catch (error) {
    throw unreadableFile(error, name);
  }
}

function tooLarge(name: string): CodedError {
  const why = reason('It is larger than {0} MB', MAX_POPULATION_FILE / 1024 / 1024);
  return new CodedError('bad-request', why.message, { subject: name, reason: why });
}

function problemLines(unusable: readonly UnusablePopulation[]): string {
  const lines = unusable
    .slice(0, MAX_LISTED)
    .map(({ name, problem }) => `${name}: ${problemWords(vscode.l10n.t, problem)}`);
  const more = unusable.length - lines.length;
  return [...lines, ...(more > 0 ? [vscode.l10n.t('And {0} more.', more)] : [])].join('\n');
}

async function refuse(name: string, unusable: readonly UnusablePopulation[]): Promise<void> {
  const words =
    unusable.length === 0
      ? vscode.l10n.t('"{0}" has no populations.', name)
      : vscode.l10n.t('This table can have none of the populations in "{0}".', name);
  await showErrorMessage(words, { modal: true, detail: problemLines(unusable) });
}

async function askToSkip(
  name: string,
  unusable: readonly UnusablePopulation[],
  total: number,
): Promise<boolean> {
  const skip = vscode.l10n.t('Skip Them');
  const question = vscode.l10n.t(
    'This table can\'t have {0} of the {1} populations in "{2}". Skip them?',
    unusable.length,
    total,
    name,
  );
  return (await showWarningMessage(question, { modal: true, detail: problemLines(unusable) }, skip)) === skip;
}

/** Asks whether to use the thresholds of the file; undefined on cancel. */
async function askForThresholds(name: string): Promise<boolean | undefined> {
  const [recompute, useSaved] = [vscode.l10n.t('Recompute'), vscode.l10n.t('Use Saved Thresholds')];
  const question = vscode.l10n.t('"{0}" has thresholds by percentiles or statistics.', name);
  const detail = vscode.l10n.t(
    'Recompute them from the objects of this table, or use the saved numbers? Thresholds of each image are always recomputed.',
  );
  const button = await showInformationMessage(question, { modal: true, detail }, recompute, useSaved);
  return button === undefined ? undefined : button === useSaved;
}

/** Asks whether to replace the table's populations; undefined on cancel. */
async function askToReplace(name: string, count: number): Promise<boolean | undefined> {
  const [add, replace] = [
    vscode.l10n.t({ message: 'Add', comment: 'Verb: add populations' }),
    vscode.l10n.t('Replace'),
  ];
  const question = vscode.l10n.t('Add the populations in "{0}", or replace those of the table?', name);
  const detail = vscode.l10n.t('The table has {0} populations. Undo brings them back.', count);
  const button = await showInformationMessage(question, { modal: true, detail }, add, replace);
  return button === undefined ? undefined : button === replace;
}
