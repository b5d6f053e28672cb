import type { ComparisonProps } from '../state/comparisonStore';
import { outcomeWords } from '../state/outcomes';
import { IconButton } from '../../../pages/page/widgets/parts';

/** The selected object and its partner: what became of them, and how they differ. */
export function SelectedObject({ store, text }: ComparisonProps) {
  const ref = store.selected.value;
  const { a, b } = store.selectedPair.value;
  const ofA = a === undefined ? undefined : store.facts('a', a).value;
  const ofB = b === undefined ? undefined : store.facts('b', b).value;
  const iou = a === undefined || b === undefined ? undefined : store.iou(a, b).value;
  const flags = ref && store.outcomes.value?.[ref.side].flags[ref.object];
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
          {ofA && (
            <>
              <dt>{text.get('objectOfA', String(ofA.id))}</dt>
              <dd>{text.get('of', ofA.className, text.get('areaOf', ofA.area))}</dd>
            </>
          )}
          {ofB && (
            <>
              <dt>{text.get('objectOfB', String(ofB.id))}</dt>
              <dd>{text.get('of', ofB.className, text.get('areaOf', ofB.area))}</dd>
            </>
          )}
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
