import { deepEqual } from 'node:assert/strict';
import { SessionLog } from '../../../../src/session/node/sessionEngine';
import { CodedError, canceledError } from '../../../../src/base/errors';

describe('The log of a session', () => {
  it('says what failed and why, unless it was canceled or the session has ended', () => {
    const lines: string[] = [];
    const ending = new AbortController();
    const log = new SessionLog({ info: line => lines.push(line) }, ending.signal);
    log.info('Linking rows', new CodedError('not-found', 'No table'));
    log.info('Linking rows', new Error('broken'));
    log.info('Linking rows', canceledError());
    ending.abort();
    log.info('Linking rows', new Error('ended'));
    deepEqual(lines, ['Linking rows: not-found: No table', 'Linking rows: Error: broken']);
  });
});
