import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button, Icon } from '../../../pages/page/widgets/parts';
import { ImageLinksButton } from '../../../linking/page/imageLinks';
import { canLinkImages, linkedByWords, linkSummary } from '../../../linking/page/linkSummary';
import { BackgroundImageSection, ImageFileSections } from './backgroundImage';
import { ClassLegend } from './classLegend';
import { ColorSection } from './colorSection';
import { NamedSelectionsSection } from './namedSelections';
import { ObjectSection, RowSection } from './objectSection';
import { Callout, type InspectorProps, Section, Slider } from './sections';
import { SelectionSection } from './selectionSection';

/** What the narrow column beside the image shows: classes, colors, the inspected object, its row, the background image and the archive. */
export function Inspector({ store, text }: InspectorProps) {
  // Below the image the groups stand side by side.
  if (!store.hasMasks)
    return (
      <div class="inspector-group">
        <ImageFileSections store={store} text={text} />
      </div>
    );
  return (
    <>
      <div class="inspector-group">
        <ClassLegend store={store} text={text} />
        <ColorSection store={store} text={text} />
        <StyleChoice store={store} text={text} />
        <Opacity store={store} text={text} />
      </div>
      <div class="inspector-group">
        <NamedSelectionsSection store={store} text={text} />
        <SelectionSection store={store} text={text} />
        <ObjectSection store={store} text={text} />
        <RowSection store={store} text={text} />
      </div>
      <div class="inspector-group">
        <BackgroundImageSection store={store} text={text} />
        <div class="archive">
          <TableSection store={store} text={text} />
          <div>
            <Unreadable store={store} text={text} />
          </div>
          <div>
            <Notes store={store} text={text} />
          </div>
        </div>
      </div>
    </>
  );
}

/** Whether masks are drawn filled or as outlines only. */
function StyleChoice({ store: { look }, text }: InspectorProps) {
  const isFilled = useComputed(() => look.now.value.fill).value;
  const choice = (key: 'filled' | 'outlines', fill: boolean) => (
    <button
      type="button"
      title={text.get('styleHint')}
      aria-pressed={fill === isFilled}
      onClick={() => look.change({ fill })}
    >
      {text.get(key)}
    </button>
  );
  return (
    <div class="choice" role="group" aria-label={text.get('maskStyle')}>
      {choice('filled', true)}
      {choice('outlines', false)}
    </div>
  );
}

function Opacity({ store: { look }, text }: InspectorProps) {
  const percent = useComputed(() => Math.round(look.now.value.opacity * 100)).value;
  const words = text.get('percent', percent);
  return (
    <div class="slider-row">
      <label for="opacity">{text.get('opacity')}</label>
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

/** How rows are linked with objects: nothing that went wrong stays silent. */
function TableSection({ store, text }: InspectorProps) {
  const report = store.table.link.value;
  const summary = report && linkSummary(report, text);
  const shown = store.image.known.value;
  const linkedBy = summary && shown && linkedByWords(shown);
  return (
    <Section title={text.get('table')}>
      {summary ? (
        <Callout icon={summary.warning ? 'warning' : 'link'} warning={summary.warning}>
          {summary.line}
        </Callout>
      ) : (
        <p class="hint">{text.get('tableNotLinked')}</p>
      )}
      {linkedBy && <p class="hint">{linkedBy}</p>}
      {summary?.details.map(words => (
        <p key={words} class="hint">
          {words}
        </p>
      ))}
      {report && canLinkImages(report) && <ImageLinksButton text={text} source={store.imageLinks} />}
      {store.choosesTable && (
        <div class="buttons">
          <Button onClick={() => store.chooseTable()}>
            {text.get(summary ? 'changeTable' : 'chooseTable')}
          </Button>
        </div>
      )}
    </Section>
  );
}

const MAX_LISTED = 200;

/** Objects of the image that couldn't be read. */
function Unreadable({ store: { image }, text }: InspectorProps) {
  const { index, unreadable = [], unreadableCount = 0 } = image.known.value ?? {};
  if (unreadableCount === 0) return null;
  const lines = unreadable.slice(0, MAX_LISTED).map(({ key, reason }) => `${key}: ${reason}`);
  if (unreadableCount > lines.length) lines.push(text.get('unreadableMore', unreadableCount - lines.length));
  return (
    <Disclosure key={index} icon="warning" lines={lines}>
      {text.count('unreadable', unreadableCount)}
    </Disclosure>
  );
}

/** What is unusual about the archive. */
function Notes({ store: { reading }, text }: InspectorProps) {
  const notes = reading.notes.value;
  return notes.length > 0 ? (
    <Disclosure icon="info" lines={notes}>
      {text.get('notes')}
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
        {lines.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
