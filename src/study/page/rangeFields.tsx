import { t } from '../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import type { TableColumn } from '../../columns/tableSummary';
import { isReversed } from '../../columns/viewSpec';
import { Picker } from '../../pages/page/widgets/parts';
import type { ImageMeasure } from './chosenMeasure';

export type RangeMeasure = Extract<ImageMeasure, { kind: 'range' }>;

interface RangeFieldsProps {
  columns: readonly TableColumn[];
  range: RangeMeasure;
  choose: (range: RangeMeasure) => void;
}

/** Fields for the share of objects within a range: the column, and both ends of the range. */
export function RangeFields({ columns, range, choose }: RangeFieldsProps) {
  return (
    <span class="compare-range">
      <Picker
        label={t('Share in a Range…')}
        value={range.name}
        options={columns.map(({ name }) => [name, name])}
        choose={name => choose({ ...range, name })}
      />
      {(['from', 'to'] as const).map(side => (
        <RangeEnd
          key={side}
          label={
            side === 'from'
              ? t({ message: 'From', comment: 'Low end of a range of numbers' })
              : t({ message: 'To', comment: 'High end of a range of numbers' })
          }
          value={range[side]}
          isInvalid={isReversed(range)}
          choose={value => choose({ ...range, [side]: value })}
        />
      ))}
    </span>
  );
}

interface RangeEndProps {
  label: string;
  value: number | null;
  isInvalid: boolean;
  choose: (value: number | null) => void;
}

/** A field for an end of a range. Loading rows doesn't replace typed text. */
function RangeEnd({ label, value, isInvalid, choose }: RangeEndProps) {
  const typed = useSignal<string | undefined>(undefined);
  return (
    <input
      type="number"
      step="any"
      class="input"
      placeholder={label}
      aria-label={label}
      aria-invalid={isInvalid}
      value={typed.value ?? value ?? ''}
      onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      onChange={({ currentTarget: { value: text } }) => {
        typed.value = undefined;
        choose(text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text));
      }}
    />
  );
}
