import type { SchemaTree } from 'hyparquet';
import { type LeafType, leafType } from './leafTypes';
import { damagedPage } from './parquetErrors';
import type { Levels, PageContent } from './pageValues';
import type { Leaf, TopColumn } from './parquetFile';

/** Characters of one row's text; a row of more is refused. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** All values of a leaf in a row group, page after page. */
export type LeafPages = (Levels & PageContent & { count: number })[];

/**
 * The rows of a column of lists and structs as JSON, put together from the levels of its leaves as
 * in Dremel (Melnik et al. 2010, VLDB 3:330). Numbers have all their digits, other values are
 * quoted texts; a missing row is null, which is no text.
 */
export class NestedRows {
  private readonly cursors: Map<SchemaTree, LeafCursor>;
  private characters = 0;

  constructor(
    private readonly column: TopColumn,
    pages: ReadonlyMap<Leaf, LeafPages>,
  ) {
    this.cursors = new Map(
      column.leaves.map(leaf => [leaf.tree, new LeafCursor(leaf, pages.get(leaf) ?? [])]),
    );
  }

  /** The next row; undefined where it is null. Throws `damaged-table` behind the last. */
  next(): string | undefined {
    this.characters = 0;
    const text = this.read(this.column.tree, 0, 0);
    return text === 'null' ? undefined : text;
  }

  /** Throws `damaged-table` where values are left. */
  end(): void {
    for (const cursor of this.cursors.values())
      if (!cursor.isDone) throw damagedPage('more values than rows');
  }

  private read(tree: SchemaTree, definition: number, repetition: number): string {
    const first = this.firstOf(tree);
    const kind = tree.element.repetition_type;
    if (kind === 'REQUIRED') return this.content(tree, definition, repetition);
    if (first.definition <= definition) {
      this.skip(tree);
      return kind === 'REPEATED' ? '[]' : 'null';
    }
    if (kind === 'OPTIONAL') return this.content(tree, definition + 1, repetition);
    const items: string[] = [];
    do {
      items.push(this.content(tree, definition + 1, repetition + 1));
      this.characters += items.at(-1)?.length ?? 0;
      if (this.characters > MAX_CHARACTERS) throw damagedPage('a row of too many characters');
    } while (!first.isDone && first.repetition === repetition + 1);
    return isMap(tree) ? `{${items.join(',')}}` : `[${items.join(',')}]`;
  }

  private content(tree: SchemaTree, definition: number, repetition: number): string {
    const { children } = tree;
    if (children.length === 0) return this.cursorOf(tree).take();
    const [only] = children;
    if (only && isWrapper(tree)) return this.read(only, definition, repetition);
    const fields = children.map(
      child => [child.element.name, this.read(child, definition, repetition)] as const,
    );
    if (isMap(tree)) {
      const [[, key] = ['', ''], [, value] = ['', 'null']] = fields;
      return `${key.startsWith('"') ? key : JSON.stringify(key)}:${value}`;
    }
    return `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
  }

  /** Skips the place in each leaf that says that nothing is here. */
  private skip(tree: SchemaTree): void {
    if (tree.children.length === 0) this.cursorOf(tree).skip();
    for (const child of tree.children) this.skip(child);
  }

  private firstOf(tree: SchemaTree): LeafCursor {
    let leaf = tree;
    while (leaf.children[0]) leaf = leaf.children[0];
    return this.cursorOf(leaf);
  }

  private cursorOf(leaf: SchemaTree): LeafCursor {
    const cursor = this.cursors.get(leaf);
    if (!cursor) throw damagedPage('a group without values');
    return cursor;
  }
}

class LeafCursor {
  private readonly type: LeafType;
  private page = 0;
  private at = 0;
  private value = 0;

  constructor(
    private readonly leaf: Leaf,
    private readonly pages: LeafPages,
  ) {
    this.type = leafType(leaf.tree.element);
    this.settle();
  }

  get isDone(): boolean {
    return this.page >= this.pages.length;
  }

  get definition(): number {
    if (this.isDone) throw damagedPage('fewer values than rows');
    return this.pages[this.page]?.definitions?.[this.at] ?? this.leaf.maxDefinition;
  }

  get repetition(): number {
    return this.pages[this.page]?.repetitions?.[this.at] ?? 0;
  }

  /** The value as JSON. */
  take(): string {
    if (this.definition !== this.leaf.maxDefinition) throw damagedPage('no value where one is said');
    const { values, places } = this.pages[this.page] ?? {};
    const text = values ? this.type.text(values, places?.[this.value] ?? this.value) : '';
    this.value++;
    this.step();
    return this.type.isQuoted || !/^(?:-?\d|true$|false$)/.test(text) ? JSON.stringify(text) : text;
  }

  skip(): void {
    // The levels say that nothing is here: a value would be lost.
    if (this.definition === this.leaf.maxDefinition) throw damagedPage('a value where none is said');
    this.step();
  }

  private step(): void {
    this.at++;
    this.settle();
  }

  private settle(): void {
    while (!this.isDone && this.at >= (this.pages[this.page]?.count ?? 0)) {
      this.page++;
      this.at = 0;
      this.value = 0;
    }
  }
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
