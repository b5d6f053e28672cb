import { isCoded } from '../../base/errors';
import { badOption, isPlainObject, type Option } from '../options';

/** The options of a command, by name. */
type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of a command's options. */
type OptionValues<O extends Options> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/**
 * A command: its options and result for programs, and its behavior for a person. package.json
 * contributes it under the same name. A test compares both, and the table in
 * docs/guide/automation.md.
 */
interface Command<O extends Options, R> {
  /** The options of a program's call, which are validated before `program` is called. */
  options: O;
  /** Runs for a program: shows nothing, resolves to a JSON value, rejects with a coded error. */
  program(options: OptionValues<O>, commandArgs: unknown[]): Promise<R>;
  /** Runs for a person, and may prompt. If missing, `program` runs without options. */
  person?(commandArgs: unknown[]): Promise<void>;
}

/** Commands by name, without "imageAnalysis.". */
export type Commands = Readonly<Record<string, Command<Options, unknown>>>;

/** Declares a command; infers its types from the options and the result of `program`. */
export function command<O extends Options, R>(declared: Command<O, R>): Command<O, R> {
  return declared;
}

/** Checks whether a person is signed in, and lets them sign in. */
interface SignIn {
  isSignedIn: () => boolean;
  /** Lets a person sign in; resolves to whether they did. */
  signIn: () => Promise<boolean>;
}

/**
 * Runs a command. Rejects if a program's call fails. Failures of a person's call go to `report`,
 * because VS Code would show a rejection as a modal dialog. If a person must sign in first, the
 * command continues after the sign-in.
 */
export async function runCommand(
  { options, program, person }: Command<Options, unknown>,
  args: readonly unknown[],
  signIn: SignIn,
  report: (error: unknown) => void,
): Promise<unknown> {
  const call = readCall(args);
  if (call.program) return await program(readOptions(options, call.options), call.commandArgs);
  const run = async () => {
    if (person) await person(call.commandArgs);
    else await program(readOptions(options, {}), call.commandArgs);
  };
  try {
    await runAfterSignIn(run, signIn);
  } catch (error) {
    report(error);
  }
  return undefined;
}

/**
 * Runs work that may need an account. If there was no account at the start, lets the person sign in
 * and runs it again. Not if the account went away during the work: part of the work is done, and
 * its arguments belong to that account.
 */
async function runAfterSignIn(run: () => Promise<void>, { isSignedIn, signIn }: SignIn): Promise<void> {
  const wasSignedIn = isSignedIn();
  try {
    await run();
  } catch (error) {
    if (wasSignedIn || isSignedIn() || !isCoded(error, 'signed-out')) throw error;
    if (await signIn()) await run();
  }
}

/** A command's parsed arguments. If the last argument is a plain object, a program calls. */
type CommandCall =
  | { program: true; options: Record<string, unknown>; commandArgs: unknown[] }
  | { program: false; commandArgs: unknown[] };

function readCall(args: readonly unknown[]): CommandCall {
  const last = args.at(-1);
  if (isPlainObject(last)) return { program: true, options: last, commandArgs: args.slice(0, -1) };
  return { program: false, commandArgs: [...args] };
}

/** Reads a call's options; ignores undeclared ones. Throws `bad-request` that names the option. */
function readOptions<O extends Options>(
  options: O,
  callOptions: Readonly<Record<string, unknown>>,
): OptionValues<O> {
  const values = Object.entries(options).map(([name, option]) => {
    const parsed = option.read(callOptions[name]);
    if (!parsed) throw badOption(name, option.expected);
    return [name, parsed.value];
  });
  return Object.fromEntries(values) as OptionValues<O>;
}
