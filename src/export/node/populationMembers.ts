import { CodedError } from '../../base/errors';
import { reason } from '../../base/reasons';
import { untilCanceled } from '../../base/waiting';
import { tablePopulations } from '../../linking/node/tablePopulations';
import { sessionLinks } from '../../linking/node/sessionLinks';
import type { OpenResults } from '../../session/node/openResults';
import type { ResultSource } from '../../session/node/resultSource';
import type { ExportRequest } from '../exportRequest';

/**
 * The populations of a result's images; works without panels. Throws `bad-request` if no object has
 * a row or a population has a problem, and errors of opening masks and table.
 */
export function populationMembers(
  results: Pick<OpenResults, 'use'>,
  source: ResultSource,
  images: readonly number[],
  signal: AbortSignal,
): Promise<NonNullable<ExportRequest['populations']>> {
  return results.use(source, async session => {
    await session.masks.open(signal);
    const { columns } = await session.tables.open('objects', signal);
    const sessionPopulations = session.find(tablePopulations);
    if (sessionPopulations?.areIn('objects') !== true)
      throw new CodedError('bad-request', 'The table has no populations', {
        subject: 'populations',
        reason: reason('The table has no populations'),
      });
    // If it were left out, its objects would seem to be in its parent or in no population.
    const impossible = sessionPopulations.impossible('objects', columns);
    if (impossible !== undefined)
      throw new CodedError('bad-request', `The population "${impossible}" has a problem`, {
        subject: 'populations',
        reason: reason('The population "{0}" has a problem in this table', impossible),
      });
    await sessionPopulations.withoutDrafts('objects');
    const links = session.get(sessionLinks);
    await untilCanceled(links.settled(), signal);
    if (!links.report || links.report.matched === 0)
      throw new CodedError('bad-request', 'No object has a row', {
        subject: 'populations',
        reason: reason('No object is linked with a row of the table'),
      });
    const populationsOfImages: {
      image: number;
      populations: NonNullable<ExportRequest['populations']>[number]['populations'];
    }[] = [];
    for (const image of images) {
      const { populations } = await session.masks.request('populationMembers', { image }, signal);
      populationsOfImages.push({ image, populations });
    }
    return populationsOfImages;
  });
}
