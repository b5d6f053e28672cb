import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import * as os from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { measureMachine } from '../../../scripts/thisMachine.mjs';
import { runProgram } from './programs';
import { spreadOf, type Spread } from './rounds';

/** What a ratio was measured on. */
export interface Machine {
  system: string;
  node: string;
  cores: number;
  processor: string;
  /** How long a fixed loop of JavaScript took, which is scripts/thisMachine.mjs's. */
  loopMs: Spread;
  /**
   * Bytes that unzip writes in a second of processor time, of a fixed archive; absent where there
   * is no unzip.
   */
  unzipMBs?: Spread;
  /** Of the last minute; always 0 on Windows. */
  load: number;
}

const TIMES = 5;
const ARCHIVE_BYTES = 24_000_000;

export async function describeMachine(): Promise<Machine> {
  const load = os.loadavg()[0] ?? NaN;
  const loopMs = spreadOf(Array.from({ length: TIMES }, () => measureMachine().milliseconds));
  const unzipMBs = await unzipSpeed().catch(() => undefined);
  return {
    system: `${os.platform()} ${os.arch()}`,
    node: process.version,
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? '',
    loopMs,
    ...(unzipMBs && { unzipMBs }),
    load,
  };
}

/** Throws where there is no unzip. */
async function unzipSpeed(): Promise<Spread> {
  const folder = await mkdtemp(join(os.tmpdir(), 'bench-machine-'));
  try {
    const path = join(folder, 'fixed.zip');
    const zip = new ZipFile();
    zip.addBuffer(fixedText(), 'numbers.json');
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path));
    const speeds: number[] = [];
    for (let time = 0; time < TIMES; time++) {
      const { cpuMs, wallMs } = await runProgram('unzip', ['-p', path]);
      speeds.push(ARCHIVE_BYTES / 1000 / (Number.isNaN(cpuMs) ? wallMs : cpuMs));
    }
    return spreadOf(speeds);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Digits and commas, the same in every run, which compress as an archive of masks does. */
function fixedText(): Buffer {
  const bytes = Buffer.alloc(ARCHIVE_BYTES, ',');
  let state = 1;
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const letter = (state >>> 24) % 14;
    if (letter < 10) bytes[at] = 0x30 + letter;
  }
  return bytes;
}
