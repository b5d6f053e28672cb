import { type WasmGlobal, type WasmMemory, WasmModule } from '../../base/wasmModule';
import wasm from './kernel/masksKernel.wasm';
import { Field, type RecordTemplate } from './recordScanner';

/** The exports of kernel/masksKernel.as; addresses are in its memory. */
interface Exports {
  memory: WasmMemory;
  arrange(windowBytes: number): void;
  begin(values: number, classes: number, width: number, height: number): void;
  readObjects(from: number, end: number, key: number, isFirst: number, priorRuns: number): number;
  readonly template: WasmGlobal;
  readonly classes: WasmGlobal;
  readonly texts: WasmGlobal;
  readonly window: WasmGlobal;
  readonly ids: WasmGlobal;
  readonly scores: WasmGlobal;
  readonly areas: WasmGlobal;
  readonly boxes: WasmGlobal;
  readonly runEnds: WasmGlobal;
  readonly classIndexes: WasmGlobal;
  readonly runs: WasmGlobal;
  readonly count: WasmGlobal;
  readonly runCount: WasmGlobal;
  readonly lastKey: WasmGlobal;
  readonly otherIds: WasmGlobal;
  readonly withoutClass: WasmGlobal;
}

/** As in kernel/masksKernel.as. */
const ENTRY_WORDS = 3;
const TEXT_BYTES = 16_384;
const MAX_CLASSES = 64;
const MAX_OBJECTS = 4096;

/** Maximum size of JSON that is read at once; JavaScript reads longer records. */
const WINDOW_BYTES = 512 * 1024;

/** The kernel only reads records with all of these. */
const REQUIRED_FIELDS: readonly Field[] = [
  Field.Height,
  Field.Width,
  Field.Id,
  Field.Counts,
  Field.ClassName,
];

/** A class that an object had before: its name in JSON, and its index. */
export interface SeenClass {
  bytes: Uint8Array;
  index: number;
}

/** Objects that the kernel read, as columns in its memory; valid until it reads the next ones. */
export interface ReadObjects {
  count: number;
  ids: Float64Array;
  /** NaN where there is none. */
  scores: Float64Array;
  /** Pixels. */
  areas: Float64Array;
  /** x1, y1, x2, y2 (exclusive) of each object. */
  boxes: Int32Array;
  classes: Uint16Array;
  /** The runs inside the boxes, one object after the other. */
  runs: Uint32Array;
  /** The end of each object's runs, counted from the first run of the image. */
  runEnds: Uint32Array;
  /** The key of the last object. */
  lastKey: number;
  idsOtherThanKeys: number;
  withoutClass: number;
}

/**
 * Reads object records by WebAssembly, with the results of RecordScanner and ObjectColumns in a
 * fraction of the time. kernel/masksKernel.as describes the layout of its memory, and the records
 * that it reads.
 */
export class MasksKernel {
  /** The kernel reads JSON from here. */
  readonly window: Uint8Array<ArrayBuffer>;
  private readonly words: Uint32Array<ArrayBuffer>;
  private readonly columns: Pick<
    ReadObjects,
    'ids' | 'scores' | 'areas' | 'boxes' | 'classes' | 'runs' | 'runEnds'
  >;

  constructor(private readonly kernel: Exports) {
    kernel.arrange(WINDOW_BYTES);
    const { buffer } = kernel.memory;
    this.words = new Uint32Array(buffer);
    this.window = new Uint8Array(buffer, kernel.window.value, WINDOW_BYTES);
    this.columns = {
      ids: new Float64Array(buffer, kernel.ids.value, MAX_OBJECTS),
      scores: new Float64Array(buffer, kernel.scores.value, MAX_OBJECTS),
      areas: new Float64Array(buffer, kernel.areas.value, MAX_OBJECTS),
      boxes: new Int32Array(buffer, kernel.boxes.value, 4 * MAX_OBJECTS),
      classes: new Uint16Array(buffer, kernel.classIndexes.value, MAX_OBJECTS),
      runs: new Uint32Array(buffer, kernel.runs.value),
      runEnds: new Uint32Array(buffer, kernel.runEnds.value, MAX_OBJECTS),
    };
  }

  /**
   * Sets the form of records, the classes and the size of their image. False if the kernel can't
   * read them.
   */
  begin(template: RecordTemplate, classes: readonly SeenClass[], width: number, height: number): boolean {
    const { values, gaps, gapEnds } = template;
    if (!REQUIRED_FIELDS.every(field => values.includes(field))) return false;
    const { kernel, words } = this;
    const bytes = new Uint8Array(words.buffer, kernel.texts.value, TEXT_BYTES);
    let used = 0;
    const writeText = (text: Uint8Array): number => {
      bytes.set(text, used);
      used += text.length;
      return kernel.texts.value + used - text.length;
    };
    if (gaps.length > TEXT_BYTES) return false;
    let start = 0;
    gapEnds.forEach((end, value) => {
      const entry = kernel.template.value / 4 + ENTRY_WORDS * value;
      words[entry] = values[value] ?? 0;
      words[entry + 1] = writeText(gaps.subarray(start, end));
      words[entry + 2] = end - start;
      start = end;
    });
    let classCount = 0;
    for (const { bytes: name, index } of classes) {
      if (classCount === MAX_CLASSES || used + name.length > TEXT_BYTES) break;
      const entry = kernel.classes.value / 4 + ENTRY_WORDS * classCount++;
      words[entry] = writeText(name);
      words[entry + 1] = name.length;
      words[entry + 2] = index;
    }
    kernel.begin(values.length, classCount, width, height);
    return true;
  }

  /**
   * Reads objects from `position` of the window on, each with the comma before it; the first has
   * none if it `isFirst`. The JSON ends at `end`. `key` is the previous object's key, or −1;
   * `priorRuns` counts the runs of all earlier objects. Returns the start of the first object left
   * to JavaScript.
   */
  read(position: number, end: number, key: number, isFirst: boolean, priorRuns: number): number {
    const { kernel } = this;
    const base = kernel.window.value;
    return kernel.readObjects(base + position, base + end, key, isFirst ? 1 : 0, priorRuns) - base;
  }

  /** The objects that were read last; undefined if there are none. */
  get objects(): ReadObjects | undefined {
    const { kernel, columns } = this;
    const count = kernel.count.value;
    if (count === 0) return undefined;
    return {
      count,
      ids: columns.ids.subarray(0, count),
      scores: columns.scores.subarray(0, count),
      areas: columns.areas.subarray(0, count),
      boxes: columns.boxes.subarray(0, 4 * count),
      classes: columns.classes.subarray(0, count),
      runs: columns.runs.subarray(0, kernel.runCount.value),
      runEnds: columns.runEnds.subarray(0, count),
      lastKey: kernel.lastKey.value,
      idsOtherThanKeys: kernel.otherIds.value,
      withoutClass: kernel.withoutClass.value,
    };
  }
}

const kernelModule = new WasmModule<Exports>(wasm);

/**
 * Kernels for the images of archives, used in turn, as each has 3 MB of memory. There are as many
 * as images read at once, mostly one.
 */
export class MasksKernels {
  private idle: MasksKernel | undefined;
  private isMissing = false;

  /**
   * A kernel for one image; undefined if there can't be any (see WasmModule.start): then JavaScript
   * reads everything.
   */
  acquire(): MasksKernel | undefined {
    const { idle } = this;
    this.idle = undefined;
    if (idle || this.isMissing) return idle;
    const kernel = kernelModule.start(exports => new MasksKernel(exports));
    this.isMissing = kernel === undefined;
    return kernel;
  }

  /** Call it when the image was read. */
  release(kernel: MasksKernel): void {
    this.idle = kernel;
  }
}
