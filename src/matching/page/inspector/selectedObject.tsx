import type { ObjectFacts } from '../../../archives/masksSummary';
import type { ComparisonProps } from '../state/comparisonStore';
import type { CompareText } from '../../../pages/page/pageText';
import { outcomeWords } from '../state/outcomes';
import { IconButton } from '../../../pages/page/widgets/parts';

/** The selected object and its partner: what became of them, and how they differ. */
export function SelectedObject({ store, text }: ComparisonProps) {
  const ref = store.selection.object.value;
  const { a, b } = store.selection.pair.value;
  const ofA = a === undefined ? undefined : store.objects.facts('a', a).now.value;
  const ofB = b === undefined ? undefined : store.objects.facts('b', b).now.value;
  const iou = a === undefined || b === undefined ? undefined : store.objects.iou(a, b).now.value;
  const flags = ref && store.objects.flagsOf(ref);
  return (
    <section class="section selected-object">
      <h2>
        {text.get('object')}
        <span>
          <IconButton
            icon="arrow-up"
            label={text.get('previousObject')}
            onClick={() => void store.nextObject(-1)}
          />
          <IconButton
            icon="arrow-down"
            label={text.get('nextObject')}
            onClick={() => void store.nextObject(1)}
          />
        </span>
      </h2>
      {!ref || flags === undefined ? (
        <p class="hint">{text.get('noObject')}</p>
      ) : (
        <dl class="object-facts">
          <dt>{text.get('outcome')}</dt>
          <dd>{outcomeWords(text, ref.side, flags)}</dd>
          {ofA && <Facts text={text} name={text.get('objectOfA', String(ofA.id))} facts={ofA} />}
          {ofB && <Facts text={text} name={text.get('objectOfB', String(ofB.id))} facts={ofB} />}
          {ofA && ofB && (
            <>
              <dt>{text.get('iou')}</dt>
              <dd>{iou === undefined ? '…' : text.fixed(iou, 3)}</dd>
              <dt>{text.get('areaRatio')}</dt>
              <dd>{text.fixed(ofB.area / ofA.area, 3)}</dd>
              <dt>{text.get('centerDistance')}</dt>
              <dd>
                {text.get(
                  'pixels',
                  text.fixed(
                    Math.hypot(ofA.centroid[0] - ofB.centroid[0], ofA.centroid[1] - ofB.centroid[1]),
                    1,
                  ),
                )}
              </dd>
            </>
          )}
        </dl>
      )}
    </section>
  );
}

/** Class and area of an object; labels and many polygons have no class. */
function Facts({ text, name, facts }: { text: CompareText; name: string; facts: ObjectFacts }) {
  const area = text.get('areaOf', facts.area);
  return (
    <>
      <dt>{name}</dt>
      <dd>{facts.className === '' ? area : text.get('of', facts.className, area)}</dd>
    </>
  );
}
