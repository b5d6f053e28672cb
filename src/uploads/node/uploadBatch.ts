import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Owner, parseOwner } from '../../base/node/thisProcess';

/*
 * An upload as it is stored, so that it outlives its window: the list of its files, written once, and claims, each of
 * which says who owns the batch and where its files stand. Both are plain text of which any part may be damaged.
 */

/** Where a file of an upload stands. */
export type FileState = 'queued' | 'sending' | 'done' | 'failed' | 'canceled';

/** A file as it was when it was queued. */
export interface BatchFile {
  uri: string;
  fileName: string;
  /** Slash-separated folder below the destination; empty for a file that came without its folder. */
  folder: string;
  /** Bytes. */
  size: number;
}

export interface BatchContent {
  /** "" for the top. */
  destinationFolder: string;
  files: readonly BatchFile[];
}

/** What the owner does with a batch; `released` by a window that closed, or whose offer a person ignored. */
export type ClaimPhase = 'sending' | 'offering' | 'released';

export interface StoredClaim {
  owner: Owner;
  phase: ClaimPhase;
  /** In the order of the files; missing until they are first written. */
  states?: FileState[];
}

const STATES: Readonly<Record<FileState, string>> = {
  queued: 'q',
  sending: 's',
  done: 'd',
  failed: 'f',
  canceled: 'c',
};

const STATE_OF_LETTER = new Map(
  Object.entries(STATES).map(([state, letter]) => [letter, state as FileState]),
);

const PHASES: readonly unknown[] = ['sending', 'offering', 'released'] satisfies ClaimPhase[];

/** A claim as text; one letter for the state of each file, as there may be 100,000. */
export function claimText({ owner, phase, states }: StoredClaim): string {
  const letters = states?.map(state => STATES[state]).join('');
  return JSON.stringify({ owner, phase, ...(letters !== undefined && { states: letters }) });
}

/** A claim from its text; undefined where it is damaged. */
export function parseClaim(text: string): StoredClaim | undefined {
  const { owner, phase, states } = (parse(text) ?? {}) as Record<string, unknown>;
  const process = parseOwner(owner);
  if (!process || !PHASES.includes(phase)) return undefined;
  const claim = { owner: process, phase: phase as ClaimPhase };
  if (states === undefined) return claim;
  if (typeof states !== 'string') return undefined;
  // A letter that is none says nothing: the file may have been sent.
  return { ...claim, states: Array.from(states, letter => STATE_OF_LETTER.get(letter) ?? 'sending') };
}

/** The list of files as text, in pieces: a line for the batch and one for each file. */
export function* contentText({ destinationFolder, files }: BatchContent): Generator<string> {
  yield `${JSON.stringify({ destinationFolder })}\n`;
  for (const { uri, fileName, folder, size } of files)
    yield `${JSON.stringify({ uri, fileName, folder, size })}\n`;
}

/** Lines that are parsed in one turn of the thread. */
const LINES_AT_ONCE = 2000;

/**
 * The list from its text. A damaged line is undefined, so that the others keep their place. Undefined without the first
 * line.
 */
export async function parseContent(
  text: string,
): Promise<{ destinationFolder: string; files: (BatchFile | undefined)[] } | undefined> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const { destinationFolder } = (parse(lines[0] ?? '') ?? {}) as Record<string, unknown>;
  if (typeof destinationFolder !== 'string') return undefined;
  const files: (BatchFile | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) files.push(parseFile(line));
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await nextTurn();
  }
  return { destinationFolder, files };
}

function parseFile(line: string): BatchFile | undefined {
  const { uri, fileName, folder, size } = (parse(line) ?? {}) as Record<string, unknown>;
  if (typeof uri !== 'string' || typeof fileName !== 'string') return undefined;
  if (typeof folder !== 'string' || typeof size !== 'number') return undefined;
  return { uri, fileName, folder, size };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
