import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { untilCanceled } from '../../base/waiting';
import { sessionLinks } from '../../linking/node/sessionLinks';
import type { OpenResults } from '../../session/node/openResults';
import type { ResultSource } from '../../session/node/resultSource';
import type { ExportRequest } from '../exportRequest';

/**
 * The populations of a result's images, without any panel. Throws `bad-request` if no object has a
 * row, and errors of opening masks and table.
 */
export function populationMembers(
  results: Pick<OpenResults, 'use'>,
  source: ResultSource,
  images: readonly number[],
  signal: AbortSignal,
): Promise<NonNullable<ExportRequest['populations']>> {
  return results.use(source, async session => {
    await session.masks.open(signal);
    await session.tables.open('objects', signal);
    const links = session.get(sessionLinks);
    await untilCanceled(links.settled(), signal);
    if (!links.report || links.report.matched === 0)
      throw new CodedError('bad-request', 'No object has a row', {
        subject: 'populations',
        reason: reason('No object is linked with a row of the table'),
      });
    const found: {
      image: number;
      populations: NonNullable<ExportRequest['populations']>[number]['populations'];
    }[] = [];
    for (const image of images) {
      const { populations } = await session.masks.request('populationMembers', { image }, signal);
      found.push({ image, populations });
    }
    return found;
  });
}
