import { isCoded } from '../base/errors';

/** How a person signs in, and whether they are. */
export interface SignInOnTheWay {
  isSignedIn: () => boolean;
  /** Has a person sign in; resolves to whether they did. */
  signIn: () => Promise<boolean>;
}

/**
 * Runs what may need an account. Where there was none from the start, it runs again after the sign-in. What began with an account
 * that is gone since doesn't: a part of it is done, and what it was called with belongs to that account.
 */
export async function runAfterSignIn(
  run: () => Promise<void>,
  { isSignedIn, signIn }: SignInOnTheWay,
): Promise<void> {
  const wasSignedIn = isSignedIn();
  try {
    await run();
  } catch (error) {
    if (wasSignedIn || isSignedIn() || !isCoded(error, 'signed-out')) throw error;
    if (await signIn()) await run();
  }
}
