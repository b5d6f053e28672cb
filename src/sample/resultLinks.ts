import { createHmac, timingSafeEqual } from 'node:crypto';

/** The files of a job that a link can lead to. */
export const resultFiles = ['objects.csv', 'aggregate.csv', 'masks.zip'] as const;

export type ResultFile = (typeof resultFiles)[number];

/** How long a link works. */
export const LINK_LIFETIME_MS = 15 * 60 * 1000;

/** Makes and checks links that let their holder read one result file for a while, without the key. */
export class ResultLinks {
  constructor(
    private readonly secret: string,
    private readonly now: () => number,
  ) {}

  /** Path and query of a fresh link. */
  link(jobId: string, file: ResultFile): string {
    const expires = String(this.now() + LINK_LIFETIME_MS);
    const query = new URLSearchParams({ expires, signature: this.sign(jobId, file, expires) });
    return `/results/${jobId}/${file}?${query.toString()}`;
  }

  /** Says whether a link's query was signed by us for this very file, and is still in time. */
  check(jobId: string, file: string, query: URLSearchParams): 'valid' | 'expired' | 'forged' {
    const expires = query.get('expires') ?? '';
    const given = Buffer.from(query.get('signature') ?? '');
    const expected = Buffer.from(this.sign(jobId, file, expires));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
    return Number(expires) > this.now() ? 'valid' : 'expired';
  }

  private sign(jobId: string, file: string, expires: string): string {
    return createHmac('sha256', this.secret).update(`${jobId}\n${file}\n${expires}`).digest('base64url');
  }
}
