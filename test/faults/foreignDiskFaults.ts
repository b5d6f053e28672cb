import type { ForeignDisk } from '../unit/foreignDisk';
import type { Fault } from './fault';
import { fileOperationNames, type OperationName } from './operations';

/** Operations that read or write files. */
const withFiles: readonly OperationName[] = [
  'sign in',
  'upload a file',
  'upload a batch',
  'submit a job',
  'request masks',
  'follow a job',
  'download a table',
  'download masks',
  ...fileOperationNames,
];

/** A job is followed until its account can be read again. */
const ending = withFiles.filter(name => name !== 'follow a job');

/** Each completes the sentence "The disk …". */
const disks: (Pick<Fault, 'does' | 'keepsFiles' | 'isHarmless' | 'needs'> & {
  operations?: readonly OperationName[];
  codes: readonly string[];
  onDisk(disk: ForeignDisk, code: string, existing: ReadonlySet<string>): void;
})[] = [
  {
    does: 'has a virus scanner that reads each file for 30 ms',
    codes: ['EBUSY', 'EACCES', 'EPERM'],
    isHarmless: true,
    onDisk: (disk, code) => disk.scan(undefined, 30, code),
  },
  {
    does: 'has files that other programs hold open',
    codes: ['EBUSY'],
    keepsFiles: true,
    onDisk: (disk, code, existing) =>
      disk.refuse(['rename', 'write', 'remove', 'copy'], code, file => existing.has(file)),
  },
  {
    does: 'has files that nobody else may read',
    operations: ending,
    codes: ['EBUSY', 'EACCES'],
    onDisk: (disk, code, existing) => disk.refuse(['read'], code, file => existing.has(file)),
  },
  {
    does: 'refuses every new name',
    needs: 'plainRefusals',
    codes: ['EPERM', 'EACCES', 'EBUSY'],
    onDisk: (disk, code) => disk.refuse(['rename'], code),
  },
  {
    does: 'has no links',
    codes: ['EISDIR', 'EPERM', 'ENOTSUP'],
    isHarmless: true,
    onDisk: (disk, code) => disk.refuseLinks(code),
  },
  {
    does: 'cannot flush',
    codes: ['EPERM', 'EINVAL', 'ENOTSUP'],
    isHarmless: true,
    onDisk: (disk, code) => disk.refuseFlush(code),
  },
  { does: 'ignores case', codes: [''], isHarmless: true, onDisk: disk => disk.ignoreCase() },
  {
    // As all runs are: see faults.test.ts and leftBehind.ts.
    does: "is a Mac's, with the long path of its temporary folder, and another host name in each network",
    codes: [''],
    isHarmless: true,
    onDisk: () => undefined,
  },
  {
    does: 'is full',
    codes: ['ENOSPC'],
    onDisk: (disk, code) => disk.refuse(['write', 'makeFolder', 'copy'], code),
  },
  {
    does: 'is read-only',
    codes: ['EROFS'],
    keepsFiles: true,
    onDisk: (disk, code) =>
      disk.refuse(['write', 'makeFolder', 'copy', 'rename', 'remove', 'touch', 'link'], code),
  },
  {
    does: 'removes nothing',
    codes: ['EBUSY'],
    keepsFiles: true,
    onDisk: (disk, code) => disk.refuse(['remove'], code),
  },
  {
    does: 'fails at each read',
    operations: ending,
    codes: ['EIO'],
    onDisk: (disk, code) => disk.refuse(['read'], code),
  },
];

/**
 * Disks other than that of this machine, with all that is told in each way in which they refuse.
 */
export const foreignDiskFaults: readonly Fault[] = disks.map(({ codes, onDisk, ...fault }) => ({
  operations: withFiles,
  ...fault,
  variants: () => codes.length,
  onDisk: (disk, existing, variant) => onDisk(disk, codes[variant] ?? '', existing),
}));
