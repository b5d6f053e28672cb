import { stemOf } from '../archives/imageNames';
import { pathParts } from '../base/pathParts';
import { type Reason, reason } from '../base/reasons';
import { imageColumnName, MAX_COLUMN_NAME } from '../columns/imageColumnName';
import { type ImageColumn, withGuessedRoles, orderedValues, whyNoRole } from './imageColumns';

/*
 * Columns of images from their paths. A pattern is compared with the end of a path, folder by
 * folder: {name} stands for at least one character within a folder's or a file's name, * for any
 * number of them, all else for itself. Where several readings are possible, each part takes as
 * little as it can, from the left. Without a dot in its last part, a pattern is compared with the
 * file's name without its extension.
 */

type PatternPart = { literal: string } | { field: number } | 'any';

/** A pattern that can be compared with paths. */
interface ImagePattern {
  /** The names of its fields, each once. */
  readonly fields: readonly string[];
  /** By folder, the file's name last. */
  readonly segments: readonly (readonly PatternPart[])[];
  readonly hasExtension: boolean;
}

/** More than a path has that anyone reads. */
const MAX_FIELDS = 32;

/** A typed pattern; the reason if it isn't valid. */
export function parsePattern(text: string): ImagePattern | Reason {
  const fields: string[] = [];
  const segments: PatternPart[][] = [];
  // A placeholder may hold a slash only by mistake, so that folders are parted first.
  for (const segment of pathParts(text)) {
    const parts: PatternPart[] = [];
    for (const [token, name] of segment.matchAll(/\{([^{}]*)\}|\*|[{}]|[^{}*]+/g)) {
      if (token === '{' || token === '}')
        return reason('A brace is unmatched. Write a field as {0}', '{name}');
      if (name === undefined && token !== '*') {
        parts.push({ literal: token });
        continue;
      }
      if (parts.length > 0 && !isLiteral(parts.at(-1)))
        return reason('Separate "{0}" from the field before it', token);
      if (name === undefined) {
        parts.push('any');
        continue;
      }
      const field = name.trim();
      if (field === '') return reason('A field has no name');
      if (field.length > MAX_COLUMN_NAME)
        return reason('The name of a column has {0} characters', field.length);
      if (fields.some(each => each.toLowerCase() === field.toLowerCase()))
        return reason('The field "{0}" occurs twice', field);
      if (fields.length === MAX_FIELDS) return reason('Images can have at most {0} columns', MAX_FIELDS);
      parts.push({ field: fields.push(field) - 1 });
    }
    segments.push(parts);
  }
  if (fields.length === 0) return reason('The pattern has no field in braces');
  const hasExtension = segments.at(-1)?.some(part => isLiteral(part) && part.literal.includes('.')) === true;
  return { fields, segments, hasExtension };
}

/** Whether parsePattern found a pattern. */
export function isPattern(parsed: ImagePattern | Reason): parsed is ImagePattern {
  return 'fields' in parsed;
}

/**
 * A pattern with other names for its fields, by their names in lower case. A field that is called
 * as another now is becomes *, and so does one whose new name can't stand in a pattern.
 */
export function withFieldNames(text: string, names: ReadonlyMap<string, string>): string {
  const used = new Set(Array.from(names.values(), name => name.toLowerCase()));
  return text.replace(/\{([^{}]*)\}/g, (whole, field: string) => {
    const old = field.trim().toLowerCase();
    const name = names.get(old);
    if (name === undefined) return used.has(old) ? '*' : whole;
    return /[{}\\/]/.test(name) ? '*' : `{${name}}`;
  });
}

/** The values of a pattern's fields in a path; undefined where it doesn't match. */
export function fieldsOf(
  { fields, segments, hasExtension }: ImagePattern,
  path: string,
): string[] | undefined {
  const parts = pathParts(path);
  if (parts.length < segments.length) return undefined;
  const values = fields.map(() => '');
  const first = parts.length - segments.length;
  for (const [at, segment] of segments.entries()) {
    const part = parts[first + at] ?? '';
    const isFile = at === segments.length - 1;
    if (!readSegment(segment, isFile && !hasExtension ? stemOf(part) : part, values)) return undefined;
  }
  return values;
}

/** The values of a pattern for images. */
interface PatternMatches {
  columns: ImageColumn[];
  /** Positions of images that it doesn't match. */
  unmatched: number[];
}

/** A pattern's columns from the paths of images, with the roles of their names, beside others. */
export function matchPattern(
  pattern: ImagePattern,
  images: readonly string[],
  beside: readonly ImageColumn[] = [],
): PatternMatches {
  const columns = pattern.fields.map(name => ({ name, values: new Array<string>(images.length).fill('') }));
  const unmatched: number[] = [];
  images.forEach((path, image) => {
    const found = fieldsOf(pattern, path);
    if (!found) unmatched.push(image);
    else for (const [field, { values }] of columns.entries()) values[image] = (found[field] ?? '').trim();
  });
  return { columns: withGuessedRoles(columns, beside), unmatched };
}

/** The columns that a pattern has made, and the pattern, under names that aren't taken. */
export function withFreeNames(
  pattern: string,
  columns: readonly ImageColumn[],
  taken: readonly string[],
): { columns: ImageColumn[]; pattern: string } {
  const names = new Map(columns.map(({ name }) => [name.toLowerCase(), imageColumnName(name, taken)]));
  return {
    columns: columns.map(column => ({
      ...column,
      name: names.get(column.name.toLowerCase()) ?? column.name,
    })),
    pattern: withFieldNames(pattern, names),
  };
}

/**
 * Matches the name of a folder or file; from the left, each field as short as possible, with a
 * fixed end.
 */
function readSegment(parts: readonly PatternPart[], text: string, values: string[]): boolean {
  let at = 0;
  /** The text before the next literal. */
  let open: Exclude<PatternPart, { literal: string }> | undefined;
  const close = (end: number) => {
    if (open !== undefined && open !== 'any') values[open.field] = text.slice(at, end);
  };
  for (const [index, part] of parts.entries()) {
    if (!isLiteral(part)) {
      open = part;
      continue;
    }
    const { literal } = part;
    const least = at + (open === undefined || open === 'any' ? 0 : 1);
    let found: number;
    if (open === undefined) found = text.startsWith(literal, at) ? at : -1;
    else if (index < parts.length - 1) found = text.indexOf(literal, least);
    else found = text.endsWith(literal) ? text.length - literal.length : -1;
    if (found < least) return false;
    close(found);
    open = undefined;
    at = found + literal.length;
  }
  if (open === undefined) return at === text.length;
  if (open !== 'any' && at === text.length) return false;
  close(text.length);
  return true;
}

function isLiteral(part: PatternPart | undefined): part is { literal: string } {
  return typeof part === 'object' && 'literal' in part;
}

// The proposal: differing folders and parts of names, as a pattern.

/** Prefixes of parts of names, and their columns. */
const NAMES: readonly [RegExp, string][] = [
  [/^(d|donor)$/, 'Donor'],
  [/^(s|site|xy|pos|position)$/, 'Site'],
  [/^(f|fov|field)$/, 'Field'],
  [/^(r|rep|replicate)$/, 'Replicate'],
  [/^(p|plate)$/, 'Plate'],
  [/^(w|well)$/, 'Well'],
  [/^(t|time|tp|timepoint)$/, 'Time'],
  [/^(b|batch)$/, 'Batch'],
  [/^(m|mouse)$/, 'Mouse'],
  [/^(c|ch|channel)$/, 'Channel'],
  [/^(z)$/, 'Z'],
];

/** Rows and columns of plates up to 1536 wells. */
const WELL = /^([A-Z]|A[A-F])(\d{1,2})$/;

/** In names, "s1" and "d2" are something else. */
const WELL_IN_NAME = /^[A-P]\d{1,2}$/;

/** A well as "A1", of "A01", "a1" and " A1 "; undefined for all else. */
export function wellOf(text: string): string | undefined {
  const [, row, column] = WELL.exec(text.trim().toUpperCase()) ?? [];
  const number = Number(column);
  return row !== undefined && number >= 1 && number <= 48 ? `${row}${number}` : undefined;
}

/** Row and column, maybe with field and plane, as plate readers write them: "r02c03f01p01". */
const ROW_AND_COLUMN = /^r(\d\d)c(\d\d)(?:[a-z]\d+)*$/i;

/** The well in the parts of an image's name; undefined for none or several. */
export function wellOfPath(path: string): string | undefined {
  const name = stemOf(pathParts(path).at(-1) ?? '');
  const found = new Set(
    name.split(SEPARATORS).flatMap(token => {
      const [, row, column] = ROW_AND_COLUMN.exec(token) ?? [];
      if (row !== undefined) return wellOf(`${rowLetters(Number(row))}${column}`) ?? [];
      return WELL_IN_NAME.test(token) ? (wellOf(token) ?? []) : [];
    }),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** The letters of a plate's row, from 1: A to Z, then AA. */
function rowLetters(row: number): string {
  const letter = (place: number) => String.fromCharCode(64 + place);
  return row > 26 ? `A${letter(row - 26)}` : letter(row);
}

const SEPARATORS = /[_\-\s.,;+()[\]]+/;
/** Separators are kept, so that the pattern has them. */
const TOKENS = /[_\-\s.,;+()[\]]+|[^_\-\s.,;+()[\]]+/g;

/** Values with which others are compared. */
const CONTROL = /^(control|ctrl|ctl|con|dmso|vehicle|untreated|mock|wt|wild[ _-]?type|baseline)s?$/i;

/** Columns proposed for images, made by a pattern. */
export interface ProposedColumns extends PatternMatches {
  pattern: string;
}

/**
 * The columns in the folders and names of images, most of which have the same form: differing parts
 * become columns. Undefined if nothing differs, or for fewer than two images. `taken`: names of
 * other columns.
 */
export function proposeColumns(
  images: readonly string[],
  taken: Iterable<string> = [],
): ProposedColumns | undefined {
  const paths = images.map(pathParts);
  const forms = new Map<string, string[][]>();
  for (const parts of paths) {
    const tokens = stemOf(parts.at(-1) ?? '').match(TOKENS) ?? [];
    const form = tokens.map(token => (SEPARATORS.test(token) ? token : 'x')).join('');
    const key = `${parts.length} ${form}`;
    const known = forms.get(key);
    if (known) known.push(parts);
    else forms.set(key, [parts]);
  }
  const usual = [...forms.values()].reduce<string[][]>((a, b) => (b.length > a.length ? b : a), []);
  if (usual.length < 2) return undefined;
  const names = new Set(Array.from(taken, name => name.toLowerCase()));
  const usedName = (wanted: string): string => {
    let name = wanted;
    for (let number = 2; names.has(name.toLowerCase()); number++) name = `${wanted} ${number}`;
    names.add(name.toLowerCase());
    return name;
  };
  const pattern = [...folderParts(usual, usedName), filePart(usual, usedName)].join('/');
  const parsed = parsePattern(pattern);
  if (!isPattern(parsed)) return undefined;
  const { columns, unmatched } = matchPattern(parsed, images);
  return withNamedCondition({ pattern, columns: columns.map(withCondition), unmatched }, names);
}

/** Folders that are conditions are called so, under a name that no other column has. */
function withNamedCondition(proposed: ProposedColumns, taken: ReadonlySet<string>): ProposedColumns {
  const { pattern, columns, unmatched } = proposed;
  const folder = columns.find(({ name, role }) => role === 'condition' && /^folder( \d+)?$/i.test(name));
  if (!folder) return proposed;
  const name = imageColumnName('Condition', taken);
  return {
    pattern: withFieldNames(pattern, new Map([[folder.name.toLowerCase(), name]])),
    columns: columns.map(column => (column === folder ? { ...column, name } : column)),
    unmatched,
  };
}

/** A possible comparison, from folders and names of images. */
export interface ProposedComparison {
  /** All columns that are added, with that of conditions. */
  proposed: ProposedColumns;
  /** In the order in which they are compared, the reference first. */
  conditions: string[];
  /** Names of the columns of replicates, and their values. */
  replicate: string[];
  replicates: string[];
}

/**
 * The proposed comparison: of the columns' conditions, else of the outermost folders with several
 * images each. Undefined if nothing separates conditions.
 */
export function proposedComparison(proposed: ProposedColumns): ProposedComparison | undefined {
  const ofRole = proposed.columns.some(({ role }) => role === 'condition')
    ? proposed
    : withFolderAsCondition(proposed);
  const condition = ofRole?.columns.find(({ role }) => role === 'condition');
  if (!ofRole || !condition) return undefined;
  const values = orderedValues(condition);
  if (values.length < 2) return undefined;
  const { reference } = condition;
  const conditions =
    reference === undefined ? values : [reference, ...values.filter(value => value !== reference)];
  const replicate = ofRole.columns.filter(({ role }) => role === 'replicate');
  const replicates = replicate.length === 1 && replicate[0] ? orderedValues(replicate[0]) : [];
  return { proposed: ofRole, conditions, replicate: replicate.map(({ name }) => name), replicates };
}

function withFolderAsCondition(proposed: ProposedColumns): ProposedColumns | undefined {
  const folder = proposed.columns.find(({ name, role, values }) => {
    const distinct = new Set(values.filter(value => value !== ''));
    return role === undefined && /^folder( \d+)?$/i.test(name) && values.length >= 2 * distinct.size;
  });
  if (!folder || whyNoRole(folder, 'condition')) return undefined;
  const columns = proposed.columns.map(column =>
    column === folder ? { ...column, role: 'condition' as const } : column,
  );
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return withNamedCondition({ ...proposed, columns }, taken);
}

/** The pattern's folders, from the outermost that differs. */
function folderParts(paths: readonly string[][], usedName: (wanted: string) => string): string[] {
  const depth = (paths[0]?.length ?? 1) - 1;
  const folders = Array.from({ length: depth }, (_, level) =>
    distinct(paths.map(parts => parts[level] ?? '')),
  );
  const outermost = folders.findIndex(found => found.size > 1);
  if (outermost < 0) return [];
  return folders.slice(outermost).map(found => {
    const [only = ''] = found;
    return found.size > 1 ? `{${usedName('Folder')}}` : literal(only);
  });
}

/** The pattern's part for the file's name. */
function filePart(paths: readonly string[][], usedName: (wanted: string) => string): string {
  const names = paths.map(parts => parts.at(-1) ?? '');
  const stems = names.map(name => stemOf(name).match(TOKENS) ?? []);
  const extensions = distinct(names.map(name => name.slice(stemOf(name).length)));
  const [extension = ''] = extensions;
  const parts = (stems[0] ?? []).map((token, at) => {
    const texts = stems.map(tokens => tokens[at] ?? '');
    if (SEPARATORS.test(token) || distinct(texts).size === 1) return literal(token);
    return `{${usedName(nameOfTokens(texts))}}`;
  });
  return parts.join('') + (extensions.size === 1 ? literal(extension) : '.*');
}

/** The column name of parts of names at one position. */
function nameOfTokens(texts: readonly string[]): string {
  const areWells = texts.every(text => WELL_IN_NAME.test(text));
  // "D1" and "D2" alone may be donors.
  if (
    areWells &&
    (texts.some(text => text.length > 2) || distinct(texts.map(text => text[0] ?? '')).size > 1)
  )
    return 'Well';
  const prefixes = distinct(texts.map(text => /^(\p{L}*)\d+$/u.exec(text)?.[1]?.toLowerCase() ?? '-'));
  const [prefix = '-'] = prefixes;
  if (prefixes.size > 1 || prefix === '-')
    return texts.some(text => CONTROL.test(text)) ? 'Condition' : 'Part';
  const [, known] = NAMES.find(([form]) => form.test(prefix)) ?? [];
  if (known) return known;
  return prefix.length > 2 ? `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}` : 'Number';
}

/** Braces and stars would mean something else in a pattern. */
function literal(text: string): string {
  return text.replace(/[{}*]+/g, '*');
}

/**
 * A folder or part with a control among its values is a condition, and the control its reference.
 */
function withCondition(column: ImageColumn): ImageColumn {
  const control = column.values.find(value => CONTROL.test(value));
  if (control === undefined) return column;
  if (column.role !== undefined && column.role !== 'condition') return column;
  return { ...column, role: 'condition', reference: column.reference ?? control };
}

function distinct(texts: readonly string[]): Set<string> {
  return new Set(texts);
}
