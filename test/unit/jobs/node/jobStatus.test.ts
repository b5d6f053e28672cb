import * as assert from 'node:assert/strict';
import {
  jobPhase,
  type JobPhase,
  listedPhase,
  listedResults,
  masksPhase,
} from '../../../../src/jobs/node/jobState';

const links = { objectsDataCSVUrl: 'https://x/o', aggregateDataCSVUrl: 'https://x/a' };

describe('The phase of a job', () => {
  const running = ['PENDING', 'SUBMITTED', 'RUNNABLE', 'STARTING', 'RUNNING', '', 'whatever'];
  const transitional = ['CANCELING', 'FAILING', 'NO_ERROR', 'NOT_FAILED', 'COMPLETED', 'RETRY'];
  const failed = [
    'FAILED',
    'failed',
    'Error',
    'CANCELLED',
    'CANCELED',
    'ABORTED',
    'TIMED_OUT',
    'TimedOut',
    'TIMED OUT',
    'TIMEOUT',
    'REJECTED',
    'PARTIALLY_FAILED',
    'FAILED: out of memory',
  ];
  const expected: [phase: JobPhase, statuses: string[]][] = [
    ['running', [...running, ...transitional]],
    ['failed', failed],
    ['finishing', ['SUCCEEDED', 'succeeded', ' SUCCEEDED ']],
  ];
  for (const [phase, statuses] of expected) {
    for (const status of statuses) {
      it(`is ${phase} for "${status}" without results`, () => {
        assert.equal(jobPhase({ status }), phase);
        assert.equal(masksPhase({ status }), phase);
      });
    }
  }

  it('is success only with both links', () => {
    assert.equal(jobPhase({ status: 'SUCCEEDED', ...links }), 'succeeded');
    assert.equal(jobPhase({ status: 'SUCCEEDED', objectsDataCSVUrl: 'https://x/o' }), 'finishing');
    assert.equal(jobPhase({ status: 'SUCCEEDED', aggregateDataCSVUrl: 'https://x/o' }), 'finishing');
    assert.equal(masksPhase({ status: 'SUCCEEDED', masksZipUrl: 'https://x/m' }), 'succeeded');
  });

  it('is success for other status texts too, where the results exist', () => {
    for (const status of ['COMPLETED', 'Finished', 'DONE', 'SUCCESS']) {
      assert.equal(jobPhase({ status, ...links }), 'succeeded');
      assert.equal(jobPhase({ status }), 'running');
    }
  });

  it('is success in a list that omits the links, by the status alone', () => {
    for (const status of ['SUCCEEDED', 'completed', 'DONE'])
      assert.equal(listedPhase({ status }), 'succeeded');
    assert.equal(listedPhase({ status: 'RUNNING', ...links }), 'running');
    assert.equal(listedPhase({ status: 'whatever' }), 'running');
    assert.equal(listedPhase({ status: 'FAILED' }), 'failed');
  });

  it('lists the tables of a listed job; without any link, leaves them to the job itself', () => {
    const both = { objects: true, aggregate: true };
    assert.deepEqual(listedResults({ status: 'SUCCEEDED', ...links }), both);
    assert.deepEqual(listedResults({ status: 'SUCCEEDED' }), both);
    assert.deepEqual(listedResults({ status: 'SUCCEEDED', objectsDataCSVUrl: 'https://x/o' }), {
      objects: true,
      aggregate: false,
    });
    for (const status of ['RUNNING', 'FAILED', '']) {
      assert.deepEqual(listedResults({ status }), { objects: false, aggregate: false });
    }
  });

  it('stays running or failed although there are links already', () => {
    assert.equal(jobPhase({ status: 'RUNNING', ...links }), 'running');
    assert.equal(jobPhase({ status: 'FAILED', ...links }), 'failed');
  });
});
