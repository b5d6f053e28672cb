/** The arguments of a command. A call whose last argument is a plain object is a program's; any other is a person's. */
export type CommandCall =
  | { program: true; options: Record<string, unknown>; rest: unknown[] }
  | { program: false; rest: unknown[] };

export function readCall(args: readonly unknown[]): CommandCall {
  const last = args.at(-1);
  if (isPlainObject(last)) return { program: true, options: last, rest: args.slice(0, -1) };
  return { program: false, rest: [...args] };
}

/** Whether the value is an object literal, or one that crossed a process boundary as JSON. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
