import type { SchemaTree } from 'hyparquet';
import type { LeafType } from './leafTypes';
import type { DataPage, Leaf, TopColumn } from './parquetFile';

/** Maximum characters of a row's text. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * The rows of a row group in a column of lists and structs, as JSON. Assembles them from the levels
 * of the leaves as Dremel does (Melnik et al. 2010, VLDB 3:330). Numbers have all their digits;
 * other values are quoted texts; a missing row has no text. Throws if levels contradict values.
 */
export function nestedPage(
  column: TopColumn,
  rows: number,
  pagesOf: (leaf: Leaf) => Iterable<DataPage>,
): DataPage {
  const cursors = new Map(
    column.leaves.map(leaf => [leaf.tree, new LeafCursor(entriesOf(leaf, pagesOf(leaf)))]),
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
  for (const { entry } of cursors.values()) if (entry) throw new Error('more values than rows');
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
    if (!first?.entry) throw new Error('fewer values than rows');
    if (first.entry.definition <= definition) {
      // Each leaf has an entry without a value here.
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
    } while (first.entry?.repetition === repetition + 1);
    return isMap(tree) ? `{${items.join(',')}}` : `[${items.join(',')}]`;
  }

  private content(tree: SchemaTree, definition: number, repetition: number): string {
    const { children } = tree;
    const [child] = children;
    if (!child) return this.cursorsOf(tree)[0]?.pass(true) ?? '';
    if (isWrapper(tree)) return this.read(child, definition, repetition);
    const fields = children.map(
      field => [field.element.name, this.read(field, definition, repetition)] as const,
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

/** An entry of a leaf: its levels, and its value as JSON if it has one. */
interface LeafEntry {
  definition: number;
  repetition: number;
  json: string | undefined;
}

class LeafCursor {
  /** The next entry; undefined after the last. */
  entry: LeafEntry | undefined;

  constructor(private readonly entries: Iterator<LeafEntry, undefined>) {
    this.entry = entries.next().value;
  }

  pass(hasValue: boolean): string {
    const { json } = this.entry ?? {};
    if (!this.entry || hasValue !== (json !== undefined)) throw new Error('levels without values');
    this.entry = this.entries.next().value;
    return json ?? 'null';
  }
}

function* entriesOf(leaf: Leaf, pages: Iterable<DataPage>): Generator<LeafEntry, undefined> {
  const { maxDefinition, type } = leaf;
  for (const { count, definitions, repetitions, values, places } of pages)
    for (let at = 0; at < count; at++) {
      const definition = definitions?.[at] ?? maxDefinition;
      const json = definition === maxDefinition ? jsonOf(type, values[places?.[at] ?? at]) : undefined;
      yield { definition, repetition: repetitions?.[at] ?? 0, json };
    }
}

function jsonOf({ text, isQuoted }: LeafType, value: unknown): string {
  const valueText = text(value);
  return isQuoted || !/^(?:-?\d|true$|false$)/.test(valueText) ? JSON.stringify(valueText) : valueText;
}

/** Whether a group is a list or map around the repeated group in it. */
function isWrapper({ element, children }: SchemaTree): boolean {
  const [only, other] = children;
  if (!only || other) return false;
  const names = [element.converted_type, element.logical_type?.type];
  if (names.some(name => name === 'LIST' || name === 'MAP' || name === 'MAP_KEY_VALUE'))
    return only.element.repetition_type === 'REPEATED';
  // In older files, other repeated groups with one child are the list's elements themselves.
  return (
    element.repetition_type === 'REPEATED' &&
    /^(?:list|bag|element_list|array_list|key_value)$/.test(element.name)
  );
}

/** Whether a repeated group contains the key–value pairs of a map. */
function isMap({ element, children }: SchemaTree): boolean {
  return (
    element.repetition_type === 'REPEATED' &&
    children.length === 2 &&
    children[0]?.element.name === 'key' &&
    children[1]?.element.name === 'value'
  );
}
