import { deepEqual, equal } from 'node:assert/strict';
import type { PageQuery } from '../../../../src/service/node/client';
import { SelectablePipelines } from '../../../../src/jobs/node/submission';

describe('The pipelines to select from', () => {
  let requests = 0;

  beforeEach(() => (requests = 0));

  const pipelines = (count: number, recent: string[]) => {
    const all = Array.from({ length: count }, (_, index) => ({ id: `${index}`, description: `${index}` }));
    const listPipelines = ({ startingAfter }: PageQuery) => {
      requests += 1;
      const from = startingAfter === undefined ? 0 : Number(startingAfter) + 1;
      return Promise.resolve({ results: all.slice(from, from + 2), count, skipped: 0 });
    };
    return new SelectablePipelines({ client: { listPipelines } }, recent);
  };
  const ids = ({ items }: SelectablePipelines) => items.map(({ id }) => id);

  it('begin with those used recently', async () => {
    const selectable = pipelines(2, ['1']);
    await selectable.loadMore();
    deepEqual(ids(selectable), ['1', '0']);
    equal(selectable.isLastUsed({ id: '1' }), true);
    equal(selectable.isLastUsed({ id: '0' }), false);
  });

  it('are loaded up to the one used last, and no further', async () => {
    const selectable = pipelines(9, ['5', '7', '0']);
    await selectable.loadMore();
    deepEqual(ids(selectable), ['5', '0', '1', '2', '3', '4']);
    equal(requests, 3);
    equal(selectable.mayHaveMore, true);
  });

  it('are a page at a time where none was used, or the one used last is far away or gone', async () => {
    await pipelines(9, []).loadMore();
    equal(requests, 1);
    const gone = pipelines(5, ['gone', '1']);
    await gone.loadMore();
    deepEqual(ids(gone), ['1', '0', '2', '3', '4']);
    requests = 0;
    await pipelines(1000, ['999']).loadMore();
    equal(requests, 10);
  });
});
