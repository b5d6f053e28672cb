import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { ResultPart } from '../../service/resultParts';
import type { FileUri, ResultSource } from './resultSource';
import type { StoredSource } from './storedSource';

/** A table or a masks archive on disk, without any account. */
export class FileResult implements ResultSource {
  readonly key: string;
  readonly title: string;
  readonly restore: StoredSource;
  readonly masksOnly: boolean;

  /** `place` tells two views of one file apart, such as a panel and a custom editor. */
  constructor(
    readonly uri: FileUri,
    private readonly holds: 'file' | 'masks',
    place = '',
  ) {
    this.masksOnly = holds === 'masks';
    this.key = `${place}${holds}:${uri.toString()}`;
    this.title = posix.basename(uri.path);
    this.restore = { kind: 'file', uri: uri.toString(), holds };
  }

  /** Throws `not-found` for a part that the file doesn't hold, `not-a-file` where there is no file on disk. */
  async path(what: ResultPart): Promise<string> {
    const subject = this.title;
    if (what !== this.holds) throw new CodedError('not-found', 'Not in this file', { subject });
    if (this.uri.scheme !== 'file') {
      throw new CodedError('not-a-file', 'Not on a disk', {
        subject,
        reason: reason('only-files-on-disk'),
      });
    }
    if (!(await isFile(this.uri.fsPath))) throw new CodedError('not-a-file', 'No such file', { subject });
    return this.uri.fsPath;
  }
}

function isFile(fsPath: string): Promise<boolean> {
  return stat(fsPath).then(
    found => found.isFile(),
    () => false,
  );
}
