const QUOTE = 0x22;
/** Of a longer text only the beginning is kept, with where the whole of it stands in the file. */
export const LONGEST_KEPT = 4096;
const MOST_ENTRIES = 1 << 24;

/** Code of a cell that its row does not have; shown as empty. */
export const ABSENT_CODE = 0;
/** Code of an empty cell. */
export const EMPTY_CODE = 1;
/** Answer of `add` when the dictionary may not grow any more. */
export const NO_ROOM = 0xffff_ffff;

/** A text too long to keep: its cell's bytes in the file (quotes included). */
export interface LongText {
  offset: number;
  length: number;
}

/** Entries as they travel between threads: the texts one after the other, and where each ends. */
export interface DictionaryEntries {
  bytes: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  /** By position in `ends`. */
  long: [at: number, text: LongText, second: number][];
}

/**
 * The different texts of a column as bytes, each with a code: equal bytes have equal codes. Codes 0 and 1 are the absent
 * and the empty cell. No string is made while a file is read.
 */
export class CsvDictionary {
  private bytes = new Uint8Array(0);
  private ends = new Uint32Array(0);
  private hashes = new Uint32Array(0);
  private slots = new Uint32Array(0);
  private readonly long = new Map<number, LongText & { second: number }>();
  private count = 2;
  private scratch = new Uint8Array(256);

  /** `limit` bounds the bytes kept. */
  constructor(private readonly limit: number) {
    // Arrays that are replaced from the start spare the engine the surprise when one grows in the middle of a scan.
    this.bytes = grown(this.bytes, 4096);
    this.ends = grown(this.ends, 256);
    this.hashes = grown(this.hashes, 256);
    this.slots = new Uint32Array(512);
  }

  /** Codes given so far; they run from 0. */
  get size(): number {
    return this.count;
  }

  /** Bytes of memory held. */
  get memory(): number {
    return this.bytes.length + 4 * (this.ends.length + this.hashes.length + this.slots.length);
  }

  /**
   * The code of the cell at [start, end), quotes included when `quoted`; `offset` is where it stands in the file. NO_ROOM
   * when it is new and the dictionary is full.
   */
  add(bytes: Uint8Array, start: number, end: number, quoted: boolean, offset: number): number {
    if (quoted) {
      const inner = innerLength(bytes, start, end);
      if (inner >= 0) return this.addPlain(bytes, start + 1, start + 1 + inner, offset, end - start);
      const length = this.unquote(bytes, start, end);
      return this.addPlain(this.scratch, 0, length, offset, end - start);
    }
    return this.addPlain(bytes, start, end, offset, end - start);
  }

  /** Whether the code's text is these bytes; spares the look-up where a cell repeats the one above. */
  is(code: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.startOf(code);
    const length = end - start;
    if ((this.ends[code] ?? 0) - from !== length || length > LONGEST_KEPT) return false;
    const kept = this.bytes;
    for (let at = 0; at < length; at++) if (kept[from + at] !== bytes[start + at]) return false;
    return true;
  }

  /** The bytes kept of a code's text (UTF-8 or whatever the file has); the beginning of a long one. */
  textBytes(code: number): Uint8Array {
    return this.bytes.subarray(this.startOf(code), this.ends[code] ?? 0);
  }

  /** Where the whole of a long text stands. */
  longText(code: number): LongText | undefined {
    return this.long.get(code);
  }

  /** Entries from a code on, to add to another dictionary by `addEntry`. */
  entriesFrom(first: number): DictionaryEntries {
    const start = this.startOf(first);
    const ends = this.ends.slice(first, this.count);
    for (let at = 0; at < ends.length; at++) ends[at] = (ends[at] ?? 0) - start;
    const long: DictionaryEntries['long'] = [];
    for (const [code, { second, ...text }] of this.long)
      if (code >= first) long.push([code - first, text, second]);
    return { bytes: this.bytes.slice(start, this.ends[this.count - 1] ?? 0), ends, long };
  }

  /** Adds entries of another dictionary; their codes here in their order. */
  addEntries({ bytes, ends, long }: DictionaryEntries): Uint32Array {
    const longAt = new Map(long.map(([at, text, second]) => [at, { ...text, second }]));
    let start = 0;
    return ends.map((end, at) => {
      const whole = longAt.get(at);
      const code = whole
        ? this.enter(bytes, start, end, hashOf(bytes, start, end) ^ whole.second, whole)
        : this.addPlain(bytes, start, end, 0, 0);
      start = end;
      return code;
    });
  }

  private startOf(code: number): number {
    return code === 0 ? 0 : (this.ends[code - 1] ?? 0);
  }

  private addPlain(bytes: Uint8Array, start: number, end: number, offset: number, length: number): number {
    if (start === end) return EMPTY_CODE;
    if (end - start <= LONGEST_KEPT)
      return this.enter(bytes, start, end, hashOf(bytes, start, end), undefined);
    const second = Math.imul(hashOf(bytes, start + LONGEST_KEPT, end), 0x9e37_79b1) ^ (end - start);
    const kept = start + LONGEST_KEPT;
    return this.enter(bytes, start, kept, hashOf(bytes, start, kept) ^ second, { offset, length, second });
  }

  private enter(
    bytes: Uint8Array,
    start: number,
    end: number,
    hash: number,
    whole: (LongText & { second: number }) | undefined,
  ): number {
    const mask = this.slots.length - 1;
    const wanted = hash >>> 0;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const code = this.slots[slot] ?? 0;
      if (code === 0) break;
      if (this.hashes[code] === wanted && this.same(code, bytes, start, end, whole)) return code;
      slot = (slot + 1) & mask;
    }
    return this.append(bytes, start, end, wanted, slot, whole);
  }

  private same(
    code: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    whole?: { second: number },
  ): boolean {
    if (!whole && this.long.size === 0) return this.is(code, bytes, start, end);
    const known = this.long.get(code);
    // Two hashes of 32 bits and the length stand for a long text.
    return known?.second === whole?.second && this.is(code, bytes, start, end);
  }

  private append(
    bytes: Uint8Array,
    start: number,
    end: number,
    hash: number,
    slot: number,
    whole: (LongText & { second: number }) | undefined,
  ): number {
    const code = this.count;
    const from = this.startOf(code);
    const to = from + end - start;
    if (code >= MOST_ENTRIES || to > this.limit) return NO_ROOM;
    if (to > this.bytes.length) this.bytes = grown(this.bytes, Math.max(to, this.bytes.length * 2));
    if (code >= this.ends.length) {
      this.ends = grown(this.ends, this.ends.length * 2);
      this.hashes = grown(this.hashes, this.hashes.length * 2);
    }
    const kept = this.bytes;
    for (let at = 0; at < end - start; at++) kept[from + at] = bytes[start + at] ?? 0;
    this.ends[code] = to;
    this.hashes[code] = hash;
    this.slots[slot] = code;
    if (whole) this.long.set(code, whole);
    this.count++;
    if (this.count * 2 > this.slots.length) this.rehash();
    return code;
  }

  private rehash(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let code = 2; code < this.count; code++) {
      const hash = this.hashes[code] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code;
    }
    this.slots = slots;
  }

  /** Puts the content of a cell whose quotes are doubled somewhere, or end early, into the scratch. */
  private unquote(bytes: Uint8Array, start: number, end: number): number {
    if (this.scratch.length < end - start) this.scratch = new Uint8Array(2 * (end - start));
    return unquoteInto(this.scratch, bytes, start, end);
  }
}

/** Writes a quoted cell's content: doubled quotes made single, text after the closing quote kept. Returns its length. */
export function unquoteInto(target: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  let inside = true;
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (inside && byte === QUOTE) {
      if (bytes[at + 1] !== QUOTE || at + 1 >= end) {
        inside = false;
        continue;
      }
      at++;
    }
    target[length++] = byte;
  }
  return length;
}

/** Length of the content of a cell quoted plainly; −1 when quotes are doubled or text follows. */
function innerLength(bytes: Uint8Array, start: number, end: number): number {
  const last = end - 1;
  for (let at = start + 1; at < last; at++) if (bytes[at] === QUOTE) return -1;
  return last - start - 1;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5 ^ (end - start);
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x0100_0193);
  return hash ^ (hash >>> 13);
}

function grown<T extends Uint8Array | Uint32Array>(array: T, length: number): T {
  const larger = (array instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length)) as T;
  larger.set(array);
  return larger;
}
