import { stemOf } from '../archives/imageNames';
import { pathParts } from '../base/pathParts';
import { type Reason, reason } from '../base/reasons';
import { imageColumnName, MAX_COLUMN_NAME } from '../columns/imageColumnName';
import { type ImageColumn, withGuessedRoles, orderedValues, whyNoRole } from './imageColumns';

/*
 * Reads columns of images from their paths. A pattern is compared with the end of a path, folder by
 * folder: {name} matches at least one character of a folder or file name, * matches any number, and
 * all other characters match themselves. If several readings are possible, each field is as short
 * as possible, from the left. If the last part of a pattern has no dot, it is compared with the
 * file name without its extension.
 */

type PatternPart = { literal: string } | { field: number } | 'any';

/** A pattern that can be compared with paths. */
interface ImagePattern {
  /** The names of its fields; no two are equal. */
  readonly fields: readonly string[];
  /** One for each folder, and the last for the file name. */
  readonly segments: readonly (readonly PatternPart[])[];
  readonly hasExtension: boolean;
}

/** Maximum number of fields. */
const MAX_FIELDS = 32;

/** A typed pattern; the reason if it isn't valid. */
export function parsePattern(text: string): ImagePattern | Reason {
  const fields: string[] = [];
  const segments: PatternPart[][] = [];
  // A slash within braces is a mistake, so folders are split first.
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
      if (fields.some(other => other.toLowerCase() === field.toLowerCase()))
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

/** Whether parsePattern returned a pattern. */
export function isPattern(parsed: ImagePattern | Reason): parsed is ImagePattern {
  return 'fields' in parsed;
}

/**
 * A pattern with renamed fields; `names` has the new names by the old ones in lower case. A field
 * becomes * if another field gets its name, or if a pattern can't contain its new name.
 */
export function withFieldNames(text: string, names: ReadonlyMap<string, string>): string {
  const used = new Set(Array.from(names.values(), name => name.toLowerCase()));
  return text.replace(/\{([^{}]*)\}/g, (whole, field: string) => {
    const oldName = field.trim().toLowerCase();
    const name = names.get(oldName);
    if (name === undefined) return used.has(oldName) ? '*' : whole;
    return /[{}\\/]/.test(name) ? '*' : `{${name}}`;
  });
}

/** The values of a pattern's fields in a path; undefined if the path doesn't match. */
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

/** The values of a pattern's fields for images. */
interface PatternMatches {
  columns: ImageColumn[];
  /** Positions of images that the pattern doesn't match. */
  unmatched: number[];
}

/**
 * Makes a pattern's columns from the paths of images. Their names imply roles, unless columns in
 * `existing` have them.
 */
export function matchPattern(
  pattern: ImagePattern,
  images: readonly string[],
  existing: readonly ImageColumn[] = [],
): PatternMatches {
  const columns = pattern.fields.map(name => ({ name, values: new Array<string>(images.length).fill('') }));
  const unmatched: number[] = [];
  images.forEach((path, image) => {
    const texts = fieldsOf(pattern, path);
    if (!texts) unmatched.push(image);
    else for (const [field, { values }] of columns.entries()) values[image] = (texts[field] ?? '').trim();
  });
  return { columns: withGuessedRoles(columns, existing), unmatched };
}

/** A pattern and its columns; fields with a taken name are renamed. */
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
 * Matches the name of a folder or file. Each field is as short as possible, from the left; the last
 * one ends with the name.
 */
function readSegment(parts: readonly PatternPart[], text: string, values: string[]): boolean {
  let position = 0;
  /** The field or * before the next literal. */
  let openField: Exclude<PatternPart, { literal: string }> | undefined;
  const endField = (end: number) => {
    if (openField !== undefined && openField !== 'any') values[openField.field] = text.slice(position, end);
  };
  for (const [partIndex, part] of parts.entries()) {
    if (!isLiteral(part)) {
      openField = part;
      continue;
    }
    const { literal } = part;
    const minIndex = position + (openField === undefined || openField === 'any' ? 0 : 1);
    let index: number;
    if (openField === undefined) index = text.startsWith(literal, position) ? position : -1;
    else if (partIndex < parts.length - 1) index = text.indexOf(literal, minIndex);
    else index = text.endsWith(literal) ? text.length - literal.length : -1;
    if (index < minIndex) return false;
    endField(index);
    openField = undefined;
    position = index + literal.length;
  }
  if (openField === undefined) return position === text.length;
  if (openField !== 'any' && position === text.length) return false;
  endField(text.length);
  return true;
}

function isLiteral(part: PatternPart | undefined): part is { literal: string } {
  return typeof part === 'object' && 'literal' in part;
}

// Below: proposes a pattern from the folders and parts of names that differ.

/** Prefixes of parts of names, and the column names for them. */
const COLUMN_NAMES: readonly [RegExp, string][] = [
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

/** Wells of plates with up to 1536 wells. */
const WELL = /^([A-Z]|A[A-F])(\d{1,2})$/;

/** Wells within image names: there, "s1" and "d2" mean something else. */
const WELL_IN_NAME = /^[A-P]\d{1,2}$/;

/** A well in the form "A1", from texts like "A01", "a1" and " A1 "; undefined for other texts. */
export function wellOf(text: string): string | undefined {
  const [, row, column] = WELL.exec(text.trim().toUpperCase()) ?? [];
  const number = Number(column);
  return row !== undefined && number >= 1 && number <= 48 ? `${row}${number}` : undefined;
}

/** Row and column as plate readers write them, maybe with field and plane: "r02c03f01p01". */
const ROW_AND_COLUMN = /^r(\d\d)c(\d\d)(?:[a-z]\d+)*$/i;

/** The well in the parts of an image's name; undefined if there is none, or several. */
export function wellOfPath(path: string): string | undefined {
  const name = stemOf(pathParts(path).at(-1) ?? '');
  const wells = new Set(
    name.split(SEPARATORS).flatMap(token => {
      const [, row, column] = ROW_AND_COLUMN.exec(token) ?? [];
      if (row !== undefined) return wellOf(`${rowLetters(Number(row))}${column}`) ?? [];
      return WELL_IN_NAME.test(token) ? (wellOf(token) ?? []) : [];
    }),
  );
  return wells.size === 1 ? [...wells][0] : undefined;
}

/** The letters of a plate's row, counted from 1: A to Z, then AA. */
function rowLetters(row: number): string {
  const letter = (place: number) => String.fromCharCode(64 + place);
  return row > 26 ? `A${letter(row - 26)}` : letter(row);
}

const SEPARATORS = /[_\-\s.,;+()[\]]+/;
/** Matches separators too, as the pattern needs them. */
const TOKENS = /[_\-\s.,;+()[\]]+|[^_\-\s.,;+()[\]]+/g;

/** Names of controls: other values are compared with them. */
const CONTROL = /^(control|ctrl|ctl|con|dmso|vehicle|untreated|mock|wt|wild[ _-]?type|baseline)s?$/i;

/** Columns proposed for images, and their pattern. */
export interface ProposedColumns extends PatternMatches {
  pattern: string;
}

/**
 * Proposes columns from the parts of paths that differ, by the most common form of names. Undefined
 * if nothing differs, or for fewer than two images. `taken`: names of other columns.
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
    const sameForm = forms.get(key);
    if (sameForm) sameForm.push(parts);
    else forms.set(key, [parts]);
  }
  const mostCommon = [...forms.values()].reduce<string[][]>((a, b) => (b.length > a.length ? b : a), []);
  if (mostCommon.length < 2) return undefined;
  const names = new Set(Array.from(taken, name => name.toLowerCase()));
  const freshName = (wanted: string): string => {
    let name = wanted;
    for (let number = 2; names.has(name.toLowerCase()); number++) name = `${wanted} ${number}`;
    names.add(name.toLowerCase());
    return name;
  };
  const pattern = [...folderParts(mostCommon, freshName), filePart(mostCommon, freshName)].join('/');
  const parsed = parsePattern(pattern);
  if (!isPattern(parsed)) return undefined;
  const { columns, unmatched } = matchPattern(parsed, images);
  return withNamedCondition({ pattern, columns: columns.map(withCondition), unmatched }, names);
}

/** Renames a column of folders with the role of conditions to "Condition", or a free name. */
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

/** A comparison that folders and names of images suggest. */
export interface ProposedComparison {
  /** All columns to add, with that of the conditions. */
  proposed: ProposedColumns;
  /** The conditions in the order of the comparison, the reference first. */
  conditions: string[];
  /** Names of the columns of replicates, and their values. */
  replicate: string[];
  replicates: string[];
}

/**
 * The proposed comparison: by a column of conditions, else by the outermost folders if they have
 * several images each. Undefined if neither exists.
 */
export function proposedComparison(proposed: ProposedColumns): ProposedComparison | undefined {
  const comparable = proposed.columns.some(({ role }) => role === 'condition')
    ? proposed
    : withFolderAsCondition(proposed);
  const condition = comparable?.columns.find(({ role }) => role === 'condition');
  if (!comparable || !condition) return undefined;
  const values = orderedValues(condition);
  if (values.length < 2) return undefined;
  const { reference } = condition;
  const conditions =
    reference === undefined ? values : [reference, ...values.filter(value => value !== reference)];
  const replicate = comparable.columns.filter(({ role }) => role === 'replicate');
  const replicates = replicate.length === 1 && replicate[0] ? orderedValues(replicate[0]) : [];
  return { proposed: comparable, conditions, replicate: replicate.map(({ name }) => name), replicates };
}

function withFolderAsCondition(proposed: ProposedColumns): ProposedColumns | undefined {
  const folder = proposed.columns.find(({ name, role, values }) => {
    const folderCount = distinct(values.filter(value => value !== '')).size;
    return role === undefined && /^folder( \d+)?$/i.test(name) && values.length >= 2 * folderCount;
  });
  if (!folder || whyNoRole(folder, 'condition')) return undefined;
  const columns = proposed.columns.map(column =>
    column === folder ? { ...column, role: 'condition' as const } : column,
  );
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return withNamedCondition({ ...proposed, columns }, taken);
}

/** The pattern's folders, from the outermost one that differs. */
function folderParts(paths: readonly string[][], freshName: (wanted: string) => string): string[] {
  const depth = (paths[0]?.length ?? 1) - 1;
  const folders = Array.from({ length: depth }, (_, level) =>
    distinct(paths.map(parts => parts[level] ?? '')),
  );
  const outermost = folders.findIndex(names => names.size > 1);
  if (outermost < 0) return [];
  return folders.slice(outermost).map(names => {
    const [name = ''] = names;
    return names.size > 1 ? `{${freshName('Folder')}}` : asLiteral(name);
  });
}

/** The pattern's part for the file name. */
function filePart(paths: readonly string[][], freshName: (wanted: string) => string): string {
  const names = paths.map(parts => parts.at(-1) ?? '');
  const stems = names.map(name => stemOf(name).match(TOKENS) ?? []);
  const extensions = distinct(names.map(name => name.slice(stemOf(name).length)));
  const [extension = ''] = extensions;
  const parts = (stems[0] ?? []).map((token, at) => {
    const texts = stems.map(tokens => tokens[at] ?? '');
    if (SEPARATORS.test(token) || distinct(texts).size === 1) return asLiteral(token);
    return `{${freshName(nameOfTokens(texts))}}`;
  });
  return parts.join('') + (extensions.size === 1 ? asLiteral(extension) : '.*');
}

/** The column name for the parts at one position of names. */
function nameOfTokens(texts: readonly string[]): string {
  const areWells = texts.every(text => WELL_IN_NAME.test(text));
  // "D1" and "D2" without other letters may be donors.
  if (
    areWells &&
    (texts.some(text => text.length > 2) || distinct(texts.map(text => text[0] ?? '')).size > 1)
  )
    return 'Well';
  const prefixes = distinct(texts.map(text => /^(\p{L}*)\d+$/u.exec(text)?.[1]?.toLowerCase() ?? '-'));
  const [prefix = '-'] = prefixes;
  if (prefixes.size > 1 || prefix === '-')
    return texts.some(text => CONTROL.test(text)) ? 'Condition' : 'Part';
  const [, columnName] = COLUMN_NAMES.find(([form]) => form.test(prefix)) ?? [];
  if (columnName) return columnName;
  return prefix.length > 2 ? `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}` : 'Number';
}

/** Replaces braces and stars, which have a meaning in patterns. */
function asLiteral(text: string): string {
  return text.replace(/[{}*]+/g, '*');
}

/**
 * Makes a column with a control among its values a condition, with the control as its reference.
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
