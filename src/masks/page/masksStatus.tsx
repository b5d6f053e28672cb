import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { MasksText } from '../../pages/page/pageText';
import { Button, Icon } from '../../pages/page/widgets/parts';
import { micronDecimals } from './state/objectMeasurements';
import { linkSummary } from '../../linking/page/linkSummary';
import type { MasksStore } from './state/masksStore';

interface StatusProps {
  store: MasksStore;
  text: MasksText;
}

/** The line below the image: where the pointer is, what the image holds, how it is linked, what went wrong. */
export function StatusLine({ store, text }: StatusProps) {
  const hovered = useComputed(() => {
    const details = store.selection.focus.beside.value?.details;
    return details ? text.get('objectNamed', String(details.id), details.className) : '';
  });
  const reading = useComputed(() => {
    const progress = store.reading.progress.value;
    if (!progress) return '';
    return progress.of === 'objects'
      ? text.get('readingObjects', progress.count, text.number(Math.floor(progress.share * 100)))
      : text.get('readingImages', progress.done, progress.total);
  });
  const failure = useComputed(() => store.messages.failure.value ?? '');
  return (
    <footer class="status-line">
      <PointerItems store={store} text={text} />
      <Words of={hovered} class="shrinks" />
      <Words of={failure} class="notice error" icon="error" />
      <Words of={store.messages.outcome} class="shrinks" />
      <span class="status-gap" />
      <FilterItem store={store} text={text} />
      <Words of={reading} class="shrinks" />
      <Count store={store} text={text} />
      <LinkItem store={store} text={text} />
      <Size store={store} text={text} />
    </footer>
  );
}

interface WordsProps {
  of: ReadonlySignal<string>;
  class: string;
  icon?: string;
}

/** Words that are cut where they have no room, and whole in a tooltip; nothing where there are none. */
function Words({ of, class: kind, icon }: WordsProps) {
  const words = of.value;
  return (
    <span class={`status-item ${kind}`} hidden={words === ''}>
      {icon && <Icon name={icon} />}
      <span class="status-words" title={words}>
        {words}
      </span>
    </span>
  );
}

/** Where the pointer is, in pixels and in µm, and what is beneath it: no component is rendered while it moves. */
function PointerItems({ store: { pointer }, text }: StatusProps) {
  const pixel = useComputed(() => {
    const at = pointer.at.value;
    return at ? text.get('pointer', Math.floor(at.x), Math.floor(at.y)) : '';
  });
  const microns = useComputed(() => {
    const [at, size] = [pointer.microns.value, pointer.pixelSize.value];
    const words = (micron: number, side: number) => text.fixed(micron, micronDecimals(side));
    return at && size ? text.get('pointerMicrons', words(at.x, size.x), words(at.y, size.y)) : '';
  });
  const values = useComputed(() =>
    pointer.values.value.map(value => (value === null ? 'NaN' : text.significant(value, 6))).join(' · '),
  );
  return (
    <>
      <span class="status-item pointer">{pixel}</span>
      <span class="status-item minor">{microns}</span>
      <span class="status-item pixel-values" title={text.get('pixelValues')}>
        {values}
      </span>
    </>
  );
}

/** How much of the table its filters let through. */
function FilterItem({ store, text }: StatusProps) {
  const filtered = store.table.filtered.value;
  const words = filtered
    ? [text.get('filteredByTable'), text.get('rowsOf', filtered.rowCount, filtered.total)]
    : [];
  return (
    <span class="status-item shrinks filter" hidden={!filtered} title={words.join('\n')}>
      <Icon name="filter" />
      <span class="whole-words">
        {words.map((each, at) => (
          <span key={at} class="status-words">
            {each}
          </span>
        ))}
      </span>
    </span>
  );
}

function Count({ store: { image, hasMasks }, text }: StatusProps) {
  const known = image.known.value;
  const isCounted = known && hasMasks && !known.failure && !known.isPartial;
  if (!isCounted) return <span class="status-item" />;
  const { objectCount } = known;
  const shown = image.shownCount.value ?? objectCount;
  return (
    <span class="status-item">
      {shown === objectCount ? text.count('objects', objectCount) : text.get('shownOf', shown, objectCount)}
    </span>
  );
}

function LinkItem({ store, text }: StatusProps) {
  const report = store.table.link.value;
  if (!report) return null;
  const { line, warning, details } = linkSummary(report, text);
  return (
    <span class={warning ? 'status-item link warning' : 'status-item link'} title={details.join('\n')}>
      <Icon name={warning ? 'warning' : 'link'} />
      <span class="status-words">{line}</span>
    </span>
  );
}

function Size({ store, text }: StatusProps) {
  const known = store.image.known.value;
  return <span class="status-item minor">{known && text.get('imageSize', known.width, known.height)}</span>;
}

/** The line that says that the file changed since it was read, and offers to read it again. */
export function FileNotice({ store, text }: StatusProps) {
  const change = store.messages.fileChange.value;
  // The element stays, so that screen readers say what comes into it.
  return (
    <div class={change ? 'file-notice shown' : 'file-notice'} role="status">
      {change && (
        <>
          <Icon name="warning" />
          <span>{text.get(change === 'changed' ? 'fileChanged' : 'fileDeleted')}</span>
        </>
      )}
      {change === 'changed' && (
        <Button onClick={() => store.readFileAgain()}>{text.get('reloadFile')}</Button>
      )}
    </div>
  );
}
