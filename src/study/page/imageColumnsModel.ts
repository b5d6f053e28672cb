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

/** Edits, the patterns that they were made from, and the names of columns at that time. */
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
  /** Whether the sheet was opened from a comparison. */
  isFromComparison?: boolean;
  /** Saves that the sheet was opened or closed. */
  save: (isOpen: boolean, isFromComparison: boolean) => void;
  /** Copies to the clipboard. */
  copy: (text: string) => void;
  /** Reports results, and failures with their reasons. */
  onSaved: (name: string, rows: number) => void;
  onFailure: (error: unknown) => void;
  /** Moves the focus to the rows. */
  enterRows: () => void;
  /** Shows the comparison of conditions again. */
  enterComparison: () => void;
}

/** A cell of the sheet: an image, and a column. */
export interface SheetCell {
  /** Position of the image. */
  row: number;
  /** Position of the column; the last column has the reasons why images are excluded. */
  column: number;
}

/** A rectangle of cells, with both ends. */
interface SheetRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Edits that are undone together. */
interface Step {
  edits: readonly ImageEdit[];
  inverse: readonly ImageEdit[];
  patterns: readonly string[];
}

/** A typed pattern with its columns, or the reason why it isn't valid. */
type TypedPattern = { text: string } & ({ problem: Reason } | ProposedColumns);

const MAX_STEPS = 200;

type EditParams = RequestsOf<typeof imagePageRequests>['editImages']['params'];

/** A copy of edits for a message to the host. */
export function editParams(step: EditsToStore): EditParams {
  return structuredClone(step) as EditParams;
}

/**
 * The metadata of images as a sheet: a row per image, a column per property. Edits show at once,
 * and are stored in sequence.
 */
export class ImageColumnsModel {
  /** State that only its methods write. */
  private readonly state = {
    isOpen: signal(false),
    isFromComparison: signal(false),
    metadata: signal<ImageColumns | undefined>(undefined),
    failure: signal<unknown>(undefined),
    pattern: signal<string | undefined>(undefined),
    sheet: signal<ShownSheet | undefined>(undefined),
    active: signal<SheetCell>({ row: 0, column: 0 }),
    anchor: signal<SheetCell>({ row: 0, column: 0 }),
    typing: signal<string | undefined>(undefined),
  };
  readonly isOpen: ReadonlySignal<boolean> = this.state.isOpen;
  /** The metadata; undefined until it is read. */
  readonly metadata: ReadonlySignal<ImageColumns | undefined> = this.state.metadata;
  /** The error of reading the metadata. */
  readonly failure: ReadonlySignal<unknown> = this.state.failure;
  /** Columns proposed from folders and names, while the images have no columns. */
  readonly proposed: ReadonlySignal<ProposedColumns | undefined>;
  /** The comparison that the proposed columns would give. */
  readonly comparison: ReadonlySignal<ProposedComparison | undefined>;
  /** Whether the sheet was opened from a comparison, and returns there when it closes. */
  readonly isFromComparison: ReadonlySignal<boolean> = this.state.isFromComparison;
  /** The pattern in the input; undefined while the input is closed. */
  readonly pattern: ReadonlySignal<string | undefined> = this.state.pattern;
  readonly typed: ReadonlySignal<TypedPattern | undefined>;
  /** A sheet that was read, before its columns are added. */
  readonly sheet: ReadonlySignal<ShownSheet | undefined> = this.state.sheet;
  /** The cells that the pattern or the sheet would change. */
  readonly changes: ReadonlySignal<CellChanges | undefined>;
  /** The cell with the focus, and the cell where the selection began. */
  readonly active: ReadonlySignal<SheetCell> = this.state.active;
  readonly anchor: ReadonlySignal<SheetCell> = this.state.anchor;
  /** The text being typed into the active cell. */
  readonly typing: ReadonlySignal<string | undefined> = this.state.typing;
  readonly selected: ReadonlySignal<SheetRange>;
  /** Why images are excluded, by their positions. */
  readonly reasons: ReadonlySignal<ReadonlyMap<number, string>>;
  readonly hasReasons: ReadonlySignal<boolean>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;
  private readonly past = signal<readonly Step[]>([]);
  private readonly future = signal<readonly Step[]>([]);
  private readonly isDismissed = signal(false);
  private takenNames: readonly string[] = [];
  private storing: Promise<void> = Promise.resolve();
  /** Number of steps that aren't stored yet. */
  private pending = 0;
  private isReloadDue = false;
  /** The number of the last removal, see ImageEdit. */
  private removals = 0;

  constructor(private readonly options: ImageColumnsOptions) {
    this.state.isOpen.value = options.isOpen;
    this.state.isFromComparison.value = options.isOpen && options.isFromComparison === true;
    this.proposed = computed(() => {
      const metadata = this.metadata.value;
      if (!metadata || metadata.columns.length > 0 || this.isDismissed.value) return undefined;
      const proposed = proposeColumns(metadata.images, this.takenNames);
      if (!proposed || !this.isFromComparison.value) return proposed;
      return proposedComparison(proposed)?.proposed ?? proposed;
    });
    this.comparison = computed(() => {
      const metadata = this.metadata.value;
      if (!metadata || metadata.columns.length > 0) return undefined;
      // A dismissed proposal of columns doesn't dismiss a comparison.
      const proposed = proposeColumns(metadata.images, this.takenNames);
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
    this.reasons = computed(() => reasonsOfExcluded({ excluded: this.metadata.value?.excluded ?? [] }));
    this.hasReasons = computed(() => this.reasons.value.size > 0);
    this.canUndo = computed(() => this.past.value.length > 0);
    this.canRedo = computed(() => this.future.value.length > 0);
  }

  /** Number of columns of the sheet, with that of reasons if images are excluded. */
  get width(): number {
    const metadata = this.metadata.peek();
    return (metadata?.columns.length ?? 0) + Number(this.hasReasons.peek());
  }

  async open(isFromComparison = false): Promise<void> {
    this.state.isOpen.value = true;
    this.state.isFromComparison.value = isFromComparison;
    this.options.save(true, isFromComparison);
    await this.load();
  }

  /** Closes the sheet, and returns to the rows or to a comparison. */
  leave(): void {
    const wasFromComparison = this.isFromComparison.peek();
    this.close();
    if (wasFromComparison) this.options.enterComparison();
    else this.options.enterRows();
  }

  close(): void {
    this.state.typing.value = undefined;
    this.state.isOpen.value = false;
    this.state.isFromComparison.value = false;
    this.options.save(false, false);
  }

  /** Reads the metadata; also a retry after a failure. */
  async load(): Promise<void> {
    this.state.failure.value = undefined;
    try {
      this.show(await this.options.panel.imageColumns());
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.state.failure.value = error;
    }
  }

  /** Shows a change from elsewhere, such as more images. The text being typed stays. */
  changed(shown: ShownImageColumns): void {
    // The page hasn't read the metadata yet.
    if (!this.metadata.peek()) return;
    if (this.pending > 0) {
      this.isReloadDue = true;
      return;
    }
    this.show(shown);
  }

  // Columns

  /** Adds the proposed columns. */
  acceptProposal(): void {
    const proposed = this.proposed.peek();
    if (proposed) this.add(proposed, [proposed.pattern]);
  }

  /** Adds the columns of the proposed comparison. */
  acceptComparison(): void {
    const { proposed } = this.comparison.peek() ?? {};
    if (proposed) this.add(proposed, [proposed.pattern]);
  }

  dismissProposal(): void {
    this.isDismissed.value = true;
  }

  /** Opens the input of the pattern, with the proposed one if there is one. */
  openPattern(): void {
    this.state.sheet.value = undefined;
    const metadata = this.metadata.peek();
    this.state.pattern.value = (metadata && proposeColumns(metadata.images)?.pattern) ?? '';
  }

  type(pattern: string): void {
    this.state.pattern.value = pattern;
  }

  closePattern(): void {
    this.state.pattern.value = undefined;
  }

  /** Adds the columns of the typed pattern; does nothing if it matches no image. */
  applyPattern(): void {
    const typed = this.typed.peek();
    if (!typed || 'problem' in typed) return;
    this.add(typed, [typed.pattern]);
    this.state.pattern.value = undefined;
  }

  /** Adds an empty column, and moves to its first cell. */
  addColumn(name: string): void {
    const metadata = this.metadata.peek();
    if (!metadata) return;
    const names = [...this.takenNames, ...metadata.columns.map(column => column.name)];
    let freeName = name;
    for (let number = 2; whyNoColumn(freeName, names); number++) freeName = `${name} ${number}`;
    const at = metadata.columns.length;
    this.do([{ kind: 'insert', at, column: { name: freeName, values: metadata.images.map(() => '') } }]);
    this.goTo({ row: 0, column: at });
  }

  removeColumn(at: number): void {
    this.do([{ kind: 'remove', at }]);
    const { row, column } = this.active.peek();
    this.goTo({ row, column: Math.max(0, Math.min(column, this.width - 1)) });
  }

  /** The reason why a column can't have a name. */
  whyNotNamed(at: number, name: string): Reason | undefined {
    const columns = this.metadata.peek()?.columns ?? [];
    const others = columns.filter((_, other) => other !== at).map(column => column.name);
    return whyNoColumn(name, columns[at]?.name === name ? others : [...others, ...this.takenNames]);
  }

  /** Changes the name, order or reference of a column, or whether it is numeric. */
  describe(at: number, changes: Partial<Omit<ImageColumn, 'values' | 'role'>>): void {
    const column = this.metadata.peek()?.columns[at];
    if (!column) return;
    this.do([{ kind: 'describe', at, column: { ...withRole(column, column.role), ...changes } }]);
  }

  /** Sets whether a column is numeric. */
  setNumeric(at: number, isNumeric: boolean): void {
    const column = this.metadata.peek()?.columns[at];
    if (!column) return;
    const { isNumeric: before, ...description } = withRole(column, column.role);
    if ((before === true) === isNumeric) return;
    this.do([
      { kind: 'describe', at, column: { ...description, ...(isNumeric && { isNumeric: true as const }) } },
    ]);
  }

  setReference(at: number, reference: string | undefined): void {
    const column = this.metadata.peek()?.columns[at];
    if (!column) return;
    const { reference: before, ...others } = withRole(column, column.role);
    if (before === reference) return;
    this.do([{ kind: 'describe', at, column: { ...others, ...(reference !== undefined && { reference }) } }]);
  }

  /** Sets or removes the role of a column; returns the reason why it can't have it. */
  setRole(at: number, role: ImageRole | undefined): Reason | undefined {
    const column = this.metadata.peek()?.columns[at];
    if (!column) return undefined;
    const problem = role && whyNoRole(column, role);
    if (problem) return problem;
    this.do([{ kind: 'describe', at, column: withRole(column, role) }]);
    return undefined;
  }

  // Sheets

  /** Lets the user select a sheet, or joins the last one by another key column or header. */
  async joinSheet(again?: JoinAgain): Promise<void> {
    try {
      const sheet = await this.options.panel.joinSampleSheet({ ...(again && { again }) });
      if (!sheet) return;
      batch(() => {
        this.state.pattern.value = undefined;
        this.state.sheet.value = sheet;
      });
    } catch (error) {
      this.options.onFailure(error);
    }
  }

  /** Adds the columns of the sheet; does nothing while the user must select its image column. */
  applySheet(): void {
    const sheet = this.sheet.peek();
    if (!sheet || sheet.rivals.length > 0) return;
    this.add(sheet, []);
    this.state.sheet.value = undefined;
  }

  closeSheet(): void {
    this.state.sheet.value = undefined;
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
    const metadata = this.metadata.value;
    if (!metadata) return '';
    const imageColumn = metadata.columns[column];
    if (imageColumn) return imageColumn.values[row] ?? '';
    return column === metadata.columns.length ? (this.reasons.value.get(row) ?? '') : '';
  }

  /** Moves the focus to a cell; the selection begins there, or with `extend` ends there. */
  goTo({ row, column }: SheetCell, extend = false): void {
    const rows = this.metadata.peek()?.images.length ?? 0;
    const cell = {
      row: Math.max(0, Math.min(rows - 1, row)),
      column: Math.max(0, Math.min(this.width - 1, column)),
    };
    batch(() => {
      this.state.typing.value = undefined;
      this.state.active.value = cell;
      if (!extend) this.state.anchor.value = cell;
    });
  }

  selectAll(): void {
    const rows = this.metadata.peek()?.images.length ?? 0;
    this.state.anchor.value = { row: 0, column: 0 };
    this.state.active.value = { row: Math.max(0, rows - 1), column: Math.max(0, this.width - 1) };
  }

  /** Starts typing in the active cell, with its text or another one. */
  edit(text = this.textAt(this.active.peek())): void {
    if (this.width === 0) return;
    this.state.anchor.value = this.active.peek();
    this.state.typing.value = text;
  }

  /** Stores the typed text in the active cell. */
  commit(): void {
    const text = this.typing.peek();
    this.state.typing.value = undefined;
    if (text === undefined) return;
    const cell = this.active.peek();
    if (text.trim() !== this.textAt(cell)) this.write(cell, [[text]]);
  }

  cancel(): void {
    this.state.typing.value = undefined;
  }

  /** Empties the selected cells. */
  clear(): void {
    this.fill(() => '');
  }

  /** Copies the first selected row into those below; a single cell gets the text above it. */
  fillDown(): void {
    const { top, bottom } = this.selected.peek();
    const sourceRow = top === bottom ? top - 1 : top;
    if (sourceRow >= 0) this.fill(column => this.textAt({ row: sourceRow, column }));
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
   * Pastes tab-separated lines from the start of the selection; a single text fills the whole
   * selection.
   */
  paste(text: string): void {
    const rows = cellsOfText(text);
    const { top, bottom, left, right } = this.selected.peek();
    const [[firstText = ''] = []] = rows;
    if (rows.length === 1 && rows[0]?.length === 1 && (top < bottom || left < right)) {
      this.fill(() => firstText);
      return;
    }
    this.write({ row: top, column: left }, rows);
  }

  /** Excludes the images of the selected rows for a reason; with '' includes them again. */
  exclude(reason: string): void {
    const { top, bottom } = this.selected.peek();
    const images = Array.from({ length: bottom - top + 1 }, (_, at) => top + at);
    this.do([{ kind: 'exclude', images, reasons: images.map(() => (reason.trim() === '' ? null : reason)) }]);
  }

  undo(): void {
    const step = this.past.peek().at(-1);
    if (!step) return;
    this.past.value = this.past.peek().slice(0, -1);
    // A redo restores the current values, which include images that were read in the meantime.
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
    return this.storing;
  }

  private matchesOf(text: string | undefined): TypedPattern | undefined {
    const metadata = this.metadata.value;
    if (text === undefined || !metadata) return undefined;
    const parsed = parsePattern(text);
    if (!isPattern(parsed)) return { text, problem: parsed };
    const matches = matchPattern(parsed, metadata.images, metadata.columns);
    if (matches.unmatched.length === metadata.images.length)
      return { text, problem: reason('The pattern matches no image') };
    return { text, ...matches, ...withFreeNames(text, matches.columns, this.takenNames) };
  }

  private show({ taken, ...columns }: ShownImageColumns): void {
    this.takenNames = taken;
    const before = this.metadata.peek();
    const width = this.width;
    batch(() => {
      this.state.metadata.value = columns;
      if (!before) {
        this.goTo(this.active.peek());
        return;
      }
      const [names, newNames] = [namesOf(before), namesOf(columns)];
      const isSame = identityOf(before) === identityOf(columns);
      // Images keep their positions, so the typed text and the selection stay.
      if (isSame && this.width >= width) return;
      // Undo steps have columns by position.
      if (!isSame) this.clearHistory();
      const movedCell = ({ row, column }: SheetCell) => {
        if (column >= names.length) return { row, column: this.hasReasons.peek() ? newNames.length : -1 };
        return { row, column: placeOfColumn(column, names, newNames) ?? -1 };
      };
      const [active, anchor] = [movedCell(this.active.peek()), movedCell(this.anchor.peek())];
      if (active.column < 0 || anchor.column < 0) {
        // The column was removed.
        this.goTo(this.active.peek());
        return;
      }
      this.state.active.value = active;
      this.state.anchor.value = anchor;
    });
  }

  private add(added: AddedColumns, patterns: readonly string[]): void {
    const metadata = this.metadata.peek();
    if (metadata) this.do(editsOfAdded(metadata, added), patterns);
  }

  private changesOf(added: ShownSheet | TypedPattern | undefined): CellChanges | undefined {
    const metadata = this.metadata.value;
    if (!metadata || !added || 'problem' in added) return undefined;
    try {
      return cellChanges(metadata, editsOfAdded(metadata, added));
    } catch {
      // Applying shows the reason why this can't be added.
      return undefined;
    }
  }

  /** Writes the text of each column to its selected cells. */
  private fill(textOf: (column: number) => string): void {
    const { top, bottom, left, right } = this.selected.peek();
    const row = Array.from({ length: right - left + 1 }, (_, at) => textOf(left + at));
    this.write(
      { row: top, column: left },
      Array.from({ length: bottom - top + 1 }, () => row),
    );
  }

  /** Writes texts to cells, starting at a cell; texts beyond the sheet are dropped. */
  private write({ row: top, column: left }: SheetCell, rows: readonly (readonly string[])[]): void {
    const metadata = this.metadata.peek();
    if (!metadata) return;
    const count = Math.min(rows.length, metadata.images.length - top);
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
      if (column < metadata.columns.length) edits.push({ kind: 'values', at: column, images, values });
      else
        edits.push({ kind: 'exclude', images, reasons: values.map(value => (value === '' ? null : value)) });
    }
    this.do(edits);
  }

  /** Applies edits as one step that can be undone. */
  private do(edits: readonly ImageEdit[], patterns: readonly string[] = []): void {
    if (edits.length === 0) return;
    const inverse = this.apply(edits, patterns);
    if (!inverse) return;
    this.past.value = [...this.past.peek(), { edits, inverse, patterns }].slice(-MAX_STEPS);
    this.future.value = [];
  }

  /**
   * Shows edits at once, and stores them after earlier ones. Returns the edits that undo them;
   * undefined if they aren't valid.
   */
  private apply(newEdits: readonly ImageEdit[], patterns: readonly string[]): ImageEdit[] | undefined {
    const metadata = this.metadata.peek();
    if (!metadata) return undefined;
    const edits = newEdits.map(edit =>
      edit.kind === 'remove' ? { ...edit, removal: ++this.removals } : edit,
    );
    try {
      const edited = applyEdits(metadata, edits, this.takenNames);
      const columns = namesOf(metadata);
      this.state.metadata.value = edited.columns;
      this.pending++;
      this.storing = this.storing.then(() => this.store({ edits, patterns, columns }));
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
      this.isReloadDue = true;
      this.clearHistory();
      this.options.onFailure(error);
    }
    if (--this.pending > 0 || !this.isReloadDue) return;
    this.isReloadDue = false;
    await this.load();
  }

  private clearHistory(): void {
    this.past.value = [];
    this.future.value = [];
  }
}

/** Columns of a sheet or a pattern. */
type AddedColumns = ShownSheet | ProposedColumns;

/**
 * The edits that add columns. Images without a row or match keep their values; for the others,
 * empty cells count too.
 */
function editsOfAdded(metadata: ImageColumns, added: AddedColumns): ImageEdit[] {
  const unmatched = new Set('unmatched' in added ? added.unmatched : added.images);
  const edits = editsOfColumns(metadata, added.columns, image => !unmatched.has(image));
  const excluded = 'excluded' in added ? added.excluded : [];
  const [images, reasons] = [excluded.map(({ image }) => image), excluded.map(({ reason }) => reason)];
  if (images.length > 0) edits.push({ kind: 'exclude', images, reasons });
  return edits;
}

/**
 * The new position of a column: that of its name. If no column has the name, the column may have
 * been renamed: the same position, if it has a new name and no column was added or removed.
 * Undefined if the column was removed.
 */
export function placeOfColumn(
  at: number,
  namesBefore: readonly string[],
  namesNow: readonly string[],
): number | undefined {
  const position = namesNow.indexOf(namesBefore[at] ?? '');
  if (position >= 0) return position;
  return namesBefore.length === namesNow.length && !namesBefore.includes(namesNow[at] ?? '') ? at : undefined;
}

function namesOf({ columns }: ImageColumns): string[] {
  return columns.map(({ name }) => name);
}

/** Differs also if columns have got each other's names. */
function identityOf({ columns }: ImageColumns): string {
  return JSON.stringify(columns.map(({ name, id = name }) => [name, id]));
}

/** The text of a cell in the format of spreadsheets on the clipboard. */
function cellAsText(text: string): string {
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Cells of text that a spreadsheet copied: separated by tabs, and quoted if they have line breaks.
 */
export function cellsOfText(text: string): string[][] {
  const rows: string[][] = [[]];
  const content = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const quoted = /"((?:[^"]|"")*)"(?=\t|\n|$)/y;
  const plain = /[^\t\n]*/y;
  for (let position = 0; ; position++) {
    quoted.lastIndex = plain.lastIndex = position;
    const [quotedCell, quotedText] = quoted.exec(content) ?? [];
    const cell = quotedCell ?? plain.exec(content)?.[0] ?? '';
    rows.at(-1)?.push(quotedText?.replaceAll('""', '"') ?? cell);
    position += cell.length;
    if (position >= content.length) return rows;
    if (content[position] === '\n') rows.push([]);
  }
}
