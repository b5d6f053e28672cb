import { t } from '../../../pages/page/l10n';
import type { ObjectFacts } from '../../../archives/masksSummary';
import type { ComparisonProps } from '../state/comparisonStore';
import { outcomeWords } from '../state/outcomes';
import { IconButton } from '../../../pages/page/widgets/parts';

/** The selected object and its partner: outcomes and differences. */
export function SelectedObject({ store }: ComparisonProps) {
  const ref = store.selection.object.value;
  const { a, b } = store.selection.pair.value;
  const objectA = a === undefined ? undefined : store.objects.facts('a', a).current.value;
  const objectB = b === undefined ? undefined : store.objects.facts('b', b).current.value;
  const iou = a === undefined || b === undefined ? undefined : store.objects.iou(a, b).current.value;
  const flags = ref && store.objects.flagsOf(ref);
  return (
    <section class="section selected-object">
      <h2>
        {t({ message: 'Object', comment: 'An object in an image, such as a cell' })}
        <span>
          <IconButton
            icon="arrow-up"
            label={t('Previous Object (P)')}
            onClick={() => void store.nextObject(-1)}
          />
          <IconButton
            icon="arrow-down"
            label={t('Next Object (N)')}
            onClick={() => void store.nextObject(1)}
          />
        </span>
      </h2>
      {!ref || flags === undefined ? (
        <p class="hint">{t('Click an object to select it.')}</p>
      ) : (
        <dl class="object-facts">
          <dt>{t({ message: 'Outcome', comment: 'Of comparing two objects: matched, split, merged …' })}</dt>
          <dd>{outcomeWords(ref.side, flags)}</dd>
          {objectA && <Facts name={t('A {0}', String(objectA.id))} facts={objectA} />}
          {objectB && <Facts name={t('B {0}', String(objectB.id))} facts={objectB} />}
          {objectA && objectB && (
            <>
              <dt>{t('IoU')}</dt>
              <dd>{iou === undefined ? '…' : t.fixed(iou, 3)}</dd>
              <dt>{t('Area ratio (B ÷ A)')}</dt>
              <dd>{t.fixed(objectB.area / objectA.area, 3)}</dd>
              <dt>{t('Center distance')}</dt>
              <dd>
                {t(
                  '{0} px',
                  t.fixed(
                    Math.hypot(
                      objectA.centroid[0] - objectB.centroid[0],
                      objectA.centroid[1] - objectB.centroid[1],
                    ),
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

/** Class and area of an object. Objects of label images, and many polygons, have no class. */
function Facts({ name, facts }: { name: string; facts: ObjectFacts }) {
  const area = t('{0} px²', facts.area);
  return (
    <>
      <dt>{name}</dt>
      <dd>{facts.className === '' ? area : t('{0}, {1}', facts.className, area)}</dd>
    </>
  );
}
