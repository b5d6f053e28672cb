import * as assert from 'node:assert/strict';
import { namesCancel, namesFailure } from '../../../../src/service/node/statusWords';

describe('The status of a job', () => {
  it('says that it was canceled, in either spelling and with other words', () => {
    for (const status of ['CANCELED', 'cancelled', 'USER_CANCELLED', 'CanceledByUser', 'canceled: budget']) {
      assert.ok(namesCancel(status), status);
      assert.ok(namesFailure(status), status);
    }
    for (const status of ['FAILED', 'CANCELING', '', 'ABORTED']) assert.ok(!namesCancel(status), status);
  });
});
