import type { Fault } from './fault';
import { downloads } from './operationGroups';

/**
 * Size of the disk for these faults: larger than what an account has on it, smaller than the files.
 * Bytes.
 */
export const SMALL_DISK = 4 * 1024 * 1024;

const large = Buffer.alloc(2 * SMALL_DISK, '1,2\n');

/** Files that are too large for the disk. */
export const diskFaults: readonly Fault[] = [
  {
    does: 'sends a file that is larger than the space on the disk',
    operations: downloads,
    isDiskSmall: true,
    respond: ({ response }) => {
      response.writeHead(200, { 'content-length': large.length }).end(large);
    },
  },
  {
    does: 'sends a file that is larger than the space on the disk, without its length',
    operations: downloads,
    isDiskSmall: true,
    respond: ({ response }) => {
      response.writeHead(200).end(large);
    },
  },
];
