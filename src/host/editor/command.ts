import type { Log } from '../../base/log';
import {
  type Options,
  type OptionValues,
  readCall,
  readOptions,
  runAfterSignIn,
  type SignInOnTheWay,
} from '../options';
import { showFailure } from './messages';

/**
 * A command: what programs pass to it, what it returns to them, and what it does for a person. package.json contributes it
 * under the same name; a test compares both, and the table in docs/guide/automation.md.
 */
interface Command<O extends Options, R> {
  /** The options of a program's call. They are validated before `program` is called. */
  options: O;
  /** Shows nothing, resolves to a JSON value, rejects with a coded error. */
  program(options: OptionValues<O>, rest: unknown[]): Promise<R>;
  /** Prompts for what it needs. Where missing, a person's call is a program's without options. */
  person?(rest: unknown[]): Promise<void>;
}

/** Commands by their name without "imageAnalysis.". */
export type Commands = Readonly<Record<string, Command<Options, unknown>>>;

/** Declares a command; its types follow from the options and from what `program` returns. */
export function command<O extends Options, R>(declared: Command<O, R>): Command<O, R> {
  return declared;
}

interface RunParts {
  /** What a command that needs an account does without one. */
  signIn: SignInOnTheWay;
  log: Log;
}

/**
 * A program's failure is a rejection; a person's becomes one message, as VS Code shows a rejection as a modal dialog. Where a
 * person who isn't signed in has to be, the command goes on after the sign-in.
 */
export async function runCommand(
  { signIn, log }: RunParts,
  name: string,
  { options, program, person }: Command<Options, unknown>,
  args: readonly unknown[],
): Promise<unknown> {
  const call = readCall(args);
  if (call.program) return await program(readOptions(options, call.options), call.rest);
  const run = async () => {
    if (person) await person(call.rest);
    else await program(readOptions(options, {}), call.rest);
  };
  try {
    await runAfterSignIn(run, signIn);
  } catch (error) {
    log.error(`The command ${name} failed`, error);
    // Not awaited: the command is over, the message stays until it is dismissed.
    void showFailure(error);
  }
  return undefined;
}
