import type { Spelling } from '../../archives/imageNames';
import { type PageWords, t } from '../../pages/page/l10n';
import type { ComponentChildren } from 'preact';
import { Button, IconButton } from '../../pages/page/widgets/parts';
import type { ImageColumn } from '../imageColumns';
import type { SheetKey } from '../sheetKey';
import { type ImagePartProps, roleNames } from './imageWords';

/** Maximum number of lines in a list. */
const MAX_LISTED = 100;
/** Maximum number of values of a column that are shown as examples. */
const MAX_EXAMPLES = 3;

/** Proposes the columns found in folders and names; one click adds them. */
export function Proposal({ images }: ImagePartProps) {
  const proposed = images.proposed.value;
  if (!proposed || images.pattern.value !== undefined || images.sheet.value) return null;
  const { columns, unmatched } = proposed;
  return (
    <div class="image-bar" role="group" aria-label={t('Found in folders and file names:')}>
      <span class="image-bar-words">
        {t('Found in folders and file names:')} <ColumnExamples columns={columns} />
        {unmatched.length > 0 &&
          ` ${t.count(unmatched.length, '1 image has another name.', '{0} images have other names.')}`}
      </span>
      <Button primary onClick={() => images.acceptProposal()}>
        {t('Add Columns')}
      </Button>
      <Button onClick={() => images.dismissProposal()}>{t('Dismiss')}</Button>
    </div>
  );
}

/** Why a row of a sheet is left out. */
const SHEET_REFUSALS = {
  'no-image': t.later('no such image'),
  'several-images': t.later("it isn't certain which image this is"),
  twice: t.later('another row has other values'),
} as const;

/** Differences of a spelling from an image's path. */
const SPELLINGS: Readonly<Record<Spelling, PageWords>> = {
  folders: t.later('other folders'),
  extension: t.later('another extension, or none'),
  case: t.later('upper and lower case'),
  accents: t.later('accents written otherwise'),
  separators: t.later('other slashes or spaces'),
};

/** Names of columns with some of their values. */
function ColumnExamples({ columns }: { columns: readonly ImageColumn[] }) {
  return (
    <span class="image-examples">
      {columns.map(({ name, values, role }) => {
        const distinct = new Set(values.filter(value => value !== ''));
        const examples = [...distinct].slice(0, MAX_EXAMPLES).join(', ');
        return (
          <span key={name} class="image-example">
            <b>{name}</b>
            {role && <span class="image-role">{roleNames[role]()}</span>}
            {` ${examples}${distinct.size > MAX_EXAMPLES ? ` … (${distinct.size})` : ''}`}
          </span>
        );
      })}
    </span>
  );
}

/** The input of a pattern, with its result while typing. */
export function PatternBar({ images }: ImagePartProps) {
  const pattern = images.pattern.value;
  const typed = images.typed.value;
  const metadata = images.metadata.value;
  if (pattern === undefined || !typed || !metadata) return null;
  const hasProblem = 'problem' in typed;
  const firstUnmatched = hasProblem ? undefined : typed.unmatched[0];
  return (
    <div class="image-bar" role="group" aria-label={t('From File Names…')}>
      <label class="image-field">
        <span>{t({ message: 'Pattern', comment: 'Of file names' })}</span>
        <input
          class="input image-pattern"
          autofocus
          spellcheck={false}
          value={pattern}
          aria-invalid={hasProblem}
          aria-describedby="image-pattern-words"
          ref={focusOnce}
          onInput={({ currentTarget }) => images.type(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') images.applyPattern();
            if (key === 'Escape') images.closePattern();
          }}
        />
      </label>
      <Button primary disabled={hasProblem} onClick={() => images.applyPattern()}>
        {t({ message: 'Apply', comment: 'Verb: apply a pattern of file names' })}
      </Button>
      <IconButton
        icon="close"
        label={t({ message: 'Close', comment: 'Verb: close a part of the page' })}
        onClick={() => images.closePattern()}
      />
      <div class="image-bar-words" id="image-pattern-words" aria-live="polite">
        {hasProblem ? (
          <span class="image-wrong">{t.reason(typed.problem)}</span>
        ) : (
          <>
            {t(
              'Matches {0} of {1} images',
              metadata.images.length - typed.unmatched.length,
              metadata.images.length,
            )}
            <ColumnExamples columns={typed.columns} />
            <Changes images={images} />
          </>
        )}
        {firstUnmatched !== undefined && !hasProblem && (
          <span>
            {t(
              "{0} of the images, such as {1}, don't match; their values don't change.",
              typed.unmatched.length,
              metadata.images[firstUnmatched] ?? '',
            )}
          </span>
        )}
        <span class="popover-note">
          {t('{0} becomes a column, * is any text. Folders are separated by /.', '{name}')}
        </span>
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

/** A sheet that was read, with the effects of joining it; the user joins it after seeing them. */
export function SheetBar({ images }: ImagePartProps) {
  const sheet = images.sheet.value;
  const metadata = images.metadata.value;
  if (!sheet || !metadata) return null;
  const { key, header, columns, rows, spelled, renamed, rivals } = sheet;
  const nameOf = (column: number) => header[column] || String(column + 1);
  const isKeyUncertain = rivals.length > 0;
  const isHeaderFirst = sheet.isHeaderGiven === true;
  const join = (change: Partial<SheetKey>) =>
    void images.joinSheet({ key: { ...key, ...change }, isHeaderFirst });
  return (
    <div class="image-bar" role="group" aria-label={t('Sample sheet {0}', sheet.name)}>
      <span class="image-bar-title">{t('Sample sheet {0}', sheet.name)}</span>
      <label class="image-field">
        <span>{t('Match rows by')}</span>
        <select
          class="input"
          value={isKeyUncertain ? '' : String(key.column)}
          onChange={({ currentTarget: { value } }) => value !== '' && join({ column: Number(value) })}
        >
          {isKeyUncertain && <option value="">{t('Select…')}</option>}
          {header.map((_, column) => (
            <option key={column} value={String(column)}>
              {nameOf(column)}
            </option>
          ))}
        </select>
      </label>
      <label class="image-field">
        <span>{t({ message: 'as', comment: 'Join a table as images or wells' })}</span>
        <select
          class="input"
          value={key.names}
          onChange={({ currentTarget }) =>
            join({ names: currentTarget.value === 'wells' ? 'wells' : 'images' })
          }
        >
          <option value="images">
            {t({ message: 'images', comment: 'Join a table as images or wells' })}
          </option>
          <option value="wells">{t({ message: 'wells', comment: 'Join a table as images or wells' })}</option>
        </select>
      </label>
      <Button
        primary
        disabled={isKeyUncertain || sheet.images.length === metadata.images.length}
        onClick={() => images.applySheet()}
      >
        {t({ message: 'Join', comment: 'Verb: join a table to the images' })}
      </Button>
      <IconButton
        icon="close"
        label={t({ message: 'Close', comment: 'Verb: close a part of the page' })}
        onClick={() => images.closeSheet()}
      />
      <div class="image-bar-words" aria-live="polite">
        {isKeyUncertain ? (
          <span class="image-wrong">
            {t(
              '{0} name different images. Select the column that names the images of this result.',
              [key.column, ...rivals]
                .sort((a, b) => a - b)
                .map(nameOf)
                .join(', '),
            )}
          </span>
        ) : (
          <>
            {t('Joined by “{0}”.', nameOf(key.column))}{' '}
            {t(
              '{0} of {1} images get values',
              metadata.images.length - sheet.images.length,
              metadata.images.length,
            )}
            <ColumnExamples columns={columns} />
            <Changes images={images} />
          </>
        )}
        <SheetHeader images={images} />
        {renamed.map(({ from, to }) => (
          <span key={to}>
            {t('The table already has a column "{0}"; the sheet’s becomes "{1}".', from, to)}
          </span>
        ))}
        <ExpandableList
          summary={t.count(rows.length, '1 row is left out', '{0} rows are left out')}
          count={rows.length}
        >
          {rows.slice(0, MAX_LISTED).map(({ row, text: keyText, why }) => (
            <li key={row}>
              {t('Row {0}: {1}', row + 1, keyText)} – {SHEET_REFUSALS[why]()}
            </li>
          ))}
        </ExpandableList>
        <ExpandableList
          summary={t.count(
            spelled.length,
            '1 row names its image by something other than its path',
            '{0} rows name their images by something other than their paths',
          )}
          count={spelled.length}
        >
          {spelled.slice(0, MAX_LISTED).map(({ row, text: keyText, image, by }) => (
            <li key={row}>
              {t('Row {0}: {1} is {2}', row + 1, keyText, metadata.images[image] ?? '')} –{' '}
              {by.map(spelling => SPELLINGS[spelling]()).join(', ')}
            </li>
          ))}
        </ExpandableList>
        <ExpandableList
          summary={t.count(sheet.images.length, '1 image has no row', '{0} images have no row')}
          count={sheet.images.length}
        >
          {sheet.images.slice(0, MAX_LISTED).map(image => (
            <li key={image}>{metadata.images[image]}</li>
          ))}
        </ExpandableList>
      </div>
    </div>
  );
}

/**
 * Describes a header that isn't just the first row. A button makes the first row the header, or
 * searches for the header again.
 */
function SheetHeader({ images }: ImagePartProps) {
  const sheet = images.sheet.value;
  if (!sheet?.headerRows && !sheet?.isHeaderGiven) return null;
  const { headerRows = { skipped: 0, rows: 1 }, isHeaderGiven = false } = sheet;
  const { skipped, rows } = headerRows;
  const sentences = isHeaderGiven
    ? [t('Its first row is the header.')]
    : [
        ...(rows === 0 ? [t('It has no header.')] : []),
        ...(rows > 1 ? [t('Its header has {0} rows.', rows)] : []),
        ...(skipped > 0
          ? [
              t.count(
                skipped,
                '1 row above its header is left out.',
                '{0} rows above its header are left out.',
              ),
            ]
          : []),
      ];
  return (
    <span>
      {sentences.join(' ')}{' '}
      <Button onClick={() => void images.joinSheet({ isHeaderFirst: !isHeaderGiven })}>
        {isHeaderGiven ? t('Find Header') : t('Use First Row as Header')}
      </Button>
    </span>
  );
}

/** Effects on existing cells, with a list of the changes. */
function Changes({ images }: ImagePartProps) {
  const changes = images.changes.value;
  const metadata = images.metadata.value;
  if (!changes || !metadata || changes.changed + changes.emptied === 0) return null;
  const { set, changed, emptied, cells } = changes;
  const textOf = (value: string) => (value === '' ? t('(empty)') : value);
  return (
    <>
      <span>{t('Sets {0} cells, changes {1}, empties {2}.', set, changed, emptied)}</span>
      <ExpandableList summary={t('Cells that change')} count={changed + emptied}>
        {cells.slice(0, Math.min(MAX_LISTED, changed + emptied)).map(({ image, column, from, to }) => (
          <li key={`${image} ${column ?? ''}`}>
            {t(
              '{0}, {1}: {2} → {3}',
              metadata.images[image] ?? '',
              column ?? t('Excluded'),
              textOf(from),
              textOf(to),
            )}
          </li>
        ))}
      </ExpandableList>
    </>
  );
}

interface ExpandableListProps {
  summary: string;
  count: number;
  children: ComponentChildren;
}

function ExpandableList({ summary, count, children }: ExpandableListProps) {
  if (count === 0) return null;
  return (
    <details class="image-left-out">
      <summary>{summary}</summary>
      <ul tabIndex={0} aria-label={summary}>
        {children}
        {count > MAX_LISTED && <li>{t('{0} more', count - MAX_LISTED)}</li>}
      </ul>
    </details>
  );
}
