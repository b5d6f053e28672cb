import type { SchemaTree } from 'hyparquet';
import type { LeafType } from './leafTypes';
import type { DataPage, Leaf, TopColumn } from './parquetFile';

/** Characters of one row's text; a row of more is refused. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * A row group of a column of lists and structs: its rows as JSON, put together from the levels of
 * its leaves as in Dremel (Melnik et al. 2010, VLDB 3:330). Numbers have all their digits, other
 * values are quoted texts; a missing row is null, which is no text. Throws where levels and values
 * don't fit together.
 */
export function nestedPage(
  column: TopColumn,
  rows: number,
  pagesOf: (leaf: Leaf) => Iterable<DataPage>,
): DataPage {
  const cursors = new Map(
    column.leaves.map(leaf => [leaf.tree, new LeafCursor(numbersOf(leaf, pagesOf(leaf)))]),
  );
  const reader = new RowReader(cursors);
  const values: string[] = [];
  const places = new Int32Array(rows).fill(-1);
  let bytes = places.byteLength;
  for (let row = 0; row < rows; row++) {
    const text = reader.next(column.tree);
    if (text === 'null') continue;
    places[row] = values.push(text) - 1;
    bytes += 24 + 2 * text.length;
  }
  for (const { number } of cursors.values()) if (number) throw new Error('more values than rows');
  return { first: 0, count: rows, values, places, memory: [], bytes };
}

class RowReader {
  private characters = 0;

  constructor(private readonly cursors: ReadonlyMap<SchemaTree, LeafCursor>) {}

  /** The text of the next row. */
  next(tree: SchemaTree): string {
    this.characters = 0;
    return this.read(tree, 0, 0);
  }

  private read(tree: SchemaTree, definition: number, repetition: number): string {
    const kind = tree.element.repetition_type;
    if (kind === 'REQUIRED') return this.content(tree, definition, repetition);
    const [first, ...others] = this.cursorsOf(tree);
    if (!first?.number) throw new Error('fewer values than rows');
    if (first.number.definition <= definition) {
      // Each leaf has a number that says that nothing is here.
      for (const cursor of [first, ...others]) cursor.pass(false);
      return kind === 'REPEATED' ? '[]' : 'null';
    }
    if (kind === 'OPTIONAL') return this.content(tree, definition + 1, repetition);
    const items: string[] = [];
    do {
      const item = this.content(tree, definition + 1, repetition + 1);
      items.push(item);
      this.characters += item.length;
      if (this.characters > MAX_CHARACTERS) throw new Error('a row of too many characters');
    } while (first.number?.repetition === repetition + 1);
    return isMap(tree) ? `{${items.join(',')}}` : `[${items.join(',')}]`;
  }

  private content(tree: SchemaTree, definition: number, repetition: number): string {
    const { children } = tree;
    const [only] = children;
    if (!only) return this.cursorsOf(tree)[0]?.pass(true) ?? '';
    if (isWrapper(tree)) return this.read(only, definition, repetition);
    const fields = children.map(
      child => [child.element.name, this.read(child, definition, repetition)] as const,
    );
    if (isMap(tree)) {
      const [[, key] = ['', ''], [, value] = ['', 'null']] = fields;
      return `${key.startsWith('"') ? key : JSON.stringify(key)}:${value}`;
    }
    return `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
  }

  private cursorsOf(tree: SchemaTree): LeafCursor[] {
    const cursor = this.cursors.get(tree);
    return cursor ? [cursor] : tree.children.flatMap(child => this.cursorsOf(child));
  }
}

/** A number of a leaf: its levels, and its value as JSON if it has one. */
interface LeafNumber {
  definition: number;
  repetition: number;
  json: string | undefined;
}

class LeafCursor {
  /** The number to pass next; undefined behind the last. */
  number: LeafNumber | undefined;

  constructor(private readonly rest: Iterator<LeafNumber, undefined>) {
    this.number = rest.next().value;
  }

  pass(hasValue: boolean): string {
    const { json } = this.number ?? {};
    if (!this.number || hasValue !== (json !== undefined)) throw new Error('levels without values');
    this.number = this.rest.next().value;
    return json ?? 'null';
  }
}

function* numbersOf(leaf: Leaf, pages: Iterable<DataPage>): Generator<LeafNumber, undefined> {
  const { maxDefinition, type } = leaf;
  for (const { count, definitions, repetitions, values, places } of pages)
    for (let at = 0; at < count; at++) {
      const definition = definitions?.[at] ?? maxDefinition;
      const json = definition === maxDefinition ? jsonOf(type, values[places?.[at] ?? at]) : undefined;
      yield { definition, repetition: repetitions?.[at] ?? 0, json };
    }
}

function jsonOf({ text, isQuoted }: LeafType, value: unknown): string {
  const ofValue = text(value);
  return isQuoted || !/^(?:-?\d|true$|false$)/.test(ofValue) ? JSON.stringify(ofValue) : ofValue;
}

/** Whether a group is a list or map around the repeated group in it. */
function isWrapper({ element, children }: SchemaTree): boolean {
  const [only, other] = children;
  if (!only || other) return false;
  const names = [element.converted_type, element.logical_type?.type];
  if (names.some(name => name === 'LIST' || name === 'MAP' || name === 'MAP_KEY_VALUE'))
    return only.element.repetition_type === 'REPEATED';
  // The group of a list's elements, which in older files is the element itself.
  return (
    element.repetition_type === 'REPEATED' &&
    /^(?:list|bag|element_list|array_list|key_value)$/.test(element.name)
  );
}

/** Whether a repeated group is the pairs of a map. */
function isMap({ element, children }: SchemaTree): boolean {
  return (
    element.repetition_type === 'REPEATED' &&
    children.length === 2 &&
    children[0]?.element.name === 'key' &&
    children[1]?.element.name === 'value'
  );
}
