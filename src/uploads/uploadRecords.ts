import type { StateStore } from '../base/stateStore';

/** What is remembered of an uploaded file, so that its picture can be found again on this machine. */
export interface UploadRecord {
  uri: string;
  fileName: string;
  destinationFolder?: string;
  size: number;
  /** Hexadecimal, of the bytes that were sent. */
  sha256: string;
  /** ISO 8601. */
  uploadedAt: string;
}

/** The records lie in so many values of the state, chosen by item id: one value would be megabytes to write each time. */
const SHARDS = 16;
const RECORDS_PER_SHARD = 20_000 / SHARDS;

type Entry = [itemId: string, record: UploadRecord];

/** Item id → upload record, per account; the newest 20,000 or so (1,250 of each sixteenth of the ids). */
export class UploadRecords {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly state: StateStore) {}

  /** The record of the file that became this item; undefined if it was not uploaded from here, or long ago. */
  async find(itemId: string): Promise<UploadRecord | undefined> {
    await this.turn;
    return (await this.read(itemId)).findLast(([id]) => id === itemId)?.[1];
  }

  /** Remembers an upload. Another window's records of meanwhile are kept. */
  add(itemId: string, record: UploadRecord): Promise<void> {
    const adding = this.turn.then(async () => {
      const others = (await this.read(itemId)).filter(([id]) => id !== itemId);
      await this.state.write(shardOf(itemId), [...others, [itemId, record]].slice(-RECORDS_PER_SHARD));
    });
    this.turn = adding.catch(() => undefined);
    return adding;
  }

  private async read(itemId: string): Promise<Entry[]> {
    const value = await this.state.read(shardOf(itemId));
    return Array.isArray(value) ? value.filter(isEntry) : [];
  }
}

function shardOf(itemId: string): string {
  let sum = 0;
  for (let index = 0; index < itemId.length; index++) sum = (sum * 31 + itemId.charCodeAt(index)) % 65_521;
  return `uploads-${(sum % SHARDS).toString(16)}`;
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false;
  const { uri, fileName, size, sha256, uploadedAt } = (value[1] ?? {}) as Partial<
    Record<keyof UploadRecord, unknown>
  >;
  const texts = [uri, fileName, sha256, uploadedAt];
  return texts.every(text => typeof text === 'string') && typeof size === 'number';
}
