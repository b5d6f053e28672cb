import { isCoded } from '../../base/errors';
import { badOption, isPlainObject, type Option } from '../options';

/** The options of a command, by name. */
type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of a command's options. */
type OptionValues<O extends Options> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/**
 * A command: what programs pass to it, what it returns to them, and what it does for a person.
 * package.json contributes it under the same name; a test compares both, and the table in
 * docs/guide/automation.md.
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

/** How a person signs in, and whether they are. */
interface SignInOnTheWay {
  isSignedIn: () => boolean;
  /** Has a person sign in; resolves to whether they did. */
  signIn: () => Promise<boolean>;
}

/**
 * A program's failure is a rejection; `report` gets a person's, as VS Code shows a rejection as a
 * modal dialog. If a person has to sign in first, the command continues after the sign-in.
 */
export async function runCommand(
  { options, program, person }: Command<Options, unknown>,
  args: readonly unknown[],
  signIn: SignInOnTheWay,
  report: (error: unknown) => void,
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
    report(error);
  }
  return undefined;
}

/**
 * Runs what may need an account. Where there was none from the start, it runs again after the
 * sign-in. What began with an account that is gone since doesn't: a part of it is done, and what it
 * was called with belongs to that account.
 */
async function runAfterSignIn(
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

/** A command's arguments. A call whose last argument is a plain object comes from a program. */
type CommandCall =
  | { program: true; options: Record<string, unknown>; rest: unknown[] }
  | { program: false; rest: unknown[] };

function readCall(args: readonly unknown[]): CommandCall {
  const last = args.at(-1);
  if (isPlainObject(last)) return { program: true, options: last, rest: args.slice(0, -1) };
  return { program: false, rest: [...args] };
}

/** Reads a call's options, ignoring undeclared ones. Throws `bad-request` with the option. */
function readOptions<O extends Options>(
  options: O,
  passed: Readonly<Record<string, unknown>>,
): OptionValues<O> {
  const values = Object.entries(options).map(([name, option]) => {
    const parsed = option.read(passed[name]);
    if (!parsed) throw badOption(name, option.expected);
    return [name, parsed.value];
  });
  return Object.fromEntries(values) as OptionValues<O>;
}
