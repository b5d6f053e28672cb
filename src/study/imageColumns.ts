import type { TableColumn } from '../columns/tableSummary';
import { type Reason, reason } from '../base/reasons';

/*
 * Columns of images: a user's metadata for each image of a result, in no table, such as treatment,
 * donor and well. A value belongs to an image, however many rows the tables have of it.
 */

/** The role of a column in a study. Columns without a role only describe images. */
export type ImageRole = 'condition' | 'replicate' | 'technicalReplicate' | 'plate' | 'well';

export const imageRoles: readonly ImageRole[] = [
  'condition',
  'replicate',
  'technicalReplicate',
  'plate',
  'well',
];

export interface ImageColumn {
  /** Differs from that of each other column. */
  readonly name: string;
  /** The value of each image by its position, exactly as typed; '' without one. */
  readonly values: readonly string[];
  readonly role?: ImageRole | undefined;
  /** Set where a condition is a quantity, such as a dose: plots have an axis of numbers for it. */
  readonly isNumeric?: true | undefined;
  /** Values in the user's order; other values follow in their own order. */
  readonly order?: readonly string[] | undefined;
  /** The value that others are compared with. */
  readonly reference?: string | undefined;
}

/** An image that statistics leave out, and why. */
export interface ExcludedImage {
  /** Position of the image. */
  readonly image: number;
  /** In the user's words. */
  readonly reason: string;
}

/** The images of a result with their metadata. */
export interface ImageColumns {
  /** The path of each image in the table of objects; known images without objects included. */
  readonly images: readonly string[];
  readonly columns: readonly ImageColumn[];
  /** In the order of images. */
  readonly excluded: readonly ExcludedImage[];
}

export const NO_IMAGE_COLUMNS: ImageColumns = { images: [], columns: [], excluded: [] };

/** Columns at most; each is one of every table. */
export const MAX_IMAGE_COLUMNS = 100;
/** Characters of a value, and of a reason. */
export const MAX_VALUE = 1000;

/** Different values that a column of a role may have: beyond it no plot and no test makes sense. */
const MAX_ROLE_VALUES: Readonly<Record<ImageRole, number>> = {
  condition: 200,
  replicate: 2000,
  technicalReplicate: 2000,
  plate: 2000,
  well: 1536,
};

/** The roles of words in column names. */
type WordMeaning = Exclude<ImageRole, 'technicalReplicate'> | 'repeat' | 'run' | 'technical';

/** Words in the name of a column that tell its role; the first word that has one counts. */
const MEANING_OF_WORD: ReadonlyMap<string, WordMeaning> = new Map(
  Object.entries({
    condition: ['condition', 'conditions', 'treatment', 'treatments', 'group', 'genotype', 'dose'],
    // Independent units: animals, people, days.
    replicate: [
      ...['donor', 'donors', 'patient', 'patients', 'animal', 'animals', 'mouse', 'mice', 'rat', 'embryo'],
      ...['subject', 'individual', 'participant', 'biological', 'bio', 'biorep'],
      ...['day', 'batch', 'experiment'],
    ],
    // These are replicates where they are alone, and a level below a donor or day that is beside
    // them.
    repeat: ['replicate', 'replicates', 'rep', 'reps', 'repeat', 'repeats'],
    run: ['run', 'runs'],
    technical: ['tech', 'technical', 'techrep'],
    plate: ['plate'],
    well: ['well'],
  } satisfies Record<WordMeaning, string[]>).flatMap(([meaning, words]) =>
    words.map(word => [word, meaning as WordMeaning] as const),
  ),
);

/** The words of a name in lower case: "Donor ID", "donor_id" and "donorId" are donor and id. */
export function wordsOfName(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(word => word !== '');
}

function meaningOfName(name: string): WordMeaning | undefined {
  for (const word of wordsOfName(name)) {
    const meaning = MEANING_OF_WORD.get(word);
    if (meaning) return meaning;
  }
  return undefined;
}

/** The role of a column by its name, if there are no other columns. */
export function roleOfName(name: string): ImageRole | undefined {
  return rolesOfNames([name])[0];
}

/**
 * The roles that names of columns tell beside each other, and beside others that are replicates: a
 * rep, a run or a repeat is a technical replicate of the donor, animal or day that another column
 * names.
 */
export function rolesOfNames(
  names: readonly string[],
  replicates: readonly string[] = [],
): (ImageRole | undefined)[] {
  const meanings = names.map(meaningOfName);
  const isBelow = (name: string) => ['repeat', 'run', 'technical'].includes(meaningOfName(name) ?? '');
  const areRepeats = meanings.includes('replicate') || replicates.some(name => !isBelow(name));
  return meanings.map(meaning => {
    if (meaning === 'technical') return 'technicalReplicate';
    if (meaning === 'repeat') return areRepeats ? 'technicalReplicate' : 'replicate';
    if (meaning === 'run') return areRepeats ? 'technicalReplicate' : undefined;
    return meaning;
  });
}

/** Why a column can't have a role; undefined where it can. */
export function whyNoRole(
  { name, values }: Pick<ImageColumn, 'name' | 'values'>,
  role: ImageRole,
): Reason | undefined {
  const max = MAX_ROLE_VALUES[role];
  const distinct = new Set<string>();
  for (const value of values) if (value !== '') distinct.add(value);
  return distinct.size > max
    ? reason('"{0}" has {1} different values, and this role allows at most {2}', name, distinct.size, max)
    : undefined;
}

/** A value as a number, also with a decimal comma; NaN where it is none. */
export function numberOfValue(value: string): number {
  const text = value.trim();
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text.replace(',', '.')) : NaN;
}

/** Whether a column has values, and each is a number. */
export function areNumbers(values: readonly string[]): boolean {
  return (
    values.some(value => value !== '') &&
    values.every(value => value === '' || !Number.isNaN(numberOfValue(value)))
  );
}

/**
 * Distinct values of a column in order: the user's, else by number if the column is numeric or all
 * are numbers, else naturally ("d2" before "d10"). Without ''.
 */
export function orderedValues({ values, order = [], isNumeric }: Omit<ImageColumn, 'name'>): string[] {
  const distinct = new Set(values);
  distinct.delete('');
  const known = [...new Set(order)].filter(value => distinct.delete(value));
  const others = [...distinct];
  const { compare } = new Intl.Collator('en', { numeric: true });
  if (isNumeric || areNumbers(others))
    others.sort((a, b) => numberOfValue(a) - numberOfValue(b) || compare(a, b));
  else others.sort((a, b) => compare(a, b) || (a < b ? -1 : 1));
  return [...known, ...others];
}

/** The columns of a role, by their positions. */
export function columnsOfRole({ columns }: Pick<ImageColumns, 'columns'>, role: ImageRole): number[] {
  return columns.flatMap((column, at) => (column.role === role ? [at] : []));
}

/** The reasons of excluded images by their positions. */
export function reasonsOfExcluded({ excluded }: Pick<ImageColumns, 'excluded'>): ReadonlyMap<number, string> {
  return new Map(excluded.map(({ image, reason: why }) => [image, why]));
}

/** Columns with the roles of their names, if possible, beside existing columns. */
export function withGuessedRoles(
  columns: readonly ImageColumn[],
  beside: readonly ImageColumn[] = [],
): ImageColumn[] {
  const names = columns.map(({ name }) => name);
  const guessed = rolesOfNames(
    names,
    beside.flatMap(({ name, role }) => (role === 'replicate' && !names.includes(name) ? [name] : [])),
  );
  return columns.map((column, at) => {
    const role = column.role ?? guessed[at];
    if (!role || whyNoRole(column, role)) return column;
    const isDose = role === 'condition' && areNumbers(column.values);
    return { ...column, role, ...(isDose && { isNumeric: true as const }) };
  });
}

/** The description of a column, with another role, or with none. */
export function withRole(
  { name, isNumeric, order, reference }: Omit<ImageColumn, 'values'>,
  role: ImageRole | undefined,
): Omit<ImageColumn, 'values'> {
  return {
    name,
    ...(role && { role }),
    ...(isNumeric && { isNumeric }),
    ...(order && { order }),
    ...(reference !== undefined && { reference }),
  };
}

/** The columns of a table that have a role: those of images, else by the names of its own. */
export function tableColumnsOfRole(
  columns: readonly TableColumn[],
  images: Pick<ImageColumns, 'columns'>,
  role: ImageRole,
): number[] {
  const ofImages = columns.filter(({ ofImage }) => ofImage === true);
  const withRole = ofImages.filter((_, at) => images.columns[at]?.role === role);
  if (withRole.length > 0) return withRole.map(({ index }) => index);
  // What is below replicates is told beside them.
  if (role === 'technicalReplicate' && images.columns.some(column => column.role === 'replicate')) return [];
  const own = columns.filter(({ ofImage }) => !ofImage);
  const roles = rolesOfNames(own.map(({ name }) => name));
  return own.filter((_, at) => roles[at] === role).map(({ index }) => index);
}
