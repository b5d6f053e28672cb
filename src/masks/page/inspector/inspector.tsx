import { t } from '../../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button, Icon } from '../../../pages/page/widgets/parts';
import { ImageLinksButton } from '../../../linking/page/imageLinks';
import { canLinkImages, linkedByWords, linkSummary } from '../../../linking/page/linkSummary';
import { BackgroundImageSection, ImageFileSections } from './backgroundImage';
import { ClassLegend } from './classLegend';
import { ColorSection } from './colorSection';
import { NamedSelectionsSection } from './namedSelections';
import { ObjectSection, PopulationsSection, RowSection } from './objectSection';
import { Callout, type InspectorProps, Section, Slider } from './sections';
import { SelectionSection } from './selectionSection';

/**
 * The narrow column beside the image: classes, colors, the object and its row, the background
 * image, and the archive.
 */
export function Inspector({ store }: InspectorProps) {
  // Below the image, groups are side by side.
  if (!store.hasMasks)
    return (
      <div class="inspector-group">
        <ImageFileSections store={store} />
      </div>
    );
  return (
    <>
      <div class="inspector-group">
        <ClassLegend store={store} />
        <ColorSection store={store} />
        <StyleChoice store={store} />
        <Opacity store={store} />
      </div>
      <div class="inspector-group">
        <NamedSelectionsSection store={store} />
        <SelectionSection store={store} />
        <ObjectSection store={store} />
        {store.coloring.hasPopulations.value && <PopulationsSection store={store} />}
        <RowSection store={store} />
      </div>
      <div class="inspector-group">
        <BackgroundImageSection store={store} />
        <div class="archive">
          <TableSection store={store} />
          <div>
            <Unreadable store={store} />
          </div>
          <div>
            <Notes store={store} />
          </div>
        </div>
      </div>
    </>
  );
}

/** Whether masks are drawn filled or as outlines only. */
function StyleChoice({ store: { look } }: InspectorProps) {
  const isFilled = useComputed(() => look.current.value.fill).value;
  const choice = (words: string, fill: boolean) => (
    <button
      type="button"
      title={t('Shortcut: O')}
      aria-pressed={fill === isFilled}
      onClick={() => look.change({ fill })}
    >
      {words}
    </button>
  );
  return (
    <div class="choice" role="group" aria-label={t('Draw masks as')}>
      {choice(t({ message: 'Filled', comment: 'How masks are drawn, not as outlines' }), true)}
      {choice(t('Outlines'), false)}
    </div>
  );
}

function Opacity({ store: { look } }: InspectorProps) {
  const percent = useComputed(() => Math.round(look.current.value.opacity * 100)).value;
  const words = t('{0}%', percent);
  return (
    <div class="slider-row">
      <label for="opacity">{t('Opacity')}</label>
      <Slider
        id="opacity"
        value={percent}
        min={0}
        max={100}
        step={5}
        words={words}
        valueText={words}
        onInput={value => look.change({ opacity: value / 100 })}
      />
    </div>
  );
}

/** How rows are linked with objects, and what couldn't be linked. */
function TableSection({ store }: InspectorProps) {
  const report = store.table.link.value;
  const summary = report && linkSummary(report);
  const shown = store.image.summary.value;
  const linkedBy = summary && shown && linkedByWords(shown);
  return (
    <Section title={t('Table')}>
      {summary ? (
        <Callout icon={summary.warning ? 'warning' : 'link'} warning={summary.warning}>
          {summary.line}
        </Callout>
      ) : (
        <p class="hint">{t('No table linked yet.')}</p>
      )}
      {linkedBy && <p class="hint">{linkedBy}</p>}
      {summary?.details.map(words => (
        <p key={words} class="hint">
          {words}
        </p>
      ))}
      {report && canLinkImages(report) && <ImageLinksButton source={store.imageLinks} />}
      {store.choosesTable && (
        <div class="buttons">
          <Button onClick={() => store.chooseTable()}>
            {summary ? t('Change Table…') : t('Select a Table…')}
          </Button>
        </div>
      )}
    </Section>
  );
}

const MAX_LISTED = 200;

/** Objects of the image that couldn't be read. */
function Unreadable({ store: { image } }: InspectorProps) {
  const { index, unreadable = [], unreadableCount = 0 } = image.summary.value ?? {};
  if (unreadableCount === 0) return null;
  const lines = unreadable.slice(0, MAX_LISTED).map(({ key, reason }) => `${key}: ${reason}`);
  if (unreadableCount > lines.length) lines.push(t('… and {0} more', unreadableCount - lines.length));
  return (
    <Disclosure key={index} icon="warning" lines={lines}>
      {t.count(unreadableCount, "1 object couldn't be read", "{0} objects couldn't be read")}
    </Disclosure>
  );
}

/** Anomalies of the archive. */
function Notes({ store: { reading } }: InspectorProps) {
  const notes = reading.notes.value;
  return notes.length > 0 ? (
    <Disclosure icon="info" lines={notes}>
      {t('Notes on the archive')}
    </Disclosure>
  ) : null;
}

interface DisclosureProps {
  icon: string;
  lines: readonly string[];
  children: ComponentChildren;
}

function Disclosure({ icon, lines, children }: DisclosureProps) {
  return (
    <details class={`section ${icon}`}>
      <summary>
        <Icon name="chevron-right" />
        <Icon name={icon} />
        <span>{children}</span>
      </summary>
      <ul class="lines">
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
