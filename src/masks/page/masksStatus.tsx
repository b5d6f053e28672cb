import { t } from '../../pages/page/l10n';
import { type ReadonlySignal, useComputed } from '@preact/signals';
import { Button, Icon } from '../../pages/page/widgets/parts';
import { micronDecimals } from './state/objectMeasurements';
import { linkSummary } from '../../linking/page/linkSummary';
import type { MasksStore } from './state/masksStore';

interface StatusProps {
  store: MasksStore;
}

/** The status line below the image: pointer, objects, link and failures. */
export function StatusLine({ store }: StatusProps) {
  const hovered = useComputed(() => {
    const details = store.selection.focus.hoveredBeside.value?.details;
    return details ? t('Object {0}, {1}', String(details.id), details.className) : '';
  });
  const reading = useComputed(() => {
    const progress = store.reading.progress.value;
    if (!progress) return '';
    return progress.of === 'objects'
      ? t(
          'Reading masks: {0} objects so far ({1}%)',
          progress.count,
          t.number(Math.floor(progress.share * 100)),
        )
      : t('Reading masks: {0} of {1} images', progress.done, progress.total);
  });
  const failure = useComputed(() => store.messages.failure.value ?? '');
  return (
    <footer class="status-line">
      <PointerItems store={store} />
      <Words words={hovered} class="shrinks" />
      <Words words={failure} class="notice error" icon="error" />
      <Words words={store.messages.outcome} class="shrinks" />
      <span class="status-gap" />
      <FilterItem store={store} />
      <Words words={reading} class="shrinks" />
      <Count store={store} />
      <LinkItem store={store} />
      <Size store={store} />
    </footer>
  );
}

interface WordsProps {
  words: ReadonlySignal<string>;
  class: string;
  icon?: string;
}

/** Text that is cut off if it doesn't fit; the tooltip has all of it. Hidden while empty. */
function Words({ words: { value: words }, class: className, icon }: WordsProps) {
  return (
    <span class={`status-item ${className}`} hidden={words === ''}>
      {icon && <Icon name={icon} />}
      <span class="status-words" title={words}>
        {words}
      </span>
    </span>
  );
}

/**
 * The pointer's position in pixels and µm, and the pixel values there. Moving the pointer changes
 * texts without rendering.
 */
function PointerItems({ store: { pointer } }: StatusProps) {
  const pixel = useComputed(() => {
    const point = pointer.pixelInImage.value;
    return point ? t('x {0}, y {1}', Math.floor(point.x), Math.floor(point.y)) : '';
  });
  const microns = useComputed(() => {
    const [point, size] = [pointer.microns.value, pointer.pixelSize.value];
    const words = (micron: number, side: number) => t.fixed(micron, micronDecimals(side));
    return point && size ? t('{0}, {1} µm', words(point.x, size.x), words(point.y, size.y)) : '';
  });
  const values = useComputed(() =>
    pointer.values.value.map(value => (value === null ? 'NaN' : t.significant(value, 6))).join(' · '),
  );
  return (
    <>
      <span class="status-item pointer">{pixel}</span>
      <span class="status-item minor">{microns}</span>
      <span class="status-item pixel-values" title={t('Raw pixel values under the pointer')}>
        {values}
      </span>
    </>
  );
}

/** How many rows of the table match its filters. */
function FilterItem({ store }: StatusProps) {
  const filtered = store.table.filtered.value;
  const words = filtered
    ? [t('Filtered by the table'), t('{0} of {1} rows', filtered.rowCount, filtered.total)]
    : [];
  return (
    <span class="status-item shrinks filter" hidden={!filtered} title={words.join('\n')}>
      <Icon name="filter" />
      <span class="whole-words">
        {words.map((line, index) => (
          <span key={index} class="status-words">
            {line}
          </span>
        ))}
      </span>
    </span>
  );
}

function Count({ store: { image, hasMasks } }: StatusProps) {
  const summary = image.summary.value;
  const isCounted = summary && hasMasks && !summary.failure && !summary.isPartial;
  if (!isCounted) return <span class="status-item" />;
  const { objectCount } = summary;
  const shown = image.shownCount.value ?? objectCount;
  return (
    <span class="status-item">
      {shown === objectCount
        ? t.count(objectCount, '1 object', '{0} objects')
        : t('{0} of {1} objects shown', shown, objectCount)}
    </span>
  );
}

function LinkItem({ store }: StatusProps) {
  const report = store.table.link.value;
  if (!report) return null;
  const { line, warning, details } = linkSummary(report);
  return (
    <span class={warning ? 'status-item link warning' : 'status-item link'} title={details.join('\n')}>
      <Icon name={warning ? 'warning' : 'link'} />
      <span class="status-words">{line}</span>
    </span>
  );
}

function Size({ store }: StatusProps) {
  const summary = store.image.summary.value;
  return <span class="status-item minor">{summary && t('{0} × {1} px', summary.width, summary.height)}</span>;
}

/** Reports that the file changed after it was read, and offers to reload it. */
export function FileNotice({ store }: StatusProps) {
  const change = store.messages.fileChange.value;
  // The element stays: screen readers announce only changes inside it.
  return (
    <div class={change ? 'file-notice shown' : 'file-notice'} role="status">
      {change && (
        <>
          <Icon name="warning" />
          <span>
            {change === 'changed'
              ? t('The file changed after it was opened.')
              : t('The file was deleted or moved. What is shown may be incomplete.')}
          </span>
        </>
      )}
      {change === 'changed' && <Button onClick={() => store.readFileAgain()}>{t('Reload')}</Button>}
    </div>
  );
}
