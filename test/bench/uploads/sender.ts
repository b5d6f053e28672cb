// A process that uploads files as the extension host does: client, queue, records and progress are
// the product's own.
import { readFileSync, statSync } from 'node:fs';
import * as path from 'node:path';
import type { LocalFile } from '../../../src/uploads/node/expandFiles';
import type { ShortFiles } from '../../../src/uploads/node/fileReading';
import { diskFileSource } from '../../../src/uploads/node/fileSources';
import { AccountUploads } from '../../../src/uploads/node/accountUploads';
import { sendFiles } from '../../../src/uploads/node/sendFiles';
import { uploadBatches } from '../../../src/uploads/node/uploadBatches';
import { UploadHashes, UploadRecords } from '../../../src/uploads/node/uploadRecords';
import { AnalysisClient } from '../../../src/service/node/client';
import { Transport } from '../../../src/service/node/transport';
import { loadUndici } from '../../../src/service/node/dispatchers';
import { silentLog } from '../../../src/base/log';
import { LineLog } from '../../../src/base/node/lineLog';
import { costOf, type Cost } from '../measured/rounds';
import { thisProcess } from '../../../src/base/node/thisProcess';

export interface SendJob {
  origin: string;
  files: string[];
  concurrency: number;
  /** Where the account's state is kept. */
  folder: string;
  /** As a person's uploads are, so that they outlive their window; a program's aren't. */
  isStored: boolean;
  /** How often the files are sent; the last time counts. */
  times: number;
}

export interface SendCost extends Cost {
  /** Largest resident memory less what there was before. */
  growthBytes: number;
}

/**
 * Largest resident memory of this process in bytes; where there is no /proc, that of a parent may
 * be counted too.
 */
function peakMemory(): number {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

async function send({ origin, files, concurrency, folder, isStored, times }: SendJob): Promise<SendCost> {
  const transport = new Transport({
    baseUrl: origin,
    apiKey: () => Promise.resolve('bench-key'),
    network: { environment: {} },
    log: silentLog,
  });
  const lines = new LineLog(folder, 'uploads', UploadRecords.LIMITS);
  const uploadRecords = new UploadRecords({ lines, log: silentLog });
  const uploadHashes = new UploadHashes({
    records: uploadRecords,
    // Files are hashed when uploads have been over for some seconds.
    startEngine: () => {
      throw new Error('Nothing is hashed while files are uploaded');
    },
    log: silentLog,
  });
  const session = { client: new AnalysisClient(transport), uploadRecords, uploadHashes };
  const locals = files.map(file => ({
    uri: `file://${file}`,
    fileName: path.basename(file),
    folder: '',
    size: statSync(file).size,
  }));
  const uploads = new AccountUploads({
    client: session.client,
    records: uploadRecords,
    hashes: uploadHashes,
    batches: uploadBatches(path.join(folder, 'batches'), await thisProcess(), silentLog),
    log: silentLog,
  });
  const before = process.memoryUsage.rss();
  const options = {
    destinationFolder: 'bench',
    concurrency,
    open: (file: LocalFile, short?: ShortFiles) =>
      diskFileSource(file, file.uri.slice('file://'.length), short),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const sendAll = async () => {
    const { uploaded, failed } = isStored
      ? await uploads.send({ files: locals, failed: [] }, options)
      : await sendFiles(session, { files: locals, failed: [] }, options);
    if (failed[0]) throw failed[0].error;
    if (uploaded.length !== files.length) throw new Error(`Only ${uploaded.length} files were uploaded`);
  };
  for (let time = 1; time < times; time++) await sendAll();
  const { wallMs, cpuMs } = await costOf(sendAll);
  transport.dispose();
  uploadHashes.dispose();
  uploads.dispose();
  return { wallMs, cpuMs, growthBytes: peakMemory() - before };
}

process.once('message', job => {
  send(job as SendJob).then(
    cost => process.send?.(cost),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
// A host that uploads has sent requests before: at least the one that checks the key.
void loadUndici().then(() => process.send?.('ready'));
