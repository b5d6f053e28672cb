import type { Sessions, ServiceSession } from '../../accounts/node/sessions';
import type { Event } from '../../base/event';
import type { AccountUploads } from './accountUploads';
import type { UploadHashes, UploadRecords } from './uploadRecords';

/** An account with its uploads. */
export interface UploadSession extends ServiceSession {
  readonly uploads: AccountUploads;
  readonly uploadRecords: UploadRecords;
  readonly uploadHashes: UploadHashes;
}

export interface UploadSessions<S extends UploadSession = UploadSession> extends Sessions<S> {
  /** An upload of this window began, ended or went on. */
  readonly onDidChangeUploads: Event<void>;
}
