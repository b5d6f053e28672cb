import type { TableColumn } from '../columns/tableSummary';
import { type Reason, reason } from '../base/reasons';

/*
 * Columns of images: a user's metadata for each image of a result, such as treatment, donor and
 * well. They are in no table; a value belongs to the image, not to its rows.
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
  /** Differs from the names of all other columns. */
  readonly name: string;
  /**
   * The first name of the column, which identifies it after it is renamed. Absent while it has that
   * name.
   */
  readonly id?: string | undefined;
  /** The value of each image by position, exactly as typed; '' without a value. */
  readonly values: readonly string[];
  readonly role?: ImageRole | undefined;
  /** Set if the condition is a quantity, such as a dose: plots have a numeric axis for it. */
  readonly isNumeric?: true | undefined;
  /** Values in the user's order; other values follow in natural order. */
  readonly order?: readonly string[] | undefined;
  /** The value that others are compared with. */
  readonly reference?: string | undefined;
}

/** An excluded image, with the reason. */
export interface ExcludedImage {
  /** Position of the image. */
  readonly image: number;
  /** In the user's words. */
  readonly reason: string;
}

/** The images of a result with their metadata. */
export interface ImageColumns {
  /** The path of each image as in the objects table; known images without objects are included. */
  readonly images: readonly string[];
  readonly columns: readonly ImageColumn[];
  /** In the order of images. */
  readonly excluded: readonly ExcludedImage[];
}

export const NO_IMAGE_COLUMNS: ImageColumns = { images: [], columns: [], excluded: [] };

/** Maximum number of columns; each table shows all of them. */
export const MAX_IMAGE_COLUMNS = 100;
/** Maximum length of a value, and of a reason. */
export const MAX_VALUE = 1000;

/** Maximum number of different values for a role: plots and tests make no sense with more. */
const MAX_ROLE_VALUES: Readonly<Record<ImageRole, number>> = {
  condition: 200,
  replicate: 2000,
  technicalReplicate: 2000,
  plate: 2000,
  well: 1536,
};

/** The meanings of words in column names. */
type WordMeaning = Exclude<ImageRole, 'technicalReplicate'> | 'repeat' | 'run' | 'technical';

/** Words in column names that imply a role; the first such word counts. */
const MEANING_OF_WORD: ReadonlyMap<string, WordMeaning> = new Map(
  Object.entries({
    condition: ['condition', 'conditions', 'treatment', 'treatments', 'group', 'genotype', 'dose'],
    // Independent units: animals, people, days.
    replicate: [
      ...['donor', 'donors', 'patient', 'patients', 'animal', 'animals', 'mouse', 'mice', 'rat', 'embryo'],
      ...['subject', 'individual', 'participant', 'biological', 'bio', 'biorep'],
      ...['day', 'batch', 'experiment'],
    ],
    // Replicates if no other column is of replicates; else technical replicates of the donor or day
    // in that column.
    repeat: ['replicate', 'replicates', 'rep', 'reps', 'repeat', 'repeats'],
    run: ['run', 'runs'],
    technical: ['tech', 'technical', 'techrep'],
    plate: ['plate'],
    well: ['well'],
  } satisfies Record<WordMeaning, string[]>).flatMap(([meaning, words]) =>
    words.map(word => [word, meaning as WordMeaning] as const),
  ),
);

/** The words of a name in lower case: "Donor ID", "donor_id" and "donorId" are "donor" and "id". */
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

/** The role that the name of a column implies, without other columns. */
export function roleOfName(name: string): ImageRole | undefined {
  return rolesOfNames([name])[0];
}

/**
 * The roles that the names of columns imply together, next to other columns of replicates: a rep,
 * run or repeat is a technical replicate of the donor, animal or day in another column.
 */
export function rolesOfNames(
  names: readonly string[],
  replicates: readonly string[] = [],
): (ImageRole | undefined)[] {
  const meanings = names.map(meaningOfName);
  const isRepeat = (name: string) => ['repeat', 'run', 'technical'].includes(meaningOfName(name) ?? '');
  const areRepeats = meanings.includes('replicate') || replicates.some(name => !isRepeat(name));
  return meanings.map(meaning => {
    if (meaning === 'technical') return 'technicalReplicate';
    if (meaning === 'repeat') return areRepeats ? 'technicalReplicate' : 'replicate';
    if (meaning === 'run') return areRepeats ? 'technicalReplicate' : undefined;
    return meaning;
  });
}

/** The reason why a column can't have a role; undefined if it can. */
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

/** A value as a number, also with a decimal comma; NaN if it isn't a number. */
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
 * The distinct values of a column, without '': in the user's order, then by number if the column is
 * numeric or the others are all numbers, else naturally ("d2" before "d10").
 */
export function orderedValues({ values, order = [], isNumeric }: Omit<ImageColumn, 'name'>): string[] {
  const distinct = new Set(values);
  distinct.delete('');
  const ordered = [...new Set(order)].filter(value => distinct.delete(value));
  const unordered = [...distinct];
  const { compare } = new Intl.Collator('en', { numeric: true });
  if (isNumeric || areNumbers(unordered))
    unordered.sort((a, b) => numberOfValue(a) - numberOfValue(b) || compare(a, b));
  else unordered.sort((a, b) => compare(a, b) || (a < b ? -1 : 1));
  return [...ordered, ...unordered];
}

/** Positions of the columns with a role. */
export function columnsOfRole({ columns }: Pick<ImageColumns, 'columns'>, role: ImageRole): number[] {
  return columns.flatMap((column, at) => (column.role === role ? [at] : []));
}

/** The reasons of excluded images by their positions. */
export function reasonsOfExcluded({ excluded }: Pick<ImageColumns, 'excluded'>): ReadonlyMap<number, string> {
  return new Map(excluded.map(({ image, reason: why }) => [image, why]));
}

/** Columns with the roles that their names imply, where possible, next to existing columns. */
export function withGuessedRoles(
  columns: readonly ImageColumn[],
  existing: readonly ImageColumn[] = [],
): ImageColumn[] {
  const names = columns.map(({ name }) => name);
  const impliedRoles = rolesOfNames(
    names,
    existing.flatMap(({ name, role }) => (role === 'replicate' && !names.includes(name) ? [name] : [])),
  );
  return columns.map((column, at) => {
    const role = column.role ?? impliedRoles[at];
    if (!role || whyNoRole(column, role)) return column;
    const isDose = role === 'condition' && areNumbers(column.values);
    return { ...column, role, ...(isDose && { isNumeric: true as const }) };
  });
}

/** The description of a column: all fields except its ID and values. */
export type ImageDescription = Omit<ImageColumn, 'id' | 'values'>;

/** A column's description with another role, or without one. */
export function withRole(
  { name, isNumeric, order, reference }: ImageDescription,
  role: ImageRole | undefined,
): ImageDescription {
  return {
    name,
    ...(role && { role }),
    ...(isNumeric && { isNumeric }),
    ...(order && { order }),
    ...(reference !== undefined && { reference }),
  };
}

/** The table's columns with a role: image columns, else by the names of its other columns. */
export function tableColumnsOfRole(
  columns: readonly TableColumn[],
  images: Pick<ImageColumns, 'columns'>,
  role: ImageRole,
): number[] {
  const ofImages = columns.filter(({ ofImage }) => ofImage === true);
  const withRole = ofImages.filter((_, at) => images.columns[at]?.role === role);
  if (withRole.length > 0) return withRole.map(({ index }) => index);
  // If image columns are the replicates, technical replicates are image columns too.
  if (role === 'technicalReplicate' && images.columns.some(column => column.role === 'replicate')) return [];
  const rowColumns = columns.filter(({ ofImage }) => !ofImage);
  const roles = rolesOfNames(rowColumns.map(({ name }) => name));
  return rowColumns.filter((_, at) => roles[at] === role).map(({ index }) => index);
}
