import { isPlainlyQuoted, unquoteInto } from './csvGrammar';

/** Maximum bytes stored of a text; of a longer one, its position in the file is stored as well. */
export const MAX_STORED_BYTES = 4096;
const MAX_ENTRIES = 1 << 24;

/** Code of a cell that its row doesn't have; shown as empty. */
export const ABSENT_CODE = 0;
/** Code of an empty cell. */
export const EMPTY_CODE = 1;
/** Returned by `add` if the dictionary mustn't grow any more. */
export const NO_ROOM = 0xffff_ffff;

/** A text too long to store: its cell's bytes in the file, quotes included. */
interface LongText {
  offset: number;
  length: number;
}

/** Entries in the form for messages between threads: the texts in sequence, and where each ends. */
export interface DictionaryEntries {
  bytes: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  /** Long texts: position in `ends`, and the hash of the part that isn't stored. */
  long: [entry: number, text: LongText, endHash: number][];
}

/**
 * The different texts of a column as bytes, with a code for each: equal bytes have equal codes.
 * Codes 0 and 1 are the absent and the empty cell. Tables of measurements repeat few texts, so with
 * a dictionary a column takes 4 bytes per row, filters and groups test each text once, and reading
 * a file makes no strings. A hash table with open addressing finds codes.
 */
export class CsvDictionary {
  private bytes = new Uint8Array(0);
  private ends = new Uint32Array(0);
  private hashes = new Uint32Array(0);
  private slots = new Uint32Array(0);
  private readonly longTexts = new Map<number, LongText & { endHash: number }>();
  private count = 2;
  private scratch = new Uint8Array(256);

  /** `limit`: maximum of bytes stored. */
  constructor(private readonly limit: number) {
    // Replaced at once: the compiler would take these fields for constants, and deoptimize when one
    // grows.
    this.bytes = grown(this.bytes, 4096);
    this.ends = grown(this.ends, 256);
    this.hashes = grown(this.hashes, 256);
    this.slots = new Uint32Array(512);
  }

  /** Number of codes, which count from 0. */
  get size(): number {
    return this.count;
  }

  /** Memory used, in bytes. */
  get memory(): number {
    return this.bytes.length + 4 * (this.ends.length + this.hashes.length + this.slots.length);
  }

  /**
   * The code of the cell at [start, end), quotes included if `quoted`. `offset`: its position in
   * the file. NO_ROOM if the text is new and the dictionary is full.
   */
  add(bytes: Uint8Array, start: number, end: number, quoted: boolean, offset: number): number {
    if (quoted) {
      if (isPlainlyQuoted(bytes, start, end))
        return this.addPlain(bytes, start + 1, end - 1, offset, end - start);
      if (this.scratch.length < end - start) this.scratch = new Uint8Array(2 * (end - start));
      const length = unquoteInto(this.scratch, bytes, start, end);
      return this.addPlain(this.scratch, 0, length, offset, end - start);
    }
    return this.addPlain(bytes, start, end, offset, end - start);
  }

  /**
   * Whether the code's text is these bytes; also false for long texts, which aren't stored
   * completely. Faster than a lookup, for cells that repeat the one above.
   */
  isText(code: number, bytes: Uint8Array, start: number, end: number): boolean {
    return end - start < MAX_STORED_BYTES && this.isStored(code, bytes, start, end);
  }

  /** The stored bytes of a code's text, as in the file; only the beginning of a long text. */
  textBytes(code: number): Uint8Array {
    return this.bytes.subarray(this.startOf(code), this.ends[code] ?? 0);
  }

  /** For a long text, its position in the file. */
  longText(code: number): LongText | undefined {
    return this.longTexts.get(code);
  }

  /** Entries from a code on, for `addEntries` of another dictionary. */
  entriesFrom(first: number): DictionaryEntries {
    const start = this.startOf(first);
    const ends = this.ends.slice(first, this.count);
    for (let i = 0; i < ends.length; i++) ends[i] = (ends[i] as number) - start;
    const long: DictionaryEntries['long'] = [];
    for (const [code, { endHash, ...text }] of this.longTexts)
      if (code >= first) long.push([code - first, text, endHash]);
    return { bytes: this.bytes.slice(start, this.ends[this.count - 1] ?? 0), ends, long };
  }

  /** Adds entries of another dictionary. Returns their codes here, in the same order. */
  addEntries({ bytes, ends, long }: DictionaryEntries): Uint32Array {
    const longTextOfEntry = new Map(long.map(([index, text, endHash]) => [index, { ...text, endHash }]));
    let start = 0;
    return ends.map((end, index) => {
      const longText = longTextOfEntry.get(index);
      const code = longText
        ? this.findOrAdd(bytes, start, end, hashOf(bytes, start, end) ^ longText.endHash, longText)
        : this.addPlain(bytes, start, end, 0, 0);
      start = end;
      return code;
    });
  }

  private startOf(code: number): number {
    return code === 0 ? 0 : (this.ends[code - 1] as number);
  }

  private addPlain(bytes: Uint8Array, start: number, end: number, offset: number, length: number): number {
    if (start === end) return EMPTY_CODE;
    if (end - start <= MAX_STORED_BYTES)
      return this.findOrAdd(bytes, start, end, hashOf(bytes, start, end), undefined);
    const endHash = Math.imul(hashOf(bytes, start + MAX_STORED_BYTES, end), 0x9e37_79b1) ^ (end - start);
    const storedEnd = start + MAX_STORED_BYTES;
    return this.findOrAdd(bytes, start, storedEnd, hashOf(bytes, start, storedEnd) ^ endHash, {
      offset,
      length,
      endHash,
    });
  }

  private findOrAdd(
    bytes: Uint8Array,
    start: number,
    end: number,
    hash: number,
    longText: (LongText & { endHash: number }) | undefined,
  ): number {
    const mask = this.slots.length - 1;
    const unsignedHash = hash >>> 0;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const code = this.slots[slot] as number;
      if (code === 0) break;
      if (this.hashes[code] === unsignedHash && this.isSame(code, bytes, start, end, longText)) return code;
      slot = (slot + 1) & mask;
    }
    return this.append(bytes, start, end, unsignedHash, slot, longText);
  }

  private isSame(
    code: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    longText?: { endHash: number },
  ): boolean {
    if (!longText && this.longTexts.size === 0) return this.isStored(code, bytes, start, end);
    const storedLongText = this.longTexts.get(code);
    // Long texts are compared by two 32-bit hashes and their length.
    return storedLongText?.endHash === longText?.endHash && this.isStored(code, bytes, start, end);
  }

  private isStored(code: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.startOf(code);
    const length = end - start;
    if ((this.ends[code] as number) - from !== length) return false;
    const stored = this.bytes;
    for (let i = 0; i < length; i++) if (stored[from + i] !== bytes[start + i]) return false;
    return true;
  }

  private append(
    bytes: Uint8Array,
    start: number,
    end: number,
    hash: number,
    slot: number,
    longText: (LongText & { endHash: number }) | undefined,
  ): number {
    const code = this.count;
    const from = this.startOf(code);
    const to = from + end - start;
    if (code >= MAX_ENTRIES || to > this.limit) return NO_ROOM;
    if (to > this.bytes.length) this.bytes = grown(this.bytes, Math.max(to, this.bytes.length * 2));
    if (code >= this.ends.length) {
      this.ends = grown(this.ends, this.ends.length * 2);
      this.hashes = grown(this.hashes, this.hashes.length * 2);
    }
    const stored = this.bytes;
    for (let i = 0; i < end - start; i++) stored[from + i] = bytes[start + i] as number;
    this.ends[code] = to;
    this.hashes[code] = hash;
    this.slots[slot] = code;
    if (longText) this.longTexts.set(code, longText);
    this.count++;
    if (this.count * 2 > this.slots.length) this.rehash();
    return code;
  }

  private rehash(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let code = 2; code < this.count; code++) {
      const hash = this.hashes[code] as number;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code;
    }
    this.slots = slots;
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5 ^ (end - start);
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x0100_0193);
  return hash ^ (hash >>> 13);
}

function grown<T extends Uint8Array | Uint32Array>(array: T, length: number): T {
  const larger = (array instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length)) as T;
  larger.set(array);
  return larger;
}
