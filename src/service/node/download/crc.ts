/*
 * Cyclic redundancy checks that zlib doesn't have, each bit-reflected and inverted before and after: CRC-32C (RFC 3720,
 * appendix B.4) and CRC-64/NVME (NVM Express, NVM Command Set Specification). A byte is looked up in a table at a time.
 */

/** A check of bytes as they come. */
export interface RunningCrc {
  update(bytes: Uint8Array): void;
  /** The check of all bytes so far, the highest byte first. */
  end(): Uint8Array;
}

/** Reflected polynomials. */
const CASTAGNOLI = 0x82f63b78n;
const NVME = 0x9a6c9329ac4bc9b5n;

export class Crc32c implements RunningCrc {
  private readonly table = halves(CASTAGNOLI).low;
  private crc = -1;

  update(bytes: Uint8Array): void {
    const { table } = this;
    let { crc } = this;
    for (let i = 0; i < bytes.length; i++) {
      crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
    }
    this.crc = crc;
  }

  end(): Uint8Array {
    return bigEndian(~this.crc);
  }
}

export class Crc64Nvme implements RunningCrc {
  private readonly table = halves(NVME);
  private low = -1;
  private high = -1;

  update(bytes: Uint8Array): void {
    const { low: lows, high: highs } = this.table;
    let { low, high } = this;
    for (let i = 0; i < bytes.length; i++) {
      const index = (low ^ (bytes[i] as number)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (lows[index] as number);
      high = (high >>> 8) ^ (highs[index] as number);
    }
    this.low = low;
    this.high = high;
  }

  end(): Uint8Array {
    return bigEndian(~this.high, ~this.low);
  }
}

/** What each byte adds to a check of up to 64 bits, as two halves. */
function halves(polynomial: bigint): { low: Int32Array; high: Int32Array } {
  const low = new Int32Array(256);
  const high = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let rest = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) rest = rest & 1n ? (rest >> 1n) ^ polynomial : rest >> 1n;
    low[byte] = Number(BigInt.asIntN(32, rest));
    high[byte] = Number(BigInt.asIntN(32, rest >> 32n));
  }
  return { low, high };
}

function bigEndian(...words: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [index, word] of words.entries()) view.setInt32(4 * index, word);
  return new Uint8Array(view.buffer);
}
