// A process that uploads files as the extension host does: client, queue, records and progress are the product's own.
import { statSync } from 'node:fs';
import * as path from 'node:path';
import { diskFileSource } from '../../../src/uploads/node/fileSources';
import { sendFiles } from '../../../src/uploads/node/sendFiles';
import { UploadHashes, UploadRecords } from '../../../src/uploads/node/uploadRecords';
import { AnalysisClient } from '../../../src/service/node/client';
import { Transport } from '../../../src/service/node/transport';
import { loadUndici } from '../../../src/service/node/dispatchers';
import { silentLog } from '../../../src/base/log';
import { LineLog } from '../../../src/base/node/lineLog';
import { peakMemory } from './processCost';

export interface SendJob {
  origin: string;
  files: string[];
  concurrency: number;
  /** Where the account's state is kept. */
  folder: string;
}

export interface SendCost {
  milliseconds: number;
  /** Largest resident memory less what there was before. */
  growthBytes: number;
}

async function send({ origin, files, concurrency, folder }: SendJob): Promise<SendCost> {
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
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const { uploaded, failed } = await sendFiles(
    session,
    { files: locals, failed: [] },
    {
      destinationFolder: 'bench',
      concurrency,
      open: (file, short) => diskFileSource(file, file.uri.slice('file://'.length), short),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  );
  const milliseconds = performance.now() - start;
  transport.dispose();
  uploadHashes.dispose();
  if (failed[0]) throw failed[0].error;
  if (uploaded.length !== files.length) throw new Error(`Only ${uploaded.length} files were uploaded`);
  // Where there is no /proc, the largest of a parent process may be counted too.
  const peak = peakMemory(process.pid) || process.resourceUsage().maxRSS * 1024;
  return { milliseconds, growthBytes: peak - before };
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
