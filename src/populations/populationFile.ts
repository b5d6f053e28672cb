import * as v from 'valibot';
import { CodedError } from '../base/errors';
import { type Reason, reason } from '../base/reasons';
import type { TableColumn } from '../columns/tableSummary';
import { type Gate, withColumns, withSimpleGates } from './gate';
import {
  columnKey,
  MAX_POPULATIONS,
  type Population,
  type PopulationProblem,
  populationsInTable,
} from './population';
import { freeName, renamed } from './populationList';
import { population as populationSchema } from './populationSchemas';

/* Populations in a file, as readable JSON: for other tables, which may lack some columns. */

const FORMAT = 'image-analysis-populations';
const VERSION = 1;

/** Bytes. Populations are small; a larger file is something else. */
export const MAX_POPULATION_FILE = 4 * 1024 * 1024;

/** A population of a file, with the computed thresholds that it had when it was saved. */
interface FilePopulation extends Population {
  /** In the order of percentile and statistic gates; null without one, or with one per image. */
  thresholds?: (number | null)[] | undefined;
}

const file = v.object({
  format: v.literal(FORMAT),
  version: v.number(),
  populations: v.pipe(v.array(v.unknown()), v.maxLength(MAX_POPULATIONS)),
});

const thresholds = v.optional(v.array(v.nullable(v.pipe(v.number(), v.finite()))));

/**
 * The text of a file. `thresholdsOf`: thresholds by the population's name. Gates name a column if
 * its name is unique, and else give its position.
 */
export function populationFileText(
  all: readonly Population[],
  columns: readonly TableColumn[],
  thresholdsOf: ReadonlyMap<string, readonly (number | null)[]>,
): string {
  const populations = all.map((population): FilePopulation => {
    const tableThresholds = thresholdsOf.get(population.name) ?? [];
    const gate = withColumns(population.gate, column =>
      typeof column === 'number' ? columnKey(columns, column) : column,
    );
    const thresholds = tableThresholds.length > 0 && { thresholds: [...tableThresholds] };
    // Only this table has measures that use the former name.
    return { ...population, formerName: undefined, gate, ...thresholds };
  });
  const text = JSON.stringify({ format: FORMAT, version: VERSION, populations }, undefined, 2);
  // Writes each point on one line.
  const points = /\[\n\s+(-?[\d.e+-]+),\n\s+(-?[\d.e+-]+)\n\s+\]/g;
  return `${text.replace(points, '[$1, $2]')}\n`;
}

/**
 * Parses a file of populations. Throws `bad-request` with the file's name as subject for another
 * kind of file, or invalid content.
 */
export function populationsOfFile(text: string, name: string): FilePopulation[] {
  const invalidFile = (why: Reason) =>
    new CodedError('bad-request', `${name} has no populations: ${why.message}`, {
      subject: name,
      reason: why,
    });
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalidFile(reason('It is no JSON, or damaged'));
  }
  const { success, output } = v.safeParse(file, value);
  if (!success) throw invalidFile(reason('It is no file of populations'));
  if (output.version !== VERSION) throw invalidFile(reason('A newer version of the extension has saved it'));
  const all = output.populations.map((entry, at): FilePopulation => {
    const { thresholds: savedThresholds, ...others } = Object(entry) as Record<string, unknown>;
    const parsed = v.safeParse(populationSchema, others);
    const parsedThresholds = v.safeParse(thresholds, savedThresholds);
    if (parsed.success && parsedThresholds.success)
      return { ...parsed.output, ...(parsedThresholds.output && { thresholds: parsedThresholds.output }) };
    const entryName = typeof others['name'] === 'string' ? others['name'].slice(0, 100) : String(at + 1);
    throw invalidFile(reason('The population "{0}" isn\'t valid', entryName));
  });
  for (const { population, placement } of populationsInTable(all, [])) {
    const why = 'problem' in placement ? problemInFile(population.name, placement.problem) : undefined;
    if (why) throw invalidFile(why);
  }
  return all;
}

/** Why no table can have a population; undefined if that depends on the table. */
function problemInFile(name: string, problem: PopulationProblem): Reason | undefined {
  switch (problem.kind) {
    case 'name-taken':
      return reason('It has several populations "{0}"', name);
    case 'no-parent':
    case 'no-population':
      return reason('The population "{0}", which "{1}" needs, isn\'t in it', problem.name, name);
    case 'circle':
      return reason('The population "{0}" is a part of itself', name);
    default:
      return undefined;
  }
}

/** A population of a file that a table can't have. */
export interface UnusablePopulation {
  name: string;
  problem: PopulationProblem;
}

/**
 * Divides a file's populations into those that a table can have and the others. Gates with columns
 * by position are unusable, since positions differ between tables.
 */
export function usablePopulations(
  all: readonly FilePopulation[],
  columns: readonly TableColumn[],
): { usable: FilePopulation[]; unusable: UnusablePopulation[] } {
  const named = columns.filter(({ name }) => name !== '');
  const unusable: UnusablePopulation[] = [];
  const usable: FilePopulation[] = [];
  const byName = all.map(population => ({
    ...population,
    gate: withColumns(population.gate, column => (typeof column === 'number' ? `#${column + 1}` : column)),
  }));
  for (const [at, { population, placement }] of populationsInTable(byName, named).entries())
    if ('problem' in placement) unusable.push({ name: population.name, problem: placement.problem });
    else usable.push(all[at] as FilePopulation);
  return { usable, unusable };
}

/** Whether the file has thresholds that could be used instead of recomputing them. */
export function haveThresholds(all: readonly FilePopulation[]): boolean {
  return all.some(population => population.thresholds?.some(threshold => threshold !== null) === true);
}

/**
 * A table's populations with those of a file appended, which get other names if theirs are taken.
 * `isReplacing`: only those of the file. `isFrozen`: uses the thresholds saved in the file.
 */
export function withPopulationsOfFile(
  tablePopulations: readonly Population[],
  filePopulations: readonly FilePopulation[],
  { isFrozen, isReplacing }: { isFrozen: boolean; isReplacing: boolean },
): Population[] {
  let added = filePopulations.map(({ thresholds: savedThresholds = [], ...population }): Population => {
    if (!isFrozen) return population;
    let next = 0;
    const gate = withSimpleGates(population.gate, (simple): Gate => {
      if (!('side' in simple)) return simple;
      const threshold = savedThresholds[next++] ?? null;
      return threshold === null || simple.frozen !== undefined ? simple : { ...simple, frozen: threshold };
    });
    return { ...population, gate };
  });
  if (isReplacing) return added;
  for (const { name } of filePopulations) {
    const free = freeName([...tablePopulations, ...added.filter(other => other.name !== name)], name);
    if (free !== name) added = renamed(added, name, free);
  }
  return [...tablePopulations, ...added];
}
