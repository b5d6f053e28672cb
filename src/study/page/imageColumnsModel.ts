import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../base/errors';
import { type Reason, reason } from '../../base/reasons';
import type { RequestsOf } from '../../protocol/declarations';
import {
  type ImageColumn,
  type ImageColumns,
  type ImageRole,
  reasonsOfExcluded,
  whyNoRole,
  withRole,
} from '../imageColumns';
import {
  applyEdits,
  type CellChanges,
  cellChanges,
  editsOfColumns,
  type ImageEdit,
  whyNoColumn,
} from '../imageEdits';
import {
  isPattern,
  matchPattern,
  parsePattern,
  type ProposedColumns,
  type ProposedComparison,
  proposeColumns,
  proposedComparison,
  withFreeNames,
} from '../imagePattern';
import type { imagePageRequests, JoinAgain, ShownImageColumns, ShownSheet } from '../imageRequests';

/** Edits, the patterns that they come from, and the names of the columns that they were made of. */
interface EditsToStore {
  edits: readonly ImageEdit[];
  patterns: readonly string[];
  columns: readonly string[];
}

/** The panel's functions for the page. */
interface ImagesPanel {
  imageColumns(): Promise<ShownImageColumns>;
  editImages(params: EditsToStore): Promise<unknown>;
  joinSampleSheet(params: { again?: JoinAgain }): Promise<ShownSheet | null>;
  saveSampleSheet(): Promise<{ saved: { name: string; rows: number } | null }>;
}

export interface ImageColumnsOptions {
  panel: ImagesPanel;
  isOpen: boolean;
  /** Whether it is open from a comparison. */
  isFromComparison?: boolean;
  /** Saves that it was opened or closed. */
  save: (isOpen: boolean, isFromComparison: boolean) => void;
  /** Copies to the clipboard. */
  copy: (text: string) => void;
  /** Reports results, and failures with their reasons. */
  onSaved: (name: string, rows: number) => void;
  onFailure: (error: unknown) => void;
  /** Gives the keyboard to the rows. */
  enterRows: () => void;
  /** Shows the comparison of conditions again. */
  enterComparison: () => void;
}

/** A cell of the sheet: an image, and a column. */
export interface SheetCell {
  /** Position of the image. */
  row: number;
  /** Position of the column; that after the last is the reason why an image is excluded. */
  column: number;
}

/** A rectangle of cells, both ends included. */
interface SheetRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Edits made at once. */
interface Step {
  edits: readonly ImageEdit[];
  inverse: readonly ImageEdit[];
  patterns: readonly string[];
}

/** A typed pattern, with its result. */
type TypedPattern = { text: string } & ({ why: Reason } | ProposedColumns);

const MAX_STEPS = 200;

type EditParams = RequestsOf<typeof imagePageRequests>['editImages']['params'];

/** Edits as a message has them. */
export function editParams(step: EditsToStore): EditParams {
  return structuredClone(step) as EditParams;
}

/**
 * The metadata of images as a sheet: a row per image, a column per property. Edits show at once,
 * and are stored in sequence.
 */
export class ImageColumnsModel {
  /** State that only its methods write. */
  private readonly now = {
    isOpen: signal(false),
    isFromComparison: signal(false),
    known: signal<ImageColumns | undefined>(undefined),
    failure: signal<unknown>(undefined),
    pattern: signal<string | undefined>(undefined),
    sheet: signal<ShownSheet | undefined>(undefined),
    active: signal<SheetCell>({ row: 0, column: 0 }),
    anchor: signal<SheetCell>({ row: 0, column: 0 }),
    typing: signal<string | undefined>(undefined),
  };
  readonly isOpen: ReadonlySignal<boolean> = this.now.isOpen;
  /** The metadata; undefined until it was read. */
  readonly known: ReadonlySignal<ImageColumns | undefined> = this.now.known;
  /** Why it couldn't be read. */
  readonly failure: ReadonlySignal<unknown> = this.now.failure;
  /** Columns in folders and names, while there are no others. */
  readonly proposed: ReadonlySignal<ProposedColumns | undefined>;
  /** The comparison that these would give. */
  readonly comparison: ReadonlySignal<ProposedComparison | undefined>;
  /** Whether this was opened from a comparison, to which one goes back. */
  readonly isFromComparison: ReadonlySignal<boolean> = this.now.isFromComparison;
  /** The pattern that is being typed. */
  readonly pattern: ReadonlySignal<string | undefined> = this.now.pattern;
  readonly typed: ReadonlySignal<TypedPattern | undefined>;
  /** A sheet that was read and isn't joined yet. */
  readonly sheet: ReadonlySignal<ShownSheet | undefined> = this.now.sheet;
  /** Effects of the pattern or the sheet on cells. */
  readonly changes: ReadonlySignal<CellChanges | undefined>;
  /** The cell where the keyboard is, and the one where the selection began. */
  readonly active: ReadonlySignal<SheetCell> = this.now.active;
  readonly anchor: ReadonlySignal<SheetCell> = this.now.anchor;
  /** The text of the active cell while it is typed. */
  readonly typing: ReadonlySignal<string | undefined> = this.now.typing;
  readonly selected: ReadonlySignal<SheetRange>;
  /** Why images are excluded, by their positions. */
  readonly reasons: ReadonlySignal<ReadonlyMap<number, string>>;
  readonly hasReasons: ReadonlySignal<boolean>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;
  private readonly past = signal<readonly Step[]>([]);
  private readonly future = signal<readonly Step[]>([]);
  private readonly isDismissed = signal(false);
  private taken: readonly string[] = [];
  private turn: Promise<void> = Promise.resolve();
  /** Edits that aren't stored yet. */
  private pending = 0;
  private wasChanged = false;
  private removals = 0;

  constructor(private readonly options: ImageColumnsOptions) {
    this.now.isOpen.value = options.isOpen;
    this.now.isFromComparison.value = options.isOpen && options.isFromComparison === true;
    this.proposed = computed(() => {
      const known = this.known.value;
      if (!known || known.columns.length > 0 || this.isDismissed.value) return undefined;
      const proposed = proposeColumns(known.images, this.taken);
      if (!proposed || !this.isFromComparison.value) return proposed;
      return proposedComparison(proposed)?.proposed ?? proposed;
    });
    this.comparison = computed(() => {
      const known = this.known.value;
      if (!known || known.columns.length > 0) return undefined;
      // That columns were dismissed says nothing of a comparison.
      const proposed = proposeColumns(known.images, this.taken);
      return proposed && proposedComparison(proposed);
    });
    this.typed = computed(() => this.matchesOf(this.pattern.value));
    this.changes = computed(() => this.changesOf(this.sheet.value ?? this.typed.value));
    this.selected = computed(() => {
      const [a, b] = [this.active.value, this.anchor.value];
      return {
        top: Math.min(a.row, b.row),
        bottom: Math.max(a.row, b.row),
        left: Math.min(a.column, b.column),
        right: Math.max(a.column, b.column),
      };
    });
    this.reasons = computed(() => reasonsOfExcluded({ excluded: this.known.value?.excluded ?? [] }));
    this.hasReasons = computed(() => this.reasons.value.size > 0);
    this.canUndo = computed(() => this.past.value.length > 0);
    this.canRedo = computed(() => this.future.value.length > 0);
  }

  /** Columns of the sheet: those of images, and that of reasons where images are excluded. */
  get width(): number {
    const known = this.known.peek();
    return (known?.columns.length ?? 0) + Number(this.hasReasons.peek());
  }

  async open(isFromComparison = false): Promise<void> {
    this.now.isOpen.value = true;
    this.now.isFromComparison.value = isFromComparison;
    this.options.save(true, isFromComparison);
    await this.load();
  }

  /** Closes the sheet from inside, and returns to the rows or to a comparison. */
  leave(): void {
    const wasFromComparison = this.isFromComparison.peek();
    this.close();
    if (wasFromComparison) this.options.enterComparison();
    else this.options.enterRows();
  }

  close(): void {
    this.now.typing.value = undefined;
    this.now.isOpen.value = false;
    this.now.isFromComparison.value = false;
    this.options.save(false, false);
  }

  /** Reads the metadata, also after a failure. */
  async load(): Promise<void> {
    this.now.failure.value = undefined;
    try {
      this.show(await this.options.panel.imageColumns());
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.now.failure.value = error;
    }
  }

  /** The metadata changed elsewhere, or more images are known. Text typed meanwhile isn't lost. */
  changed(shown: ShownImageColumns): void {
    // Nobody has asked for it yet.
    if (!this.known.peek()) return;
    if (this.pending > 0) {
      this.wasChanged = true;
      return;
    }
    this.show(shown);
  }

  // Columns

  /** Adds the columns that are proposed. */
  acceptProposal(): void {
    const proposed = this.proposed.peek();
    if (proposed) this.add(proposed, [proposed.pattern]);
  }

  /** Adds the columns of the comparison that is proposed. */
  acceptComparison(): void {
    const { proposed } = this.comparison.peek() ?? {};
    if (proposed) this.add(proposed, [proposed.pattern]);
  }

  dismissProposal(): void {
    this.isDismissed.value = true;
  }

  /** Begins to type a pattern: that which is proposed, if any. */
  openPattern(): void {
    this.now.sheet.value = undefined;
    const known = this.known.peek();
    this.now.pattern.value = (known && proposeColumns(known.images)?.pattern) ?? '';
  }

  type(pattern: string): void {
    this.now.pattern.value = pattern;
  }

  closePattern(): void {
    this.now.pattern.value = undefined;
  }

  /** Gives images the values of the pattern that was typed; not while it matches none. */
  applyPattern(): void {
    const typed = this.typed.peek();
    if (!typed || 'why' in typed) return;
    this.add(typed, [typed.pattern]);
    this.now.pattern.value = undefined;
  }

  /** Adds an empty column, and goes to its first cell. */
  addColumn(name: string): void {
    const known = this.known.peek();
    if (!known) return;
    const names = [...this.taken, ...known.columns.map(column => column.name)];
    let free = name;
    for (let number = 2; whyNoColumn(free, names); number++) free = `${name} ${number}`;
    const at = known.columns.length;
    this.do([{ kind: 'insert', at, column: { name: free, values: known.images.map(() => '') } }]);
    this.goTo({ row: 0, column: at });
  }

  removeColumn(at: number): void {
    this.do([{ kind: 'remove', at }]);
    const { row, column } = this.active.peek();
    this.goTo({ row, column: Math.max(0, Math.min(column, this.width - 1)) });
  }

  /** Why a column can't be called so. */
  whyNotCalled(at: number, name: string): Reason | undefined {
    const columns = this.known.peek()?.columns ?? [];
    const others = columns.filter((_, other) => other !== at).map(column => column.name);
    return whyNoColumn(name, columns[at]?.name === name ? others : [...others, ...this.taken]);
  }

  /** Changes name, order, reference or whether it is numeric. */
  describe(at: number, changes: Partial<Omit<ImageColumn, 'values' | 'role'>>): void {
    const column = this.known.peek()?.columns[at];
    if (!column) return;
    this.do([{ kind: 'describe', at, column: { ...withRole(column, column.role), ...changes } }]);
  }

  /**
   * A condition without a quantity has an order of its own, or one by names; undefined takes it
   * away.
   */
  setNumeric(at: number, isNumeric: boolean): void {
    const column = this.known.peek()?.columns[at];
    if (!column) return;
    const { isNumeric: before, ...others } = withRole(column, column.role);
    if ((before === true) === isNumeric) return;
    this.do([
      { kind: 'describe', at, column: { ...others, ...(isNumeric && { isNumeric: true as const }) } },
    ]);
  }

  setReference(at: number, reference: string | undefined): void {
    const column = this.known.peek()?.columns[at];
    if (!column) return;
    const { reference: before, ...others } = withRole(column, column.role);
    if (before === reference) return;
    this.do([{ kind: 'describe', at, column: { ...others, ...(reference !== undefined && { reference }) } }]);
  }

  /** Gives a column a role, or none; the reason where it can't have it. */
  setRole(at: number, role: ImageRole | undefined): Reason | undefined {
    const column = this.known.peek()?.columns[at];
    if (!column) return undefined;
    const why = role && whyNoRole(column, role);
    if (why) return why;
    this.do([{ kind: 'describe', at, column: withRole(column, role) }]);
    return undefined;
  }

  // Sheets

  /** Lets the user select a sheet, or joins the last one with another key column or header. */
  async joinSheet(again?: JoinAgain): Promise<void> {
    try {
      const sheet = await this.options.panel.joinSampleSheet({ ...(again && { again }) });
      if (!sheet) return;
      batch(() => {
        this.now.pattern.value = undefined;
        this.now.sheet.value = sheet;
      });
    } catch (error) {
      this.options.onFailure(error);
    }
  }

  /**
   * Gives images the values of the sheet that was read; not while it is open which column names
   * them.
   */
  applySheet(): void {
    const sheet = this.sheet.peek();
    if (!sheet || sheet.rivals.length > 0) return;
    this.add(sheet, []);
    this.now.sheet.value = undefined;
  }

  closeSheet(): void {
    this.now.sheet.value = undefined;
  }

  async saveSheet(): Promise<void> {
    try {
      await this.stored();
      const { saved } = await this.options.panel.saveSampleSheet();
      if (saved) this.options.onSaved(saved.name, saved.rows);
    } catch (error) {
      this.options.onFailure(error);
    }
  }

  // Cells

  /** The text of a cell. */
  textAt({ row, column }: SheetCell): string {
    const known = this.known.value;
    if (!known) return '';
    const own = known.columns[column];
    if (own) return own.values[row] ?? '';
    return column === known.columns.length ? (this.reasons.value.get(row) ?? '') : '';
  }

  /** Moves the keyboard to a cell; the selection begins there, or is extended to it. */
  goTo({ row, column }: SheetCell, extend = false): void {
    const rows = this.known.peek()?.images.length ?? 0;
    const cell = {
      row: Math.max(0, Math.min(rows - 1, row)),
      column: Math.max(0, Math.min(this.width - 1, column)),
    };
    batch(() => {
      this.now.typing.value = undefined;
      this.now.active.value = cell;
      if (!extend) this.now.anchor.value = cell;
    });
  }

  selectAll(): void {
    const rows = this.known.peek()?.images.length ?? 0;
    this.now.anchor.value = { row: 0, column: 0 };
    this.now.active.value = { row: Math.max(0, rows - 1), column: Math.max(0, this.width - 1) };
  }

  /** Starts typing in the active cell, with its content, or with a text in its place. */
  edit(text = this.textAt(this.active.peek())): void {
    if (this.width === 0) return;
    this.now.anchor.value = this.active.peek();
    this.now.typing.value = text;
  }

  /** Stores the typed text in the active cell. */
  commit(): void {
    const text = this.typing.peek();
    this.now.typing.value = undefined;
    if (text === undefined) return;
    const cell = this.active.peek();
    if (text.trim() !== this.textAt(cell)) this.put(cell, [[text]]);
  }

  cancel(): void {
    this.now.typing.value = undefined;
  }

  /** Empties the selected cells. */
  clear(): void {
    this.fill(() => '');
  }

  /** Copies the first selected row into the others below; of a single cell, the one above it. */
  fillDown(): void {
    const { top, bottom } = this.selected.peek();
    const from = top === bottom ? top - 1 : top;
    if (from >= 0) this.fill(column => this.textAt({ row: from, column }));
  }

  /** The selected cells as tab-separated lines. */
  get selectedText(): string {
    const { top, bottom, left, right } = this.selected.peek();
    const lines: string[] = [];
    for (let row = top; row <= bottom; row++) {
      const cells: string[] = [];
      for (let column = left; column <= right; column++) cells.push(cellAsText(this.textAt({ row, column })));
      lines.push(cells.join('\t'));
    }
    return lines.join('\n');
  }

  /** Copies the selected cells. */
  copy(): void {
    this.options.copy(this.selectedText);
  }

  /**
   * Puts lines of tab-separated cells where the selection begins; a single cell into all that are
   * selected.
   */
  paste(text: string): void {
    const rows = cellsOfText(text);
    const { top, bottom, left, right } = this.selected.peek();
    const [[only = ''] = []] = rows;
    if (rows.length === 1 && rows[0]?.length === 1 && (top < bottom || left < right)) {
      this.fill(() => only);
      return;
    }
    this.put({ row: top, column: left }, rows);
  }

  /** Excludes the images of the selected rows for a reason; '' includes them again. */
  exclude(reason: string): void {
    const { top, bottom } = this.selected.peek();
    const images = Array.from({ length: bottom - top + 1 }, (_, at) => top + at);
    this.do([{ kind: 'exclude', images, reasons: images.map(() => (reason.trim() === '' ? null : reason)) }]);
  }

  undo(): void {
    const step = this.past.peek().at(-1);
    if (!step) return;
    this.past.value = this.past.peek().slice(0, -1);
    // Done again, columns have the values that they have now, also of images that are read
    // meanwhile.
    const edits = this.apply(step.inverse, []);
    if (edits) this.future.value = [...this.future.peek(), { ...step, edits }];
    this.goTo(this.active.peek());
  }

  redo(): void {
    const step = this.future.peek().at(-1);
    if (!step) return;
    this.future.value = this.future.peek().slice(0, -1);
    const inverse = this.apply(step.edits, step.patterns);
    if (inverse) this.past.value = [...this.past.peek(), { ...step, inverse }];
    this.goTo(this.active.peek());
  }

  /** Resolves once all edits are stored. */
  stored(): Promise<void> {
    return this.turn;
  }

  private matchesOf(text: string | undefined): TypedPattern | undefined {
    const known = this.known.value;
    if (text === undefined || !known) return undefined;
    const parsed = parsePattern(text);
    if (!isPattern(parsed)) return { text, why: parsed };
    const found = matchPattern(parsed, known.images, known.columns);
    if (found.unmatched.length === known.images.length)
      return { text, why: reason('The pattern matches no image') };
    return { text, ...found, ...withFreeNames(text, found.columns, this.taken) };
  }

  private show({ taken, ...columns }: ShownImageColumns): void {
    this.taken = taken;
    const before = this.known.peek();
    const width = this.width;
    batch(() => {
      this.now.known.value = columns;
      if (!before) {
        this.goTo(this.active.peek());
        return;
      }
      const [names, now] = [namesOf(before), namesOf(columns)];
      const isSame = names.join('\n') === now.join('\n');
      // Images keep their positions, so that typed text and selection stay.
      if (isSame && this.width >= width) return;
      // Steps name columns by their positions.
      if (!isSame) this.forget();
      const place = ({ row, column }: SheetCell) => {
        if (column >= names.length) return { row, column: this.hasReasons.peek() ? now.length : -1 };
        return { row, column: placeOfColumn(column, names, now) ?? -1 };
      };
      const [active, anchor] = [place(this.active.peek()), place(this.anchor.peek())];
      if (active.column < 0 || anchor.column < 0) {
        // The column is gone.
        this.goTo(this.active.peek());
        return;
      }
      this.now.active.value = active;
      this.now.anchor.value = anchor;
    });
  }

  private add(given: GivenToImages, patterns: readonly string[]): void {
    const known = this.known.peek();
    if (known) this.do(editsOfGiven(known, given), patterns);
  }

  private changesOf(given: ShownSheet | TypedPattern | undefined): CellChanges | undefined {
    const known = this.known.value;
    if (!known || !given || 'why' in given) return undefined;
    try {
      return cellChanges(known, editsOfGiven(known, given));
    } catch {
      // Why it can't be is said when it is applied.
      return undefined;
    }
  }

  /** The same text for all selected cells of a column. */
  private fill(textOf: (column: number) => string): void {
    const { top, bottom, left, right } = this.selected.peek();
    const row = Array.from({ length: right - left + 1 }, (_, at) => textOf(left + at));
    this.put(
      { row: top, column: left },
      Array.from({ length: bottom - top + 1 }, () => row),
    );
  }

  /** Writes texts to cells from one on; the part beyond the sheet is left out. */
  private put({ row: top, column: left }: SheetCell, rows: readonly (readonly string[])[]): void {
    const known = this.known.peek();
    if (!known) return;
    const count = Math.min(rows.length, known.images.length - top);
    const width = Math.min(Math.max(0, ...rows.map(({ length }) => length)), this.width - left);
    const edits: ImageEdit[] = [];
    for (let offset = 0; offset < width; offset++) {
      const column = left + offset;
      const images: number[] = [];
      const values: string[] = [];
      for (let at = 0; at < count; at++) {
        const text = rows[at]?.[offset]?.trim();
        if (text === undefined || text === this.textAt({ row: top + at, column })) continue;
        images.push(top + at);
        values.push(text);
      }
      if (images.length === 0) continue;
      if (column < known.columns.length) edits.push({ kind: 'values', at: column, images, values });
      else
        edits.push({ kind: 'exclude', images, reasons: values.map(value => (value === '' ? null : value)) });
    }
    this.do(edits);
  }

  /** Applies edits, as a step that can be undone. */
  private do(edits: readonly ImageEdit[], patterns: readonly string[] = []): void {
    if (edits.length === 0) return;
    const inverse = this.apply(edits, patterns);
    if (!inverse) return;
    this.past.value = [...this.past.peek(), { edits, inverse, patterns }].slice(-MAX_STEPS);
    this.future.value = [];
  }

  /**
   * Shows edits at once, and stores them after earlier ones. Returns the edits that undo them;
   * undefined if refused.
   */
  private apply(made: readonly ImageEdit[], patterns: readonly string[]): ImageEdit[] | undefined {
    const known = this.known.peek();
    if (!known) return undefined;
    const edits = made.map(edit => (edit.kind === 'remove' ? { ...edit, removal: ++this.removals } : edit));
    try {
      const edited = applyEdits(known, edits, this.taken);
      const columns = namesOf(known);
      this.now.known.value = edited.columns;
      this.pending++;
      this.turn = this.turn.then(() => this.store({ edits, patterns, columns }));
      return edited.inverse;
    } catch (error) {
      this.options.onFailure(error);
      return undefined;
    }
  }

  private async store(step: EditsToStore): Promise<void> {
    try {
      await this.options.panel.editImages(step);
    } catch (error) {
      this.wasChanged = true;
      this.forget();
      this.options.onFailure(error);
    }
    if (--this.pending > 0 || !this.wasChanged) return;
    this.wasChanged = false;
    await this.load();
  }

  private forget(): void {
    this.past.value = [];
    this.future.value = [];
  }
}

/** Columns of a sheet or a pattern. */
type GivenToImages = ShownSheet | ProposedColumns;

/**
 * Images that a sheet or pattern says nothing of keep their values; of others it says all, also
 * that a cell is empty.
 */
function editsOfGiven(known: ImageColumns, given: GivenToImages): ImageEdit[] {
  const left = new Set('unmatched' in given ? given.unmatched : given.images);
  const edits = editsOfColumns(known, given.columns, image => !left.has(image));
  const excluded = 'excluded' in given ? given.excluded : [];
  const [images, reasons] = [excluded.map(({ image }) => image), excluded.map(({ reason }) => reason)];
  if (images.length > 0) edits.push({ kind: 'exclude', images, reasons });
  return edits;
}

/**
 * Where a column is once columns have other names: that of its name, else where there are as many
 * as before the one in its place, if that is a new name. Undefined where it is gone.
 */
export function placeOfColumn(
  at: number,
  before: readonly string[],
  now: readonly string[],
): number | undefined {
  const found = now.indexOf(before[at] ?? '');
  if (found >= 0) return found;
  return before.length === now.length && !before.includes(now[at] ?? '') ? at : undefined;
}

function namesOf({ columns }: ImageColumns): string[] {
  return columns.map(({ name }) => name);
}

/** A cell as a spreadsheet writes it to the clipboard. */
function cellAsText(text: string): string {
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Lines of cells as a spreadsheet copies them: parted by tabs, those with line breaks in quotes.
 */
export function cellsOfText(text: string): string[][] {
  const rows: string[][] = [[]];
  const content = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const quoted = /"((?:[^"]|"")*)"(?=\t|\n|$)/y;
  const plain = /[^\t\n]*/y;
  for (let at = 0; ; at++) {
    quoted.lastIndex = plain.lastIndex = at;
    const [found, inQuotes] = quoted.exec(content) ?? [];
    const cell = found ?? plain.exec(content)?.[0] ?? '';
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? cell);
    at += cell.length;
    if (at >= content.length) return rows;
    if (content[at] === '\n') rows.push([]);
  }
}
