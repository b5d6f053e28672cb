import type { StoredBatch } from './uploadBatches';
import type { AccountUploads } from './accountUploads';

/** The uploads of other windows while a list of them is open: each stays listed until it was canceled. */
export class UploadsElsewhere {
  private constructor(
    private readonly uploads: Pick<AccountUploads, 'cancelElsewhere'>,
    private listed: readonly StoredBatch[],
  ) {}

  static async of(uploads: Pick<AccountUploads, 'elsewhere' | 'cancelElsewhere'>): Promise<UploadsElsewhere> {
    return new UploadsElsewhere(uploads, await uploads.elsewhere());
  }

  get batches(): readonly StoredBatch[] {
    return this.listed;
  }

  /** Throws what the file system throws; the upload goes on then, and stays listed. */
  async cancel(batch: StoredBatch): Promise<void> {
    await this.uploads.cancelElsewhere(batch);
    this.listed = this.listed.filter(({ id }) => id !== batch.id);
  }
}
