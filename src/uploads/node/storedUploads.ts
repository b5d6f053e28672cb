import { every } from '../../base/every';
import type { Log } from '../../base/log';
import { SharedFolder } from '../../base/node/sharedFolder';
import type { ThisProcess } from '../../base/node/thisProcess';
import { UploadBatches } from './uploadBatches';

/** The uploads that are stored in a folder, as this process takes part in them. */
export function uploadBatches(directory: string, here: ThisProcess, log: Log): UploadBatches {
  return new UploadBatches({
    disk: new SharedFolder(directory),
    here,
    now: Date.now,
    every,
    log,
  });
}
