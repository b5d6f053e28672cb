/*
 * Makes texts from outside (from the service, files, host names) safe to show. VS Code interprets
 * some texts: [text](command:…) in messages and input boxes becomes a link, $(name) in labels an
 * icon, and the hover of a pick's description is Markdown. An invisible zero-width space between
 * the two characters of such syntax prevents this. Only shown texts change: paths, IDs and copied
 * texts don't.
 */

const MAX_MESSAGE = 800;
const MAX_LABEL = 200;
const MAX_DETAIL = 400;
const MAX_LINES = 40;
const MAX_NAME = 120;
const MAX_NAME_IN_ROW = 24;

/** A message, a progress title or the prompt of an input box: one line. */
export function inMessage(text: string): string {
  return withoutSyntax(shortened(oneLine(text), MAX_MESSAGE));
}

/** A label, a title or a placeholder: one line. */
export function inLabel(text: string): string {
  return withoutSyntax(shortened(oneLine(text), MAX_LABEL));
}

/** A pick's description or detail, which VS Code shows as Markdown with links in its hover. */
export function inDetail(text: string): string {
  return withoutSyntax(shortened(oneLine(text), MAX_DETAIL)).replace(/:(?=\/\/)|www(?=\.)|@/gi, `$&${GAP}`);
}

/** A tooltip of plain text, of at most 40 lines. */
export function inTooltip(lines: readonly string[]): string {
  const shown = lines.flatMap(line => line.split(LINE_BREAK)).slice(0, MAX_LINES);
  return shown.map(inMessage).join('\n');
}

/** A name that is short enough for a sentence. */
export function nameInSentence(name: string): string {
  return withoutMiddle(name, MAX_NAME);
}

/** A name that is short enough for a tree row with a description. */
export function nameInRow(name: string): string {
  return withoutMiddle(name, MAX_NAME_IN_ROW);
}

/** At most `max` characters of a name. Cut in the middle, because file names differ at the end. */
function withoutMiddle(name: string, max: number): string {
  const shown = oneLine(name);
  if (shown.length <= max) return shown;
  const start = shortened(shown, max / 2);
  return `${start}${shown.slice(-max / 2).replace(/^[\udc00-\udfff]/, '')}`;
}

/** Separates a link's text from its address, and an icon's dollar from its name. */
function withoutSyntax(text: string): string {
  return text.replace(/\](?=\()|\$(?=\()/g, `$&${GAP}`);
}

const GAP = '\u200b';

/**
 * Makes one line: line breaks become spaces, invisible characters are removed. Control characters,
 * also those that change the text's direction, and lone surrogates become U+FFFD.
 */
function oneLine(text: string): string {
  return text
    .replace(LINE_BREAK, ' ')
    .replace(/\t/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .replace(INVISIBLE, '');
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Format characters, except the joiners, which some scripts and emoji need. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;

/** At most `max` characters; a shortened text ends in an ellipsis. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
