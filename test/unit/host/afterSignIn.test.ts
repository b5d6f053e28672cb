import * as assert from 'node:assert/strict';
import { command, runCommand } from '../../../src/host/editor/command';
import { CodedError } from '../../../src/base/errors';

describe('A command that needs an account', () => {
  let isSignedIn: boolean;
  let runs: number;
  let signIns: number;

  beforeEach(() => {
    isSignedIn = false;
    runs = 0;
    signIns = 0;
  });

  const run = () => {
    runs++;
    return isSignedIn ? Promise.resolve() : Promise.reject(new CodedError('signed-out', 'No account'));
  };
  /** Runs it as a person does. */
  const after = (signsIn: boolean, what = run) =>
    runCommand(
      command({ options: {}, program: what }),
      [],
      {
        isSignedIn: () => isSignedIn,
        signIn: () => {
          signIns++;
          isSignedIn = signsIn;
          return Promise.resolve(signsIn);
        },
      },
      error => {
        throw error;
      },
    );

  it('goes on after the sign-in', async () => {
    await after(true);
    assert.deepEqual([runs, signIns], [2, 1]);
  });

  it('ends without a failure where the sign-in is canceled', async () => {
    await after(false);
    assert.deepEqual([runs, signIns], [1, 1]);
  });

  it('runs once where an account is signed in', async () => {
    isSignedIn = true;
    await after(true);
    assert.deepEqual([runs, signIns], [1, 0]);
  });

  it("isn't begun again with another account after its own signed out on the way", async () => {
    isSignedIn = true;
    const signedOut = () => {
      isSignedIn = false;
      return run();
    };
    await assert.rejects(after(true, signedOut), { code: 'signed-out' });
    assert.deepEqual([runs, signIns], [1, 0]);
  });

  it('fails with any other reason at once', async () => {
    const other = () => Promise.reject(new CodedError('network', 'Unreachable'));
    await assert.rejects(after(true, other), { code: 'network' });
    assert.equal(signIns, 0);
  });
});
