import { t } from '../../../pages/page/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { PairedBy } from '../../../archives/imageIdentity';
import { pathParts } from '../../../base/pathParts';
import { LinkButton } from '../../../pages/page/widgets/parts';
import type { ComparedSide } from '../../comparison';
import { ratioNames } from '../../scores';
import { type ComparisonProps, shareWords } from '../state/comparisonStore';
import {
  type ListedOutcome,
  listedOutcomes,
  outcomeColors,
  sideColors,
  outcomeNames,
} from '../state/outcomes';
import { cssColor } from '../stage/comparisonStage';
import { RowList } from '../rowList';
import { Classes } from './classes';
import { CountPlot, SavePlot, ThresholdCurve } from './comparisonPlots';
import { ImagePairing } from './imagePairing';
import { SelectedObject } from './selectedObject';

/** The panel with details of a comparison beside the image. */
export function ComparisonInspector({ store }: ComparisonProps) {
  if (store.scores.latest.value && store.images.position.value < 0)
    return (
      <aside class="comparison-inspector">
        <ImagePairing store={store} />
        <Notes store={store} />
      </aside>
    );
  return (
    <aside class="comparison-inspector">
      <Sides store={store} />
      <Threshold store={store} />
      <Outcomes store={store} />
      <Scores store={store} />
      <SelectedObject store={store} />
      <Objects store={store} />
      <CountPlot store={store} />
      <Classes store={store} />
      <ImagePairing store={store} />
      <Notes store={store} />
    </aside>
  );
}

function Threshold({ store }: ComparisonProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const threshold = store.scores.threshold.value;
  const f1 = store.scores.curve.value.find(point => point.threshold === threshold)?.pooled.f1;
  const words = t('IoU ≥ {0}, F1 {1}', t.fixed(threshold, 2), shareWords(f1));
  return (
    <section class="section">
      <h2>
        <span class="threshold-value">{words}</span>
        <SavePlot store={store} drawing={drawing} name={t('{0} F1', store.title)} />
      </h2>
      <ThresholdCurve store={store} drawing={drawing} />
      <input
        class="threshold-slider"
        type="range"
        min={10}
        max={19}
        step={1}
        value={Math.round(threshold * 20)}
        aria-label={t('IoU threshold')}
        aria-valuetext={words}
        onInput={event => void store.setThreshold(Number(event.currentTarget.value) / 20)}
      />
    </section>
  );
}

/** Names and definitions of scores. */
const RATIOS = {
  precision: {
    name: t.later({ message: 'Precision', comment: 'The measure: matched objects of the objects of B' }),
    hint: t.later('Matched objects ÷ objects of B'),
  },
  recall: {
    name: t.later({ message: 'Recall', comment: 'The measure: matched objects of the objects of A' }),
    hint: t.later('Matched objects ÷ objects of A'),
  },
  f1: { name: t.later('F1'), hint: t.later('2 × matched ÷ (objects of A + objects of B)') },
  accuracy: {
    name: t.later({ message: 'Accuracy', comment: 'The measure: matched objects of all objects' }),
    hint: t.later('Matched ÷ (matched + only A + only B). Some tools call it average precision.'),
  },
  meanMatchedIou: { name: t.later('Mean matched IoU'), hint: t.later('Mean IoU of the matched pairs') },
  panopticQuality: {
    name: t.later('Panoptic quality'),
    hint: t.later('Sum of IoU ÷ (matched + half of the others). As published, the threshold is 0.5.'),
  },
} as const;

function Scores({ store }: ComparisonProps) {
  const scores = store.scores.latest.value;
  const image = store.images.pair.value;
  // For one image all columns would be equal.
  const hasSeveralImages = (scores?.images.length ?? 0) > 1;
  const threshold = t.fixed(store.scores.threshold.value, 2);
  const name = (ratio: (typeof ratioNames)[number]): string => {
    if (ratio === 'precision' && !store.hasTruth) return t('Share of B matched');
    if (ratio === 'recall' && !store.hasTruth) return t('Share of A matched');
    if (ratio === 'panopticQuality' && store.scores.threshold.value !== 0.5)
      return t('Panoptic quality at {0}', threshold);
    return RATIOS[ratio].name();
  };
  return (
    <section class="section">
      <table class="figures">
        <caption class="visually-hidden">{t('Scores')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Scores')}</th>
            <th scope="col">{t('Image')}</th>
            {hasSeveralImages && (
              <>
                <th scope="col">{t({ message: 'Pooled', comment: 'All images taken together' })}</th>
                <th scope="col" title={t('Mean over images, and how many have a value')}>
                  {t('Mean (n)')}
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {ratioNames.map(ratio => {
            const mean = scores?.meanOverImages[ratio];
            return (
              <tr key={ratio} title={RATIOS[ratio].hint()}>
                <th scope="row">{name(ratio)}</th>
                <td>{shareWords(image?.scores[ratio])}</td>
                {hasSeveralImages && (
                  <>
                    <td>{shareWords(scores?.pooled[ratio])}</td>
                    <td
                      title={t.count(
                        mean?.n ?? 0,
                        'Mean over 1 image that has a value',
                        'Mean over {0} images that have a value',
                      )}
                    >
                      {shareWords(mean?.mean)}
                      {mean && <span class="mean-n"> ({t.number(mean.n)})</span>}
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

function Sides({ store }: ComparisonProps) {
  const pairInView = store.images.pair.value;
  const paired = store.comparing.state.value.pairs.find(({ a }) => a === pairInView?.a);
  const sideRow = (side: ComparedSide) => (
    <label class="side-row" title={store.sides[side].title}>
      <input
        type="checkbox"
        checked={store.look.isShown(side).value}
        aria-label={side === 'a' ? t('Show A (A)') : t('Show B (B)')}
        onChange={() => store.look.toggleSide(side)}
      />
      <svg class="side-line" viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
        <line
          x1="0"
          y1="4"
          x2="28"
          y2="4"
          stroke={cssColor(sideColors[side])}
          stroke-width="3"
          {...(side === 'b' && { 'stroke-dasharray': '6 4' })}
        />
      </svg>
      <span class="side-name">
        {side === 'a' ? t('A: {0}', store.sides[side].title) : t('B: {0}', store.sides[side].title)}
      </span>
      <Key name={side} />
    </label>
  );
  return (
    <section class="section" aria-label={t({ message: 'View', comment: 'Noun: how masks are shown' })}>
      {sideRow('a')}
      {sideRow('b')}
      {paired && <p class="hint">{pairedByWords(paired.by)}</p>}
      <div class="side-row">
        <label class="side-row">
          <input
            type="checkbox"
            checked={store.look.isColored.value}
            aria-label={t('Color by outcome (O)')}
            onChange={() => store.look.toggleColors()}
          />
          <span>{t('Color by outcome')}</span>
          <Key name="o" />
        </label>
        <label class="side-row">
          <input
            type="checkbox"
            checked={store.backgroundImage.isShown.value}
            aria-label={t('Image (I)')}
            onChange={() => store.backgroundImage.toggle()}
          />
          <span>{t('Image')}</span>
          <Key name="i" />
        </label>
      </div>
      {store.backgroundImage.isShown.value && <BackgroundImageFile store={store} />}
    </section>
  );
}

/** Describes why the images in view are a pair. */
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

/** The key of an action. */
function Key({ name }: { name: string }) {
  return <kbd>{name.toUpperCase()}</kbd>;
}

/** The file of the background image, or the reason why there is none. */
function BackgroundImageFile({ store: { backgroundImage } }: ComparisonProps) {
  const pairing = backgroundImage.pairing.value;
  if (!pairing) return <p class="hint">{t('Looking for the background image…')}</p>;
  return (
    <p class="hint image-found" title={pairing.path}>
      <span>{[pairing.path && pathParts(pairing.path).at(-1), pairing.how].filter(Boolean).join(': ')}</span>
      {pairing.state === 'suggested' && (
        <LinkButton onClick={() => void backgroundImage.confirm()}>{t('Use as Background')}</LinkButton>
      )}
      {pairing.state !== 'paired' && (
        <LinkButton onClick={() => void backgroundImage.choose()}>{t('Select Background Image…')}</LinkButton>
      )}
      {pairing.isChosen && (
        <LinkButton onClick={() => void backgroundImage.undoChoice()}>
          {t({ message: 'Undo', comment: 'Verb' })}
        </LinkButton>
      )}
    </p>
  );
}

/** CSS pixels. */
const OBJECT_ROW_HEIGHT = 26;

/**
 * Numbers of objects by outcome, in the image in view and in all images, with the colors of the
 * outlines.
 */
function Outcomes({ store }: ComparisonProps) {
  const lists = store.objects.lists.value;
  const scores = store.scores.latest.value;
  const hints: Partial<Record<ListedOutcome, string>> = {
    split: t('Objects of A in which two or more of B have half of their area'),
    merged: t('Objects of B in which two or more of A have half of their area'),
  };
  const totals: Record<ListedOutcome, number> | undefined =
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
        {t('Outcomes')}
        {totals && (
          <span class="outcome-heads" aria-hidden="true">
            <span>{t('Image')}</span>
            <span>{t({ message: 'All', comment: 'All classes together' })}</span>
          </span>
        )}
      </h2>
      <div class="outcomes" role="group" aria-label={t('Outcomes')}>
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
              <span class="side-name">{outcomeNames[name]()}</span>
              <span>{lists ? t.number(lists[name].length) : '…'}</span>
            </button>
            {totals && (
              <span class="outcome-all">
                <span class="visually-hidden">{t({ message: 'All', comment: 'All classes together' })} </span>
                {t.number(totals[name])}
              </span>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/** Objects of the image in view with the selected outcome. */
function Objects({ store }: ComparisonProps) {
  const section = useRef<HTMLElement>(null);
  const list = store.objects.list.value;
  const previousList = useRef(list);
  useEffect(() => {
    // The buttons of the lists may be far above the list.
    if (list !== previousList.current) section.current?.scrollIntoView({ block: 'nearest' });
    previousList.current = list;
  }, [list]);
  const objects = store.objects.lists.value?.[list];
  const { [objects?.[0]?.side ?? 'a']: selected } = store.selection.pair.value;
  return (
    <section class="section" ref={section}>
      <h2>
        {outcomeNames[list]()}
        <span class="minor">{objects ? t.number(objects.length) : '…'}</span>
      </h2>
      {objects?.length === 0 && <p class="hint">{t('None in this image')}</p>}
      {objects && objects.length > 0 && (
        <RowList
          class="objects"
          label={outcomeNames[list]()}
          count={objects.length}
          rowHeight={OBJECT_ROW_HEIGHT}
          selected={objects.findIndex(({ object }) => object === selected)}
          onSelect={row => store.selection.select(objects[row])}
          row={row => {
            const ref = objects[row];
            return ref && <ObjectRow key={`${ref.side}${ref.object}`} store={store} {...ref} />;
          }}
        />
      )}
      <p class="hint">{t('N selects the next object, P the one before, also in other images.')}</p>
    </section>
  );
}

/** An object in a list by its ID, with its partner and their IoU, or with its area. */
function ObjectRow({ store, side, object }: ComparisonProps & { side: ComparedSide; object: number }) {
  const facts = store.objects.facts(side, object).current.value;
  const partner = store.objects.partnerOf({ side, object });
  const other = side === 'a' ? 'b' : 'a';
  const factsOfPartner =
    partner === undefined ? undefined : store.objects.facts(other, partner).current.value;
  const id = String(facts?.id ?? '…');
  const [idA, idB] =
    side === 'a' ? [id, String(factsOfPartner?.id ?? '…')] : [String(factsOfPartner?.id ?? '…'), id];
  const [objectA, objectB] = side === 'a' ? [object, partner] : [partner, object];
  const iou =
    objectA === undefined || objectB === undefined
      ? undefined
      : store.objects.iou(objectA, objectB).current.value;
  const unmatchedWords = side === 'a' ? t('A {0}', id) : t('B {0}', id);
  return (
    <span class="row-facts">
      <span>{partner === undefined ? unmatchedWords : t('A {0} – B {1}', idA, idB)}</span>
      <span class="side-name">{facts?.className}</span>
      {partner !== undefined ? (
        <span>{iou === undefined ? '…' : t('IoU {0}', t.fixed(iou, 3))}</span>
      ) : (
        <span>{facts && t('{0} px²', facts.area)}</span>
      )}
    </span>
  );
}

/** Notes on anomalies of the files. */
function Notes({ store }: ComparisonProps) {
  const { a, b } = store.sides;
  const unreadable = [a, b].flatMap(({ images }) =>
    images
      .filter(({ unreadableCount }) => unreadableCount > 0)
      .map(({ name, unreadableCount, unreadable: why }) =>
        unreadableCount === 1
          ? t("{0}: 1 object can't be read. {1}", name, why)
          : t("{0}: {1} objects can't be read. {2}", name, unreadableCount, why),
      ),
  );
  // Only images without a partner: pairs with an unreadable image are listed as not compared.
  const { unpairedA, unpairedB } = store.comparing.state.value;
  const failed = [
    ...unpairedA.map(position => store.images.imageOf('a', position)),
    ...unpairedB.map(position => store.images.imageOf('b', position)),
  ].flatMap(image => (image?.failure === undefined ? [] : [t('{0}: {1}', image.name, image.failure)]));
  const notes = [
    ...a.notes.map(note => t('A: {0}', note)),
    ...b.notes.map(note => t('B: {0}', note)),
    ...unreadable,
    ...failed,
  ];
  const areas = a.areas ?? b.areas;
  if (notes.length === 0) return null;
  return (
    <section class="section">
      <h2>
        {t('Notes')}
        {areas && (
          <LinkButton
            disabled={store.comparing.isBusy.value}
            onClick={() => void store.comparing.separateAreas(areas === 'together')}
          >
            {areas === 'together' ? t('Make Each Area an Object') : t('Make Them One Object')}
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
      {notes.length > MAX_NOTES && <p class="hint">{t('and {0} more', notes.length - MAX_NOTES)}</p>}
    </section>
  );
}

const MAX_NOTES = 20;
