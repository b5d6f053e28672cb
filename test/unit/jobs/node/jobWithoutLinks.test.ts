import { deepEqual } from 'node:assert/strict';
import { jobWithoutLinks } from '../../../../src/jobs/node/listedJobs';

describe('A job that a program lists', () => {
  it('says which results it has, without their links', () => {
    const job = { id: '1', status: 'SUCCEEDED', percentageCompleted: 100 };
    deepEqual(jobWithoutLinks({ ...job, objectsDataCSVUrl: 'https://a/?signature=s' }), {
      ...job,
      hasObjects: true,
      hasAggregate: false,
    });
    deepEqual(jobWithoutLinks({ ...job, status: 'RUNNING' }), {
      ...job,
      status: 'RUNNING',
      hasObjects: false,
      hasAggregate: false,
    });
  });
});
