import type { Reason } from './reasons';

/** A reason in English, for the log. */
export function reasonForLog({ message, args }: Reason): string {
  return filledMessage(message, args);
}

/** Puts arguments in place of {0}, {1}…; placeholders inside arguments stay. */
export function filledMessage(message: string, args: readonly (string | number)[]): string {
  return message.replace(/\{(\d+)\}/g, (placeholder, index: string) =>
    String(args[Number(index)] ?? placeholder),
  );
}
