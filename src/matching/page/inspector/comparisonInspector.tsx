import { useEffect, useRef } from 'preact/hooks';
import type { PairedBy } from '../../../archives/imageIdentity';
import { pathParts } from '../../../base/pathParts';
import { t } from '../../../pages/page/l10n';
import { LinkButton } from '../../../pages/page/widgets/parts';
import type { ComparedSide } from '../../comparison';
import { ratioNames } from '../../scores';
import { type ComparisonProps, shareWords } from '../state/comparisonStore';
import { type ListedOutcome, listedOutcomes, outcomeColors, sideColors } from '../state/outcomes';
import { cssColor } from '../stage/comparisonStage';
import { RowList } from '../rowList';
import { Classes } from './classes';
import { CountPlot, SavePlot, ThresholdCurve } from './comparisonPlots';
import { ImagePairing } from './imagePairing';
import { SelectedObject } from './selectedObject';

/** What is known of a comparison, beside the image. */
export function ComparisonInspector({ store, text }: ComparisonProps) {
  if (store.scores.latest.value && store.images.position.value < 0)
    return (
      <aside class="comparison-inspector">
        <ImagePairing store={store} text={text} />
        <Notes store={store} text={text} />
      </aside>
    );
  return (
    <aside class="comparison-inspector">
      <Sides store={store} text={text} />
      <Threshold store={store} text={text} />
      <Outcomes store={store} text={text} />
      <Figures store={store} text={text} />
      <SelectedObject store={store} text={text} />
      <Objects store={store} text={text} />
      <CountPlot store={store} text={text} />
      <Classes store={store} text={text} />
      <ImagePairing store={store} text={text} />
      <Notes store={store} text={text} />
    </aside>
  );
}

function Threshold({ store, text }: ComparisonProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const threshold = store.scores.threshold.value;
  const f1 = store.scores.curve.value.find(point => point.threshold === threshold)?.pooled.f1;
  const words = text.get('thresholdAt', text.fixed(threshold, 2), shareWords(f1, text));
  return (
    <section class="section">
      <h2>
        <span class="threshold-value">{words}</span>
        <SavePlot store={store} text={text} drawing={drawing} name={text.get('curveFile', store.title)} />
      </h2>
      <ThresholdCurve store={store} text={text} drawing={drawing} />
      <input
        class="threshold-slider"
        type="range"
        min={10}
        max={19}
        step={1}
        value={Math.round(threshold * 20)}
        aria-label={text.get('threshold')}
        aria-valuetext={words}
        onInput={event => void store.setThreshold(Number(event.currentTarget.value) / 20)}
      />
    </section>
  );
}

function Figures({ store, text }: ComparisonProps) {
  const scores = store.scores.latest.value;
  const image = store.images.pair.value;
  // Of one image all columns would be the same.
  const isSeveral = (scores?.images.length ?? 0) > 1;
  const threshold = text.fixed(store.scores.threshold.value, 2);
  const name = (ratio: (typeof ratioNames)[number]): string => {
    if (ratio === 'precision' && !store.hasTruth) return text.get('shareOfB');
    if (ratio === 'recall' && !store.hasTruth) return text.get('shareOfA');
    if (ratio === 'panopticQuality' && store.scores.threshold.value !== 0.5)
      return text.get('panopticQualityAt', threshold);
    return text.get(ratio);
  };
  return (
    <section class="section">
      <table class="figures">
        <caption class="visually-hidden">{text.get('figures')}</caption>
        <thead>
          <tr>
            <th scope="col">{text.get('figures')}</th>
            <th scope="col">{text.get('ofImage')}</th>
            {isSeveral && (
              <>
                <th scope="col">{text.get('ofAll')}</th>
                <th scope="col" title={text.get('meanHint')}>
                  {text.get('ofMean')}
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {ratioNames.map(ratio => {
            const mean = scores?.meanOverImages[ratio];
            return (
              <tr key={ratio} title={text.get(`${ratio}Hint`)}>
                <th scope="row">{name(ratio)}</th>
                <td>{shareWords(image?.scores[ratio], text)}</td>
                {isSeveral && (
                  <>
                    <td>{shareWords(scores?.pooled[ratio], text)}</td>
                    <td title={text.count('meanOver', mean?.n ?? 0)}>
                      {shareWords(mean?.mean, text)}
                      {mean && <span class="mean-n"> ({text.number(mean.n)})</span>}
                    </td>
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Sides({ store, text }: ComparisonProps) {
  const inView = store.images.pair.value;
  const paired = store.comparing.state.value.pairs.find(({ a }) => a === inView?.a);
  const side = (which: ComparedSide) => (
    <label class="side-row" title={store.sides[which].title}>
      <input
        type="checkbox"
        checked={store.look.isShown(which).value}
        aria-label={text.get(which === 'a' ? 'showA' : 'showB')}
        onChange={() => store.look.toggleSide(which)}
      />
      <svg class="side-line" viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
        <line
          x1="0"
          y1="4"
          x2="28"
          y2="4"
          stroke={cssColor(sideColors[which])}
          stroke-width="3"
          {...(which === 'b' && { 'stroke-dasharray': '6 4' })}
        />
      </svg>
      <span class="side-name">{text.get(which === 'a' ? 'sideA' : 'sideB', store.sides[which].title)}</span>
      <Key name={which} />
    </label>
  );
  return (
    <section class="section" aria-label={text.get('sides')}>
      {side('a')}
      {side('b')}
      {paired && <p class="hint">{pairedByWords(paired.by)}</p>}
      <div class="side-row">
        <label class="side-row">
          <input
            type="checkbox"
            checked={store.look.isColored.value}
            aria-label={text.get('showOutcomes')}
            onChange={() => store.look.toggleColors()}
          />
          <span>{text.get('colorByOutcome')}</span>
          <Key name="o" />
        </label>
        <label class="side-row">
          <input
            type="checkbox"
            checked={store.beneath.isShown.value}
            aria-label={text.get('showImage')}
            onChange={() => store.beneath.toggle()}
          />
          <span>{text.get('image')}</span>
          <Key name="i" />
        </label>
      </div>
      {store.beneath.isShown.value && <ImageBeneath store={store} text={text} />}
    </section>
  );
}

/** By what the images in view are the same. */
function pairedByWords(by: PairedBy): string {
  switch (by) {
    case 'hand':
      return t('Paired by you');
    case 'item':
      return t('Paired by ID');
    case 'hash':
      return t('Paired by file content');
    case 'path':
      return t('Paired by name and path');
  }
}

/** A key that does the same. */
function Key({ name }: { name: string }) {
  return <kbd>{name.toUpperCase()}</kbd>;
}

/** Which file the image beneath the outlines is, or why there is none. */
function ImageBeneath({ store: { beneath }, text }: ComparisonProps) {
  const pairing = beneath.pairing.value;
  if (!pairing) return <p class="hint">{text.get('lookingForImage')}</p>;
  return (
    <p class="hint image-found" title={pairing.path}>
      <span>{[pairing.path && pathParts(pairing.path).at(-1), pairing.how].filter(Boolean).join(': ')}</span>
      {pairing.state === 'suggested' && (
        <LinkButton onClick={() => void beneath.confirm()}>{text.get('confirmImage')}</LinkButton>
      )}
      {pairing.state !== 'paired' && (
        <LinkButton onClick={() => void beneath.choose()}>{text.get('chooseImage')}</LinkButton>
      )}
      {pairing.isChosen && <LinkButton onClick={() => void beneath.undoChoice()}>{t('Undo')}</LinkButton>}
    </p>
  );
}

const OBJECT_ROW = 26;

/** How many objects became what, in the image in view and in all; the colors of what is painted. */
function Outcomes({ store, text }: ComparisonProps) {
  const lists = store.objects.lists.value;
  const scores = store.scores.latest.value;
  const hints: Partial<Record<ListedOutcome, string>> = {
    split: text.get('splitHint'),
    merged: text.get('mergedHint'),
  };
  const all: Record<ListedOutcome, number> | undefined =
    scores && scores.images.length > 1
      ? {
          matched: scores.pooled.tp,
          onlyA: scores.pooled.fn,
          onlyB: scores.pooled.fp,
          split: scores.split,
          merged: scores.merged,
        }
      : undefined;
  return (
    <section class="section">
      <h2>
        {text.get('outcomes')}
        {all && (
          <span class="outcome-heads" aria-hidden="true">
            <span>{text.get('ofImage')}</span>
            <span>{text.get('inAll')}</span>
          </span>
        )}
      </h2>
      <div class="outcomes" role="group" aria-label={text.get('outcomes')}>
        {listedOutcomes.map(name => (
          <div key={name} class="outcome-row">
            <button
              type="button"
              class="outcome"
              aria-pressed={name === store.objects.list.value}
              title={hints[name]}
              onClick={() => store.objects.showList(name)}
            >
              <svg class="outcome-color" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
                <rect width="10" height="10" rx="2" fill={cssColor(outcomeColors[name])} />
              </svg>
              <span class="side-name">{text.get(name)}</span>
              <span>{lists ? text.number(lists[name].length) : '…'}</span>
            </button>
            {all && (
              <span class="outcome-all">
                <span class="visually-hidden">{text.get('inAll')} </span>
                {text.number(all[name])}
              </span>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/** The objects of the image in view that became what is selected above. */
function Objects({ store, text }: ComparisonProps) {
  const section = useRef<HTMLElement>(null);
  const list = store.objects.list.value;
  const shownFirst = useRef(list);
  useEffect(() => {
    // The buttons of the lists may be far above it.
    if (list !== shownFirst.current) section.current?.scrollIntoView({ block: 'nearest' });
    shownFirst.current = list;
  }, [list]);
  const objects = store.objects.lists.value?.[list];
  const { [objects?.[0]?.side ?? 'a']: selected } = store.selection.pair.value;
  return (
    <section class="section" ref={section}>
      <h2>
        {text.get(list)}
        <span class="minor">{objects ? text.number(objects.length) : '…'}</span>
      </h2>
      {objects?.length === 0 && <p class="hint">{text.get('noneOf')}</p>}
      {objects && objects.length > 0 && (
        <RowList
          class="objects"
          label={text.get(list)}
          count={objects.length}
          rowHeight={OBJECT_ROW}
          selected={objects.findIndex(({ object }) => object === selected)}
          onSelect={at => store.selection.select(objects[at])}
          row={at => {
            const ref = objects[at];
            return ref && <ObjectRow key={`${ref.side}${ref.object}`} store={store} text={text} {...ref} />;
          }}
        />
      )}
      <p class="hint">{text.get('nextHint')}</p>
    </section>
  );
}

/** An object of a list, by its ID: with its partner and their IoU, or its area. */
function ObjectRow({ store, text, side, object }: ComparisonProps & { side: ComparedSide; object: number }) {
  const facts = store.objects.facts(side, object).now.value;
  const partner = store.objects.partnerOf({ side, object });
  const other = side === 'a' ? 'b' : 'a';
  const factsOfPartner = partner === undefined ? undefined : store.objects.facts(other, partner).now.value;
  const id = String(facts?.id ?? '…');
  const [a, b] =
    side === 'a' ? [id, String(factsOfPartner?.id ?? '…')] : [String(factsOfPartner?.id ?? '…'), id];
  const [ofA, ofB] = side === 'a' ? [object, partner] : [partner, object];
  const iou = ofA === undefined || ofB === undefined ? undefined : store.objects.iou(ofA, ofB).now.value;
  const alone = side === 'a' ? text.get('objectOfA', id) : text.get('objectOfB', id);
  return (
    <span class="row-facts">
      <span>{partner === undefined ? alone : text.get('objectPair', a, b)}</span>
      <span class="side-name">{facts?.className}</span>
      {partner !== undefined ? (
        <span>{iou === undefined ? '…' : text.get('iouOf', text.fixed(iou, 3))}</span>
      ) : (
        <span>{facts && text.get('areaOf', facts.area)}</span>
      )}
    </span>
  );
}

/** What is unusual about the files. */
function Notes({ store, text }: ComparisonProps) {
  const { a, b } = store.sides;
  const unreadable = [a, b].flatMap(({ images }) =>
    images
      .filter(({ unreadableCount }) => unreadableCount > 0)
      .map(({ name, unreadableCount, unreadable: why }) =>
        unreadableCount === 1
          ? text.get('unreadableOne', name, why)
          : text.get('unreadable', name, unreadableCount, why),
      ),
  );
  // Of those with a partner it is said that they aren't compared.
  const { unpairedA, unpairedB } = store.comparing.state.value;
  const failed = [
    ...unpairedA.map(at => store.images.of('a', at)),
    ...unpairedB.map(at => store.images.of('b', at)),
  ].flatMap(image =>
    image?.failure === undefined ? [] : [text.get('unreadableImage', image.name, image.failure)],
  );
  const notes = [
    ...a.notes.map(note => text.get('sideA', note)),
    ...b.notes.map(note => text.get('sideB', note)),
    ...unreadable,
    ...failed,
  ];
  const areas = a.areas ?? b.areas;
  if (notes.length === 0) return null;
  return (
    <section class="section">
      <h2>
        {text.get('notes')}
        {areas && (
          <LinkButton
            disabled={store.comparing.isBusy.value}
            onClick={() => void store.comparing.separateAreas(areas === 'together')}
          >
            {text.get(areas === 'together' ? 'separateAreas' : 'joinAreas')}
          </LinkButton>
        )}
      </h2>
      <ul>
        {notes.slice(0, MAX_NOTES).map(note => (
          <li key={note} class="hint">
            {note}
          </li>
        ))}
      </ul>
      {notes.length > MAX_NOTES && <p class="hint">{text.get('andMore', notes.length - MAX_NOTES)}</p>}
    </section>
  );
}

const MAX_NOTES = 20;
