import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  readAnalysisJob,
  readAnalysisJobs,
  readCheckResult,
  readFilesystemItems,
  readMasksJob,
  readPipelines,
  readUploadedItem,
} from '../../../../src/service/wire';
import { isCoded } from '../../../../src/base/errors';

const unexpected = (error: unknown) => isCoded(error, 'unexpected-response');

describe('A response of the service', () => {
  const job = { id: 'j1', status: 'PENDING', percentageCompleted: 0 };
  const done = {
    ...job,
    status: 'SUCCEEDED',
    percentageCompleted: 100,
    objectsDataCSVUrl: 'https://files.example.com/o.csv?s=1',
    aggregateDataCSVUrl: 'https://files.example.com/a.csv?s=1',
  };

  it('is read as specified', () => {
    assert.deepEqual(readAnalysisJob(done), done);
    assert.deepEqual(readMasksJob({ status: 'SUBMITTED', percentageCompleted: 0 }), {
      status: 'SUBMITTED',
      percentageCompleted: 0,
    });
    assert.deepEqual(readUploadedItem({ id: 'f1', __t: 'File' }), { id: 'f1', __t: 'File' });
    assert.deepEqual(readCheckResult({ user: 'u1', email: 'a@b.c', messsage: 'API key is valid' }), {
      user: 'u1',
      email: 'a@b.c',
      messsage: 'API key is valid',
    });
    assert.deepEqual(
      readPipelines({
        results: [{ id: 'p', description: 'Nuclei', createdAt: '2024-01-02T03:04:05.678Z' }],
        count: 1,
      }),
      {
        results: [{ id: 'p', description: 'Nuclei', createdAt: '2024-01-02T03:04:05.678Z' }],
        count: 1,
        skipped: 0,
      },
    );
  });

  it('has texts of bounded length', () => {
    const long = 'x'.repeat(1_000_000);
    const item = { id: 'f1', __t: 'File', name: `${'x'.repeat(3999)}\u{1f52c}${long}` };
    assert.equal(readFilesystemItems([item]).results[0]?.name, 'x'.repeat(3999));
    assert.equal(readCheckResult({ user: 'u1', email: long, messsage: long }).email?.length, 4000);
    assert.equal(readAnalysisJob({ ...job, status: long }).status.length, 4000);
    const withLink = readAnalysisJob({ ...done, objectsDataCSVUrl: `https://a.example/${long}` });
    assert.equal(withLink.objectsDataCSVUrl, undefined);
    // An ID can't be shortened: it would be another one.
    assert.throws(() => readAnalysisJob({ ...job, id: long }), unexpected);
    assert.throws(() => readUploadedItem({ id: long, __t: 'File' }), unexpected);
    assert.equal(readPipelines([{ id: long }]).skipped, 1);
  });

  it('may be wrapped', () => {
    assert.deepEqual(readAnalysisJob({ analysisJob: job }), job);
    assert.deepEqual(readAnalysisJob({ ok: true, data: job }), job);
    assert.deepEqual(readMasksJob({ downloadMasksJob: { status: 'SUBMITTED', percentageCompleted: 3 } }), {
      status: 'SUBMITTED',
      percentageCompleted: 3,
    });
    assert.deepEqual(readUploadedItem({ filesystemItem: { id: 'f1' } }), { id: 'f1', __t: 'File' });
    assert.equal(readCheckResult({ result: { user: 'u1' } }).user, 'u1');
  });

  it('with two wrapped jobs is rejected instead of guessed', () => {
    assert.throws(() => readAnalysisJob({ one: job, other: { ...job, id: 'j2' } }), unexpected);
  });

  it('may have numeric IDs, `_id`, and unknown fields', () => {
    assert.equal(readAnalysisJob({ ...job, id: 42 }).id, '42');
    assert.equal(readAnalysisJob({ _id: 'm1', status: 'PENDING' }).id, 'm1');
    assert.deepEqual(readAnalysisJob({ ...job, secretField: 'x', nested: { a: 1 } }), job);
    assert.equal(readCheckResult({ user: { id: 7, name: 'Ada' } }).user, '7');
  });

  it('may lack everything but the ID', () => {
    assert.deepEqual(readAnalysisJob({ id: 'j1' }), { id: 'j1', status: '', percentageCompleted: 0 });
    assert.deepEqual(readFilesystemItems([{ id: 'f1' }]).results, [{ id: 'f1', __t: '' }]);
  });

  it('may have nulls and wrong types where text should be', () => {
    const odd = {
      ...job,
      name: null,
      createdAt: 5,
      objectsDataCSVUrl: 'not a link',
      aggregateDataCSVUrl: '',
    };
    assert.deepEqual(readAnalysisJob(odd), job);
  });

  it('says why a job failed, without links', () => {
    const failed = { ...job, status: 'FAILED' };
    assert.equal(
      readAnalysisJob({ ...failed, message: 'a.tif is unreadable' }).reason,
      'a.tif is unreadable',
    );
    assert.equal(readAnalysisJob({ ...failed, error: { message: 'no memory' } }).reason, 'no memory');
    assert.equal(readAnalysisJob({ ...failed, reason: 'see https://x.y/z?s=1' }).reason, 'see [link]');
    assert.ok(!('reason' in readAnalysisJob({ ...failed, message: '', error: null, reason: 5 })));
    assert.equal(readMasksJob({ status: 'FAILED', message: 'no memory' })?.reason, 'no memory');
  });

  for (const nothing of [null, {}, { downloadMasksJob: null }, { downloadMasksJob: {} }]) {
    it(`says that there is no masks job by ${JSON.stringify(nothing)}`, () => {
      assert.equal(readMasksJob(nothing), undefined);
    });
  }

  for (const wrong of [
    'x',
    7,
    true,
    [],
    null,
    {},
    { id: '' },
    { id: null },
    { id: {} },
    { id: Number.NaN },
    { job: [] },
  ]) {
    it(`isn't a job: ${JSON.stringify(wrong)}`, () =>
      assert.throws(() => readAnalysisJob(wrong), unexpected));
  }

  it("isn't a masks job when it describes something else", () => {
    assert.throws(() => readMasksJob({ user: 'u1' }), unexpected);
    assert.throws(() => readMasksJob([]), unexpected);
  });

  it("has its list read, and entries that can't be read are counted", () => {
    const { results, skipped } = readAnalysisJobs({
      results: [job, null, 'x', {}, { id: '' }, { analysisJob: done }],
      count: 6,
    });
    assert.deepEqual(
      results.map(({ id }) => id),
      ['j1', 'j1'],
    );
    assert.equal(skipped, 4);
  });

  const lists: [what: string, answer: unknown][] = [
    ['an envelope', { results: [{ id: 'a' }], count: 1 }],
    ['a bare array', [{ id: 'a' }]],
    ['an array under another name', { pipelines: [{ id: 'a' }], total: 1 }],
    ['an envelope in a wrapper', { data: { results: [{ id: 'a' }], count: 1 } }],
  ];
  for (const [what, answer] of lists) {
    it(`may be ${what}`, () =>
      assert.deepEqual(readPipelines(answer).results, [{ id: 'a', description: '' }]));
  }

  it('has a count only where it is a number', () => {
    assert.equal(readPipelines({ results: [], count: '12' }).count, 12);
    for (const count of [null, 'many', {}, undefined, ''])
      assert.ok(!('count' in readPipelines({ results: [], count })));
  });

  for (const wrong of [null, 'x', {}, { results: 'x' }, { one: [], other: [] }]) {
    it(`isn't a list: ${JSON.stringify(wrong)}`, () => assert.throws(() => readPipelines(wrong), unexpected));
  }

  it('has a percentage between 0 and 100, whatever is sent', () => {
    const cases: [sent: unknown, read: number][] = [
      [42.5, 42.5],
      ['42', 42],
      ['42%', 42],
      [250, 100],
      [-1, 0],
      [Number.NaN, 0],
      [Number.POSITIVE_INFINITY, 100],
      [null, 0],
      [undefined, 0],
      ['soon', 0],
      [{}, 0],
    ];
    for (const [sent, read] of cases) {
      assert.equal(readAnalysisJob({ ...job, percentageCompleted: sent }).percentageCompleted, read);
    }
  });

  it('is either read or rejected as unexpected', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        for (const read of [
          readAnalysisJob,
          readAnalysisJobs,
          readMasksJob,
          readPipelines,
          readCheckResult,
        ]) {
          try {
            read(value);
          } catch (error) {
            assert.ok(unexpected(error), String(error));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
