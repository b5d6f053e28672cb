import * as assert from 'node:assert/strict';
import { AnalysisClient } from '../../../../src/service/node/client';
import { CodedError, isCoded } from '../../../../src/base/errors';
import { SubmitGuard } from '../../../../src/jobs/node/submitGuard';
import { sendJson, type SeenRequest } from '../../service/node/fixtureServer';
import { TransportFixture } from '../../service/node/transportFixture';
import type { ServerResponse } from 'node:http';

interface ServiceJob {
  id: string;
  name?: string;
  status: string;
  percentageCompleted: number;
}

/** A service with jobs, whose response to a POST fails as the test requires. */
class Service {
  readonly jobs: ServiceJob[] = [];
  masks: { status: string } | undefined;
  posts = 0;
  lists = 0;
  listsNames = true;
  /** Whether a POST creates a job, and the response to it. */
  onPost: (response: ServerResponse, job: ServiceJob) => void = (response, job) => sendJson(response, job);
  createsJobs = true;
  /** So many lists do not show a new job yet. */
  lag = 0;
  onList: ((response: ServerResponse) => boolean) | undefined;

  respond(request: SeenRequest, response: ServerResponse): void {
    if (request.path.endsWith('/download-masks')) return this.respondAboutMasks(request, response);
    if (request.path.endsWith('/check')) return sendJson(response, { message: 'no credits' }, 401);
    if (request.method === 'GET') {
      this.lists += 1;
      if (this.onList?.(response)) return;
      const visible = this.posts > 0 && this.lag > 0 ? (this.lag--, this.jobs.slice(1)) : this.jobs;
      const start = visible.findIndex(({ id }) => id === request.query.get('startingAfter')) + 1;
      const results = visible
        .slice(start, start + Number(request.query.get('limit')))
        .map(({ name, ...job }) => (this.listsNames && name !== undefined ? { ...job, name } : job));
      return sendJson(response, { results, count: results.length });
    }
    this.posts += 1;
    const { name } = JSON.parse(request.body.toString()) as { name?: string };
    const job = { ...this.job(`new${this.posts}`), ...(name !== undefined && { name }) };
    if (this.createsJobs) this.jobs.unshift(job);
    this.onPost(response, job);
  }

  job(id: string, name?: string): ServiceJob {
    return { id, status: 'PENDING', percentageCompleted: 0, ...(name !== undefined && { name }) };
  }

  private respondAboutMasks(request: SeenRequest, response: ServerResponse): void {
    if (request.method === 'GET') {
      if (this.masks) sendJson(response, { ...this.masks, percentageCompleted: 0 });
      else sendJson(response, { message: 'none' }, 404);
      return;
    }
    this.posts += 1;
    if (this.createsJobs) this.masks = { status: 'SUBMITTED' };
    this.onPost(response, this.job('masks'));
  }
}

describe('The submit guard', () => {
  let service: Service;
  let fixture: TransportFixture;
  let guard: SubmitGuard;
  let pauses: number[];
  const request = { pipelineId: 'p', filesystemIds: ['a', 'b'], name: 'plate 7' };

  beforeEach(async () => {
    service = new Service();
    pauses = [];
    fixture = new TransportFixture();
    const server = await fixture.serve((seen, response) => service.respond(seen, response));
    guard = new SubmitGuard(new AnalysisClient(fixture.connect(server.origin)), {
      delay: milliseconds => {
        pauses.push(milliseconds);
        return Promise.resolve();
      },
    });
  });

  afterEach(() => fixture.end());

  const cut = (response: ServerResponse) => response.destroy();

  async function ambiguous(work: Promise<unknown>): Promise<CodedError> {
    const error: unknown = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(isCoded(error, 'ambiguous-submit'), String(error));
    return error;
  }

  it('submits once and returns the ID', async () => {
    assert.deepEqual(await guard.submit(request), { jobId: 'new1' });
    assert.equal(service.posts, 1);
  });

  const lost: [what: string, respond: (response: ServerResponse, job: ServiceJob) => void][] = [
    ['the connection breaks', cut],
    ['the service fails after it created the job', response => sendJson(response, {}, 502)],
    ['the response makes no sense', response => sendJson(response, { thanks: true })],
    ['the response is a web page', response => response.end('<html>')],
  ];
  for (const [what, respond] of lost) {
    it(`adopts the one new job with the submitted name when ${what}`, async () => {
      service.jobs.push(service.job('old', 'plate 7'));
      service.onPost = respond;
      assert.deepEqual(await guard.submit(request), { jobId: 'new1' });
      assert.equal(service.posts, 1);
    });
  }

  it('adopts no job that existed before, even far down the list', async () => {
    for (let index = 0; index < 250; index++) service.jobs.push(service.job(`old${index}`, 'plate 7'));
    service.createsJobs = false;
    service.onPost = cut;
    const { details } = await ambiguous(guard.submit(request));
    assert.deepEqual(details.candidates, []);
    assert.equal(service.posts, 1);
  });

  it('searches again for a job that the service lists late', async () => {
    service.onPost = cut;
    service.lag = 1;
    assert.deepEqual(await guard.submit(request), { jobId: 'new1' });
    assert.deepEqual(pauses, [2000]);
  });

  it('reports new jobs without a name as candidates, and adopts none', async () => {
    service.listsNames = false;
    service.onPost = cut;
    const { details } = await ambiguous(guard.submit(request));
    assert.deepEqual(details.candidates, ['new1']);
    assert.equal(service.posts, 1);
  });

  it('reports new jobs as candidates when the submit has no name', async () => {
    service.onPost = cut;
    const { pipelineId, filesystemIds } = request;
    assert.deepEqual((await ambiguous(guard.submit({ pipelineId, filesystemIds }))).details.candidates, [
      'new1',
    ]);
  });

  it("doesn't report a new job with another name", async () => {
    service.createsJobs = false;
    service.onPost = response => {
      service.jobs.unshift(service.job('theirs', 'plate 8'));
      response.destroy();
    };
    assert.deepEqual((await ambiguous(guard.submit(request))).details.candidates, []);
  });

  it("doesn't choose between two new jobs with the submitted name", async () => {
    service.onPost = response => {
      service.jobs.unshift(service.job('twin', 'plate 7'));
      response.destroy();
    };
    assert.deepEqual((await ambiguous(guard.submit(request))).details.candidates, ['twin', 'new1']);
  });

  it('adopts nothing from a list that is too long to be read to its end', async () => {
    let listed = 0;
    let posts = 0;
    // Every page has one job more, endlessly; after the submit they all have the submitted name.
    const endless = {
      listAnalysisJobs: () => {
        const job = { ...service.job(`j${listed++}`), ...(posts > 0 && { name: 'plate 7' }) };
        return Promise.resolve({ results: [job], skipped: 0 });
      },
      submitAnalysisJob: () => {
        posts += 1;
        return Promise.reject(new CodedError('network', 'gone', { sent: true }));
      },
      masksJob: () => assert.fail(),
      submitMasksJob: () => assert.fail(),
    };
    const { details } = await ambiguous(new SubmitGuard(endless).submit(request));
    assert.deepEqual(details.candidates, []);
    assert.equal(posts, 1);
  });

  it('reports an unknown outcome when the list cannot be read afterwards', async () => {
    service.onPost = response => {
      service.onList = list => (sendJson(list, {}, 500), true);
      response.destroy();
    };
    assert.deepEqual((await ambiguous(guard.submit(request))).details.candidates, []);
    assert.equal(service.posts, 1);
  });

  it('submits nothing when the list cannot be read before', async () => {
    service.onList = list => (sendJson(list, {}, 500), true);
    await assert.rejects(guard.submit(request), error => isCoded(error, 'service-error'));
    assert.equal(service.posts, 0);
  });

  for (const [status, code] of [
    [400, 'bad-request'],
    [401, 'invalid-key'],
    [429, 'rate-limited'],
  ] as const) {
    it(`reports status ${status} as an error without looking for a job`, async () => {
      service.createsJobs = false;
      service.onPost = response => sendJson(response, { message: 'no credits' }, status);
      await assert.rejects(
        guard.submit(request),
        error => isCoded(error, code) && error.details.reason?.args[0] === 'no credits',
      );
      // No job is looked for after a definite error.
      assert.equal(service.lists, 1);
    });
  }

  it('submits one job for a double click', async () => {
    const both = await Promise.all([
      guard.submit(request),
      guard.submit({ ...request, filesystemIds: ['b', 'a'] }),
    ]);
    assert.deepEqual(both, [{ jobId: 'new1' }, { jobId: 'new1' }]);
    assert.equal(service.posts, 1);
  });

  it('submits two jobs for two different requests, and for the same one later', async () => {
    await Promise.all([guard.submit(request), guard.submit({ ...request, name: 'plate 8' })]);
    await guard.submit(request);
    assert.equal(service.posts, 3);
  });

  it('sends nothing when it is canceled before', async () => {
    const controller = new AbortController();
    service.onList = () => (controller.abort(), false);
    const error: unknown = await guard
      .submit(request, { signal: controller.signal })
      .catch((caught: unknown) => caught);
    assert.ok(isCoded(error, 'cancelled') && error.details.sent === undefined);
    assert.equal(service.posts, 0);
  });

  it("doesn't cancel a second identical submit with the first", async () => {
    const controller = new AbortController();
    service.onList = () => {
      controller.abort();
      service.onList = undefined;
      return false;
    };
    const first = guard.submit(request, { signal: controller.signal });
    const second = guard.submit(request);
    await assert.rejects(first, error => isCoded(error, 'cancelled'));
    assert.deepEqual(await second, { jobId: 'new1' });
    assert.equal(service.posts, 1);
  });

  it('returns at once when canceled after sending, and never submits the same twice', async () => {
    const controller = new AbortController();
    let finish: () => void = () => undefined;
    service.onPost = (response, job) => {
      finish = () => sendJson(response, job);
      controller.abort();
    };
    const error: unknown = await guard
      .submit(request, { signal: controller.signal })
      .catch((caught: unknown) => caught);
    assert.ok(isCoded(error, 'cancelled') && error.details.sent === true);
    finish();

    // The same again either joins the pending submit or gets its outcome; it is never sent.
    const again = await guard.submit(request).catch((caught: unknown) => caught);
    if (isCoded(again)) assert.deepEqual(again.details.candidates, ['new1']);
    else assert.deepEqual(again, { jobId: 'new1' });
    assert.equal(service.posts, 1);
  });

  describe('for masks', () => {
    it('requests them once', async () => {
      assert.equal((await guard.submitMasks('j')).status, 'PENDING');
      assert.equal(service.posts, 1);
    });

    it('returns existing masks instead of paying again', async () => {
      service.masks = { status: 'RUNNING' };
      assert.equal((await guard.submitMasks('j')).status, 'RUNNING');
      assert.equal(service.posts, 0);
    });

    it('requests them again after a failure', async () => {
      service.masks = { status: 'FAILED' };
      await guard.submitMasks('j');
      assert.equal(service.posts, 1);
    });

    it('checks whether they were started when the response is lost', async () => {
      service.onPost = cut;
      assert.equal((await guard.submitMasks('j')).status, 'SUBMITTED');
      assert.equal(service.posts, 1);
    });

    it('does not mistake the old failure for the new job', async () => {
      service.masks = { status: 'FAILED' };
      service.createsJobs = false;
      service.onPost = cut;
      assert.equal((await ambiguous(guard.submitMasks('j'))).details.subject, 'j');
    });

    it('reports an unknown outcome when there is no trace of them', async () => {
      service.createsJobs = false;
      service.onPost = cut;
      const { details } = await ambiguous(guard.submitMasks('j'));
      assert.deepEqual(details.candidates, []);
      assert.equal(service.posts, 1);
      assert.deepEqual(pauses, [2000, 5000]);
    });

    it('sends one request for a double click', async () => {
      await Promise.all([guard.submitMasks('j'), guard.submitMasks('j')]);
      assert.equal(service.posts, 1);
    });
  });
});
