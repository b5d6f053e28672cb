import type { TableColumn } from '../../columns/tableSummary';
import type { TableText } from '../../pages/page/pageText';
import { Picker } from '../../pages/page/widgets/parts';
import type { ImageMeasure } from './chosenMeasure';

export type RangeMeasure = Extract<ImageMeasure, { kind: 'range' }>;

interface RangeFieldsProps {
  text: TableText;
  columns: readonly TableColumn[];
  range: RangeMeasure;
  choose: (range: RangeMeasure) => void;
}

/** The column of a share in a range, and its ends. */
export function RangeFields({ text, columns, range, choose }: RangeFieldsProps) {
  const end = (typed: string) => (typed.trim() === '' || Number.isNaN(Number(typed)) ? null : Number(typed));
  return (
    <span class="compare-range">
      <Picker
        label={text.get('compareShareOfRange')}
        value={range.name}
        options={columns.map(({ name }) => [name, name])}
        choose={name => choose({ ...range, name })}
      />
      {(['from', 'to'] as const).map(side => (
        <input
          key={side}
          type="number"
          step="any"
          class="input"
          placeholder={text.get(side === 'from' ? 'compareFrom' : 'compareTo')}
          aria-label={text.get(side === 'from' ? 'compareFrom' : 'compareTo')}
          value={range[side] ?? ''}
          onChange={({ currentTarget }) => choose({ ...range, [side]: end(currentTarget.value) })}
        />
      ))}
    </span>
  );
}
