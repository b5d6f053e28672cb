import { t } from '../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Reason } from '../../base/reasons';
import { Button, IconButton } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import { imageRoles, orderedValues } from '../imageColumns';
import { type ImageColumnsModel, placeOfColumn } from './imageColumnsModel';
import { roleNames } from './imageWords';

/** Maximum number of values that can be ordered; no column of conditions has more. */
const MAX_ORDERED = 200;

/**
 * Opens a column's settings at its header: name, role, and for a condition its order and reference.
 */
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
 * The current position of a column that was at `firstPosition`: columns may change elsewhere.
 * Undefined once the column is removed.
 */
function useCurrentPosition(images: ImageColumnsModel, firstPosition: number): number | undefined {
  const namesNow = images.metadata.value?.columns.map(({ name }) => name) ?? [];
  const last = useRef({ at: firstPosition, names: namesNow });
  const at = placeOfColumn(last.current.at, last.current.names, namesNow);
  if (at !== undefined) last.current = { at, names: namesNow };
  return at;
}

function ColumnSettings({ images, at: firstPosition, close }: ColumnSettingsProps) {
  const problem = useSignal<Reason | undefined>(undefined);
  /** The text being typed; it stays if the column changes elsewhere. */
  const typed = useSignal<string | undefined>(undefined);
  const at = useCurrentPosition(images, firstPosition);
  useEffect(() => {
    if (at === undefined) close();
  }, [at]);
  const column = at === undefined ? undefined : images.metadata.value?.columns[at];
  if (at === undefined || !column) return null;
  const { name, role } = column;
  const rename = (input: HTMLInputElement) => {
    const newValue = input.value.trim();
    typed.value = undefined;
    if (newValue === name) return;
    problem.value = images.whyNotNamed(at, newValue);
    if (problem.value) input.value = name;
    else images.describe(at, { name: newValue });
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
            // The focus returns to the header, and the same key press would click it.
            event.preventDefault();
            rename(event.currentTarget);
            if (!problem.value) close();
          }}
        />
      </label>
      <label class="image-field">
        <span>{t({ message: 'Role', comment: 'What a column is for' })}</span>
        <select
          class="input"
          value={role ?? 'none'}
          onChange={({ currentTarget }) => {
            const newValue = imageRoles.find(candidate => candidate === currentTarget.value);
            problem.value = images.setRole(at, newValue);
            if (problem.value) currentTarget.value = role ?? 'none';
          }}
        >
          {(['none', ...imageRoles] as const).map(option => (
            <option key={option} value={option}>
              {roleNames[option]()}
            </option>
          ))}
        </select>
      </label>
      {problem.value && (
        <p class="image-wrong" role="alert">
          {t.reason(problem.value)}
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
  const move = (from: number, step: number) => {
    const order = [...values];
    const [value = ''] = order.splice(from, 1);
    order.splice(from + step, 0, value);
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
            {values.map((value, position) => (
              <li key={value}>
                <span class="image-order-value">{value}</span>
                <IconButton
                  icon="arrow-up"
                  label={t('Move {0} Up', value)}
                  disabled={position === 0}
                  onClick={() => move(position, -1)}
                />
                <IconButton
                  icon="arrow-down"
                  label={t('Move {0} Down', value)}
                  disabled={position === values.length - 1}
                  onClick={() => move(position, 1)}
                />
              </li>
            ))}
          </ol>
        </fieldset>
      )}
    </>
  );
}
