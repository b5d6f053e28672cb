import { CodedError } from '../../base/errors';

/** Throws `not-found` where a command is called with a node of an account that isn't active any more: it is none of this one. */
export function checkNodes(
  args: readonly unknown[],
  trees: readonly { isOutdated(node: unknown): boolean }[],
): void {
  // A tree passes the node clicked, and what is selected.
  const isOutdated = args.flat().some(argument => trees.some(tree => tree.isOutdated(argument)));
  if (isOutdated) throw new CodedError('not-found', 'What was clicked is of another account');
}
