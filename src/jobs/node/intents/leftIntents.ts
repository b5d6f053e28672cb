import type { SharedFiles } from '../../../base/node/sharedFolder';
import { isOver, type ThisProcess } from '../../../base/node/thisProcess';
import type { DescribedSubmit } from './describedSubmit';
import { fileOf, numbersByName } from './intentFiles';
import { parseIntent, type IntentState } from './intentState';

/** A submit whose window is gone, with what is to be done about it: its job is to be stored, or it is to be found out. */
export interface LeftIntent {
  /** The part of the file's name that all intents of its key share. */
  prefix: string;
  /** Its number, and the highest one of its key. */
  generation: number;
  top: number;
  text: string;
  request: DescribedSubmit;
  state: LeftState;
}

export type LeftState = Extract<IntentState, { at: 'sending' | 'submitted' | 'unclaimed' | 'unresolved' }>;

/**
 * The submits that windows of this machine left which are gone, and that no window has handled since. `here` is called only
 * where there may be some.
 */
export async function leftIntents(
  files: Pick<SharedFiles, 'list' | 'read'>,
  here: () => Promise<ThisProcess>,
): Promise<LeftIntent[]> {
  const left: LeftIntent[] = [];
  for (const [prefix, generations] of numbersByName(await files.list(''))) {
    for (const generation of generations) {
      const read = await files.read(fileOf(prefix, generation)).catch(() => 'unreadable' as const);
      // As long as it can't be read it may be any window's.
      if (read === 'unreadable') break;
      const intent = parseIntent(read?.text ?? '');
      const { owner, request, state } = intent;
      if (state.at === 'withdrawn') continue;
      const isUnhandled = request && isLeft(state) && !intent.handled;
      // Looked at only where it matters: it takes a system command to know which machine this is.
      const isOwnerOver =
        owner !== undefined &&
        (isUnhandled || state.at === 'preparing') &&
        isOver(owner, read?.writtenAt ?? 0, await here());
      if (state.at === 'preparing' && isOwnerOver) continue;
      if (isOwnerOver && isUnhandled)
        left.push({
          prefix,
          generation,
          top: generations[0] ?? generation,
          text: read?.text ?? '',
          request,
          state,
        });
      break;
    }
  }
  return left;
}

function isLeft(state: IntentState): state is LeftState {
  return (
    state.at === 'sending' ||
    state.at === 'submitted' ||
    state.at === 'unclaimed' ||
    state.at === 'unresolved'
  );
}
