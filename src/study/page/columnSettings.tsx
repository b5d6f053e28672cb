import { t } from '../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Reason } from '../../base/reasons';
import { Button, IconButton } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import { imageRoles, orderedValues } from '../imageColumns';
import { type ImageColumnsModel, placeOfColumn } from './imageColumnsModel';
import { reasonInWords, roleNames } from './imageWords';

/** Values that can be put in order by hand; more are no conditions. */
const MAX_ORDERED = 200;

/** Opens a column's settings at its header: name, role, and for a condition order and reference. */
export function openColumnSettings(images: ImageColumnsModel, at: number, anchor: Element): void {
  const name = images.metadata.peek()?.columns[at]?.name ?? '';
  openPopover({
    anchor,
    label: t('Settings of {0}', name),
    className: 'image-settings',
    view: close => <ColumnSettings images={images} at={at} close={close} />,
  });
}

interface ColumnSettingsProps {
  images: ImageColumnsModel;
  at: number;
  close: () => void;
}

/**
 * The current position of a column, given its first one: columns come and go elsewhere too.
 * Undefined once it is gone.
 */
function usePlace(images: ImageColumnsModel, first: number): number | undefined {
  const now = images.metadata.value?.columns.map(({ name }) => name) ?? [];
  const seen = useRef({ at: first, names: now });
  const at = placeOfColumn(seen.current.at, seen.current.names, now);
  if (at !== undefined) seen.current = { at, names: now };
  return at;
}

function ColumnSettings({ images, at: first, close }: ColumnSettingsProps) {
  const refused = useSignal<Reason | undefined>(undefined);
  /** Typed text stays while the column changes elsewhere. */
  const typed = useSignal<string | undefined>(undefined);
  const at = usePlace(images, first);
  useEffect(() => {
    if (at === undefined) close();
  }, [at]);
  const column = at === undefined ? undefined : images.metadata.value?.columns[at];
  if (at === undefined || !column) return null;
  const { name, role } = column;
  const rename = (input: HTMLInputElement) => {
    const wanted = input.value.trim();
    typed.value = undefined;
    if (wanted === name) return;
    refused.value = images.whyNotNamed(at, wanted);
    if (refused.value) input.value = name;
    else images.describe(at, { name: wanted });
  };
  return (
    <>
      <label class="image-field">
        <span>{t({ message: 'Name', comment: 'Of a column' })}</span>
        <input
          class="input"
          autofocus
          spellcheck={false}
          value={typed.value ?? name}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onChange={({ currentTarget }) => rename(currentTarget)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return;
            // The focus goes back to the header, which would be pressed by it.
            event.preventDefault();
            rename(event.currentTarget);
            if (!refused.value) close();
          }}
        />
      </label>
      <label class="image-field">
        <span>{t({ message: 'Role', comment: 'What a column is for' })}</span>
        <select
          class="input"
          value={role ?? 'none'}
          onChange={({ currentTarget }) => {
            const wanted = imageRoles.find(each => each === currentTarget.value);
            refused.value = images.setRole(at, wanted);
            if (refused.value) currentTarget.value = role ?? 'none';
          }}
        >
          {(['none', ...imageRoles] as const).map(each => (
            <option key={each} value={each}>
              {roleNames[each]()}
            </option>
          ))}
        </select>
      </label>
      {refused.value && (
        <p class="image-wrong" role="alert">
          {reasonInWords(refused.value)}
        </p>
      )}
      <p class="popover-note">
        {t('Conditions are compared; n counts replicates, whose technical replicates are averaged.')}
      </p>
      {role === 'condition' && <ConditionSettings images={images} at={at} />}
      <Button
        onClick={() => {
          close();
          images.removeColumn(at);
        }}
      >
        {t('Delete Column')}
      </Button>
    </>
  );
}

function ConditionSettings({ images, at }: Omit<ColumnSettingsProps, 'close'>) {
  const column = images.metadata.value?.columns[at];
  if (!column) return null;
  const values = orderedValues(column);
  const move = (from: number, by: number) => {
    const order = [...values];
    const [value = ''] = order.splice(from, 1);
    order.splice(from + by, 0, value);
    images.describe(at, { order });
  };
  return (
    <>
      <label class="image-check">
        <input
          type="checkbox"
          checked={column.isNumeric === true}
          onChange={({ currentTarget }) => images.setNumeric(at, currentTarget.checked)}
        />
        <span>{t('Values are a quantity, such as a dose')}</span>
      </label>
      <label class="image-field">
        <span>{t({ message: 'Reference', comment: 'The condition that others are compared with' })}</span>
        <select
          class="input"
          value={column.reference === undefined ? '' : `=${column.reference}`}
          onChange={({ currentTarget: { value } }) =>
            images.setReference(at, value === '' ? undefined : value.slice(1))
          }
        >
          <option value="">{t({ message: 'None', comment: 'No condition to compare with' })}</option>
          {values.map(value => (
            <option key={value} value={`=${value}`}>
              {value}
            </option>
          ))}
        </select>
      </label>
      {values.length > 1 && values.length <= MAX_ORDERED && (
        <fieldset class="image-order">
          <legend>{t('Order of values')}</legend>
          <ol>
            {values.map((value, place) => (
              <li key={value}>
                <span class="image-order-value">{value}</span>
                <IconButton
                  icon="arrow-up"
                  label={t('Move {0} Up', value)}
                  disabled={place === 0}
                  onClick={() => move(place, -1)}
                />
                <IconButton
                  icon="arrow-down"
                  label={t('Move {0} Down', value)}
                  disabled={place === values.length - 1}
                  onClick={() => move(place, 1)}
                />
              </li>
            ))}
          </ol>
        </fieldset>
      )}
    </>
  );
}
