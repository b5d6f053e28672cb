import { t } from '../../pages/page/l10n';
import type { ComponentChildren } from 'preact';
import { Button, IconButton } from '../../pages/page/widgets/parts';
import type { ImageColumn } from '../imageColumns';
import type { SheetKey } from '../sheetKey';
import { type ImagePartProps, type ImageText, reasonInWords, roleNames } from './imageWords';

/** Lines that a list shows before it says how many more there are. */
const MAX_LISTED = 100;
/** Values of a column that are shown as examples. */
const EXAMPLES = 3;

/** What folders and names tell, accepted with one click. */
export function Proposal({ images, text }: ImagePartProps) {
  const proposed = images.proposed.value;
  if (!proposed || images.pattern.value !== undefined || images.sheet.value) return null;
  const { columns, unmatched } = proposed;
  return (
    <div class="image-bar" role="group" aria-label={text.get('proposalTitle')}>
      <span class="image-bar-words">
        {text.get('proposalTitle')} <Columns columns={columns} />
        {unmatched.length > 0 && ` ${text.count('imagesUnmatched', unmatched.length)}`}
      </span>
      <Button primary onClick={() => images.acceptProposal()}>
        {text.get('proposalAccept')}
      </Button>
      <Button onClick={() => images.dismissProposal()}>{text.get('proposalDismiss')}</Button>
    </div>
  );
}

/** Why a row of a sheet is left out. */
const SHEET_REFUSALS = {
  'no-image': t.later('no such image'),
  'several-images': t.later("it isn't certain which image this is"),
  twice: t.later('another row has other values'),
} as const;

/** Names of columns with a few of their values. */
function Columns({ columns }: { columns: readonly ImageColumn[] }) {
  return (
    <span class="image-examples">
      {columns.map(({ name, values, role }) => {
        const distinct = new Set(values.filter(value => value !== ''));
        const shown = [...distinct].slice(0, EXAMPLES).join(', ');
        return (
          <span key={name} class="image-example">
            <b>{name}</b>
            {role && <span class="image-role">{roleNames[role]()}</span>}
            {` ${shown}${distinct.size > EXAMPLES ? ` … (${distinct.size})` : ''}`}
          </span>
        );
      })}
    </span>
  );
}

/** A pattern, with what it gives as it is typed. */
export function PatternBar({ images, text }: ImagePartProps) {
  const pattern = images.pattern.value;
  const typed = images.typed.value;
  const known = images.known.value;
  if (pattern === undefined || !typed || !known) return null;
  const isWrong = 'why' in typed;
  const first = isWrong ? undefined : typed.unmatched[0];
  return (
    <div class="image-bar" role="group" aria-label={text.get('fromPattern')}>
      <label class="image-field">
        <span>{text.get('pattern')}</span>
        <input
          class="input image-pattern"
          autofocus
          spellcheck={false}
          value={pattern}
          aria-invalid={isWrong}
          aria-describedby="image-pattern-words"
          ref={focusOnce}
          onInput={({ currentTarget }) => images.type(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') images.applyPattern();
            if (key === 'Escape') images.closePattern();
          }}
        />
      </label>
      <Button primary disabled={isWrong} onClick={() => images.applyPattern()}>
        {text.get('patternApply')}
      </Button>
      <IconButton icon="close" label={text.get('closePattern')} onClick={() => images.closePattern()} />
      <div class="image-bar-words" id="image-pattern-words" aria-live="polite">
        {isWrong ? (
          <span class="image-wrong">{reasonInWords(text, typed.why)}</span>
        ) : (
          <>
            {text.get('patternMatches', known.images.length - typed.unmatched.length, known.images.length)}
            <Columns columns={typed.columns} />
            <Changes images={images} text={text} />
          </>
        )}
        {first !== undefined && !isWrong && (
          <span>{text.get('patternNone', typed.unmatched.length, known.images[first] ?? '')}</span>
        )}
        <span class="popover-note">{text.get('patternHint', '{name}')}</span>
      </div>
    </div>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  if (input && document.activeElement !== input && !input.dataset['seen']) {
    input.dataset['seen'] = 'true';
    input.focus();
    input.select();
  }
}

/** A sheet that was read, with what joining it would do; nothing is joined before that is seen. */
export function SheetBar({ images, text }: ImagePartProps) {
  const sheet = images.sheet.value;
  const known = images.known.value;
  if (!sheet || !known) return null;
  const { key, header, columns, rows, renamed, rivals } = sheet;
  const nameOf = (column: number) => header[column] || String(column + 1);
  const isOpen = rivals.length > 0;
  const isHeaderFirst = sheet.isHeaderGiven === true;
  const join = (next: Partial<SheetKey>) =>
    void images.joinSheet({ key: { ...key, ...next }, isHeaderFirst });
  return (
    <div class="image-bar" role="group" aria-label={text.get('sheetTitle', sheet.name)}>
      <span class="image-bar-title">{text.get('sheetTitle', sheet.name)}</span>
      <label class="image-field">
        <span>{text.get('sheetKey')}</span>
        <select
          class="input"
          value={isOpen ? '' : String(key.column)}
          onChange={({ currentTarget: { value } }) => value !== '' && join({ column: Number(value) })}
        >
          {isOpen && <option value="">{text.get('sheetSelect')}</option>}
          {header.map((_, column) => (
            <option key={column} value={String(column)}>
              {nameOf(column)}
            </option>
          ))}
        </select>
      </label>
      <label class="image-field">
        <span>{text.get('sheetNames')}</span>
        <select
          class="input"
          value={key.names}
          onChange={({ currentTarget }) =>
            join({ names: currentTarget.value === 'wells' ? 'wells' : 'images' })
          }
        >
          <option value="images">{text.get('sheetKeyImages')}</option>
          <option value="wells">{text.get('sheetKeyWells')}</option>
        </select>
      </label>
      <Button
        primary
        disabled={isOpen || sheet.images.length === known.images.length}
        onClick={() => images.applySheet()}
      >
        {text.get('sheetApply')}
      </Button>
      <IconButton icon="close" label={text.get('closePattern')} onClick={() => images.closeSheet()} />
      <div class="image-bar-words" aria-live="polite">
        {isOpen ? (
          <span class="image-wrong">
            {text.get(
              'sheetAsks',
              [key.column, ...rivals]
                .sort((a, b) => a - b)
                .map(nameOf)
                .join(', '),
            )}
          </span>
        ) : (
          <>
            {text.get('sheetJoinedBy', nameOf(key.column))}{' '}
            {text.get('sheetMatches', known.images.length - sheet.images.length, known.images.length)}
            <Columns columns={columns} />
            <Changes images={images} text={text} />
          </>
        )}
        <SheetHeader images={images} text={text} />
        {renamed.map(({ from, to }) => (
          <span key={to}>{text.get('sheetRenamed', from, to)}</span>
        ))}
        <Listed summary={text.count('sheetRows', rows.length)} count={rows.length} text={text}>
          {rows.slice(0, MAX_LISTED).map(({ row, text: named, why }) => (
            <li key={row}>
              {text.get('sheetRow', row + 1, named)} – {SHEET_REFUSALS[why]()}
            </li>
          ))}
        </Listed>
        <Listed
          summary={text.count('sheetImages', sheet.images.length)}
          count={sheet.images.length}
          text={text}
        >
          {sheet.images.slice(0, MAX_LISTED).map(image => (
            <li key={image}>{known.images[image]}</li>
          ))}
        </Listed>
      </div>
    </div>
  );
}

/** How the header of a sheet was found, where it isn't the first row alone; a click makes it that, or finds it again. */
function SheetHeader({ images, text }: ImagePartProps) {
  const sheet = images.sheet.value;
  if (!sheet?.headerRows && !sheet?.isHeaderGiven) return null;
  const { headerRows = { skipped: 0, rows: 1 }, isHeaderGiven = false } = sheet;
  const { skipped, rows } = headerRows;
  const words = isHeaderGiven
    ? [text.get('sheetFirstRow')]
    : [
        ...(rows === 0 ? [text.get('sheetNoHeader')] : []),
        ...(rows > 1 ? [text.get('sheetHeaderOfRows', rows)] : []),
        ...(skipped > 0 ? [text.count('sheetAboveHeader', skipped)] : []),
      ];
  return (
    <span>
      {words.join(' ')}{' '}
      <Button onClick={() => void images.joinSheet({ isHeaderFirst: !isHeaderGiven })}>
        {text.get(isHeaderGiven ? 'sheetFindHeader' : 'sheetUseFirstRow')}
      </Button>
    </span>
  );
}

/** What becomes of cells that are there, each of which is listed. */
function Changes({ images, text }: ImagePartProps) {
  const changes = images.changes.value;
  const known = images.known.value;
  if (!changes || !known || changes.changed + changes.emptied === 0) return null;
  const { set, changed, emptied, cells } = changes;
  const shown = (value: string) => (value === '' ? text.get('cellEmpty') : value);
  return (
    <>
      <span>{text.get('cellChanges', set, changed, emptied)}</span>
      <Listed summary={text.get('cellChangesOf')} count={changed + emptied} text={text}>
        {cells.slice(0, Math.min(MAX_LISTED, changed + emptied)).map(({ image, column, from, to }) => (
          <li key={`${image} ${column ?? ''}`}>
            {text.get(
              'cellChange',
              known.images[image] ?? '',
              column ?? text.get('excludedColumn'),
              shown(from),
              shown(to),
            )}
          </li>
        ))}
      </Listed>
    </>
  );
}

interface ListedProps {
  summary: string;
  count: number;
  text: ImageText;
  children: ComponentChildren;
}

function Listed({ summary, count, text, children }: ListedProps) {
  if (count === 0) return null;
  return (
    <details class="image-left-out">
      <summary>{summary}</summary>
      <ul tabIndex={0} aria-label={summary}>
        {children}
        {count > MAX_LISTED && <li>{text.get('moreOfThem', count - MAX_LISTED)}</li>}
      </ul>
    </details>
  );
}
