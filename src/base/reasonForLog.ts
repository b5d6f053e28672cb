import type { Reason } from './reasons';

/** The log's form of a reason: in English. */
export function reasonForLog({ message, args }: Reason): string {
  return filledMessage(message, args);
}

/** A message with its arguments in place of {0}, {1}…; those in an argument stay as they are. */
export function filledMessage(message: string, args: readonly (string | number)[]): string {
  return message.replace(/\{(\d+)\}/g, (hole, place: string) => String(args[Number(place)] ?? hole));
}
