import { t } from '../../../pages/page/l10n';
import { useComputed } from '@preact/signals';
import { fromHex, toHex } from '../../../base/colors';
import { IconButton, LinkButton } from '../../../pages/page/widgets/parts';
import { type InspectorProps, Section } from './sections';

/** Maximum number of listed classes: nobody distinguishes more by color. */
const MAX_LISTED = 1000;

/** The classes: colors, counts, and buttons to hide and show. */
export function ClassLegend({ store }: InspectorProps) {
  const { classes, look } = store;
  const hidden = useComputed(() => look.current.value.hidden);
  const title = t('Classes');
  const heading = classes.length > 1 && (
    <LinkButton onClick={() => look.toggleClasses()}>
      {hidden.value.size === 0 ? t('Hide All') : t('Show All')}
    </LinkButton>
  );
  return (
    <Section title={title} heading={[title, heading]}>
      {classes.length === 0 ? (
        <p class="hint">{t('No classes')}</p>
      ) : (
        <ul class="legend">
          {classes.slice(0, MAX_LISTED).map(({ name }, position) => (
            <Row key={position} store={store} name={name} position={position} />
          ))}
        </ul>
      )}
      {classes.length > MAX_LISTED && (
        <p class="hint">
          {t("{0} more classes aren't listed. Their objects are shown.", classes.length - MAX_LISTED)}
        </p>
      )}
    </Section>
  );
}

interface RowProps extends InspectorProps {
  name: string;
  position: number;
}

function Row({ store: { look, classes, coloring, image }, name, position }: RowProps) {
  const hidden = useComputed(() => look.current.value.hidden.has(position)).value;
  const color = useComputed(() => toHex(look.current.value.colors[position] ?? [0, 0, 0])).value;
  const countInImage = useComputed(
    () => coloring.classCounts.value && (coloring.classCounts.value[position] ?? 0),
  );
  const share = useComputed(() => {
    const percent = (coloring.classShares.value?.[position] ?? 0) * 100;
    if (percent === 0) return '';
    const words = percent < 0.1 ? `< ${t.number(0.1, 1)}` : t.number(percent, percent < 10 ? 1 : 0);
    return t('{0}%', words);
  });
  // The summary is read for its updates: the archive's counts are updated in place.
  const totalCount = useComputed(() => (image.summary.value ? classes[position]?.count : undefined)).value;
  const count = countInImage.value;
  const states = [count === 0 && 'absent', hidden && 'hidden-class'].filter(Boolean);
  const colorLabel = t('Color of {0}', name);
  return (
    <li class={['legend-row', ...states].join(' ')}>
      <input
        type="color"
        class="swatch"
        value={color}
        aria-label={colorLabel}
        title={colorLabel}
        onInput={({ currentTarget }) => {
          const selectedColor = fromHex(currentTarget.value);
          if (selectedColor) look.setClassColor(position, selectedColor);
        }}
      />
      <span class="legend-name" title={name}>
        {name}
      </span>
      <span
        class="legend-count"
        title={
          count === undefined ? t('Reading…') : t('{0} here, {1} in all images', count, totalCount ?? count)
        }
      >
        {count === undefined ? '…' : t.number(count)}
      </span>
      <span class="legend-share" title={t("Share of the image's area; pixels in two objects count twice")}>
        {share}
      </span>
      <IconButton
        icon={hidden ? 'eye-closed' : 'eye'}
        label={hidden ? t('Show {0}', name) : t('Hide {0}', name)}
        title={`${hidden ? t('Show {0}', name) : t('Hide {0}', name)}\n${t('Alt+Click: show only {0}', name)}`}
        onClick={({ altKey }) => (altKey ? look.toggleOthers(position) : look.toggleClass(position))}
      />
    </li>
  );
}
