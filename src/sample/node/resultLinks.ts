import { createHmac, timingSafeEqual } from 'node:crypto';

/** The files of a job that have links. */
export const resultFiles = ['objects.csv', 'aggregate.csv', 'masks.zip'] as const;

export type ResultFileName = (typeof resultFiles)[number];

/** How long a link is valid. */
const LINK_LIFETIME_MS = 15 * 60 * 1000;

/** Creates and checks signed links to result files. A link needs no key and works for a time. */
export class ResultLinks {
  constructor(
    private readonly secret: string,
    private readonly now: () => number,
  ) {}

  /** Path and query of a new link. */
  link(jobId: string, file: ResultFileName): string {
    const expires = String(this.now() + LINK_LIFETIME_MS);
    const query = new URLSearchParams({ expires, signature: this.sign(jobId, file, expires) });
    return `/results/${jobId}/${file}?${query.toString()}`;
  }

  /** Whether this service signed a link's query for this file, and whether the link has expired. */
  check(jobId: string, file: string, query: URLSearchParams): 'valid' | 'expired' | 'forged' {
    const expires = query.get('expires') ?? '';
    const signature = Buffer.from(query.get('signature') ?? '');
    const expected = Buffer.from(this.sign(jobId, file, expires));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'forged';
    return Number(expires) > this.now() ? 'valid' : 'expired';
  }

  private sign(jobId: string, file: string, expires: string): string {
    return createHmac('sha256', this.secret).update(`${jobId}\n${file}\n${expires}`).digest('base64url');
  }
}
