import { RE2JS, RE2JSSyntaxException } from 're2js';
import { CodedError } from '../../../base/errors';
import { reason } from '../../../base/reasons';

/** The test of a text filter. A regular expression is RE2 syntax and runs in linear time. Throws `bad-request`. */
export function textMatcher(
  match: 'contains' | 'equals' | 'regex',
  text: string,
  caseSensitive: boolean,
): (cell: string) => boolean {
  if (match === 'regex') {
    const pattern = compile(text, caseSensitive);
    return cell => pattern.test(cell);
  }
  const wanted = caseSensitive ? text : text.toLowerCase();
  const plain = (cell: string) => (caseSensitive ? cell : cell.toLowerCase());
  return match === 'equals' ? cell => plain(cell) === wanted : cell => plain(cell).includes(wanted);
}

function compile(text: string, caseSensitive: boolean): RE2JS {
  try {
    return RE2JS.compile(text, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    const message = whatIsWrong(error, text);
    throw new CodedError('bad-request', `The regular expression cannot be read: ${message}`, {
      subject: text,
      reason: reason('quoted', message),
    });
  }
}

/** Without the words around it, and with the part that is wrong only as the user wrote it. */
function whatIsWrong(error: unknown, text: string): string {
  if (!(error instanceof RE2JSSyntaxException)) return error instanceof Error ? error.message : String(error);
  const part = error.getPattern();
  const isPart = part !== null && part !== '' && part !== text && text.includes(part);
  return isPart ? `${error.getDescription()}: ${part}` : error.getDescription();
}
