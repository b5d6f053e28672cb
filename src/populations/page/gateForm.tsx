import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TableColumn } from '../../columns/tableSummary';
import type { RangeEnd } from '../../columns/viewSpec';
import { columnName, formatNumber } from '../../pages/page/columnName';
import { t } from '../../pages/page/l10n';
import { Button, IconButton, Picker } from '../../pages/page/widgets/parts';
import type { OpenedParts } from '../../table/page/contribution';
import { isShown, rangeEndText, typedRangeEnd, withShown } from '../../table/page/filterList';
import { type Gate, MAX_NAME_LENGTH } from '../gate';
import { columnKey, columnsNamed, type Population, populationsInTable } from '../population';
import { problemWords } from '../problemWords';
import {
  type Condition,
  conditionKinds,
  conditionOf,
  type Conditions,
  conditionsOf,
  gateOf,
  isEditableInForm,
  thresholdOfRows,
} from './gateConditions';
import { gateWords, percent } from './gateWords';
import type { PopulationsModel } from './populationsModel';

/** Maximum number of listed values of a column. */
const MAX_VALUES = 100;

const KIND_NAMES = {
  range: t.later('From, to'),
  values: t.later('Class or values'),
  text: t.later({ message: 'Text', comment: 'Noun: text to filter by' }),
  missing: t.later({ message: 'Missing', comment: 'Cells without a value' }),
  percentile: t.later('Percentile'),
  statistic: t.later('Mean or median'),
  population: t.later('Other population'),
} as const;

interface FormProps {
  model: PopulationsModel;
  parts: Pick<OpenedParts, 'model' | 'textsOf'>;
  /** The population to edit; undefined for a new one. */
  edited: Population | undefined;
  end: () => void;
}

/** A form for a population's name, parent and gate. Shows its row count; OK stores it. */
export function GateForm({ model, parts, edited, end }: FormProps) {
  const { columns } = parts.model.table;
  const editedName = edited?.name;
  const name = useSignal(editedName ?? model.freeName());
  const parent = useSignal(edited?.parent);
  const gate = useSignal<Conditions>(
    edited
      ? conditionsOf(edited.gate)
      : { join: 'all', conditions: [{ gate: conditionOf('range', columns, {}), isNot: false }] },
  );
  const nameError = useSignal<string | undefined>(undefined);
  const editedGate = gateOf(gate.value);
  const others = model.populations.filter(population => population !== edited);
  const draftName = model.freeName(name.value, editedName);
  const draft: Population | undefined = editedGate && {
    name: draftName,
    ...(parent.value !== undefined && { parent: parent.value }),
    gate: editedGate,
  };
  const list = draft && model.withDraft(editedName, draft);
  const problem =
    list && populationsInTable(list, columns).find(({ population }) => population === draft)?.placement;
  const problemText = !editedGate
    ? t('Add a condition.')
    : problem && 'problem' in problem
      ? problemWords(t, problem.problem)
      : undefined;
  useEffect(() => {
    if (list && problemText === undefined) model.countDraft(list);
  }, [JSON.stringify([list, problemText])]);
  useEffect(() => () => model.cancelDraft(), []);
  const counted = model.countedOf(draftName);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const setCondition = (index: number, condition: Condition | undefined) => {
    const { join, conditions } = gate.value;
    gate.value = {
      join,
      conditions: conditions.flatMap((other, place) => (place === index ? (condition ?? []) : [other])),
    };
  };
  const submit = () => {
    if (!draft || problemText !== undefined) return;
    nameError.value = model.saveDraft(editedName, { ...draft, name: name.value });
    if (nameError.value === undefined) end();
  };
  // `counted.thresholds` has one entry for each condition with a threshold, in order.
  let nextThreshold = 0;
  return (
    <form
      class="gate-form"
      aria-label={editedName === undefined ? t('New Population') : t('Edit {0}', editedName)}
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={event => {
        event.stopPropagation();
        if (event.key === 'Escape') end();
      }}
    >
      <label class="gate-line">
        <span>{t({ message: 'Name', comment: 'Of a population' })}</span>
        <input
          class="input"
          ref={field}
          autofocus
          maxLength={MAX_NAME_LENGTH}
          value={name.value}
          aria-invalid={nameError.value !== undefined}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
      </label>
      <label class="gate-line">
        <span>{t('Part of')}</span>
        <Picker
          label={t('Part of')}
          options={[
            ['', t('All Rows')],
            ...model.parentsFor(editedName).map(parentName => [parentName, parentName] as const),
          ]}
          value={parent.value ?? ''}
          choose={value => (parent.value = value === '' ? undefined : value)}
        />
      </label>
      {gate.value.conditions.length > 1 && (
        <label class="gate-line">
          <span>{t('Rows fulfill')}</span>
          <Picker
            label={t('Rows fulfill')}
            options={[
              ['all', t('all conditions')],
              ['any', t('any condition')],
            ]}
            value={gate.value.join}
            choose={join => (gate.value = { ...gate.value, join })}
          />
        </label>
      )}
      {gate.value.conditions.map((condition, at) => {
        const isComputed = condition.gate.kind === 'percentile' || condition.gate.kind === 'statistic';
        const threshold = isComputed ? counted?.thresholds[nextThreshold++] : undefined;
        return (
          <ConditionFields
            key={at}
            parts={parts}
            populations={others.map(population => population.name)}
            condition={condition}
            threshold={threshold}
            change={changed => setCondition(at, changed)}
          />
        );
      })}
      <Button
        onClick={() =>
          (gate.value = {
            ...gate.value,
            conditions: [...gate.value.conditions, { gate: conditionOf('range', columns, {}), isNot: false }],
          })
        }
      >
        {t('Add Condition')}
      </Button>
      <p
        class={`populations-note${(nameError.value ?? problemText) === undefined ? '' : ' error'}`}
        role="status"
      >
        {nameError.value ??
          problemText ??
          (counted && !counted.problem
            ? t(
                '{0} rows, {1} of its parent',
                t.number(counted.count),
                percent(counted.count, counted.parentCount),
              )
            : t('Counting…'))}
      </p>
      <div class="gate-actions">
        <Button primary type="submit" disabled={problemText !== undefined}>
          {t('OK')}
        </Button>
        <Button onClick={end}>{t('Cancel')}</Button>
      </div>
    </form>
  );
}

interface FieldsProps {
  parts: FormProps['parts'];
  populations: readonly string[];
  condition: Condition;
  threshold: readonly [number | null, number | null] | undefined;
  /** Undefined removes the condition. */
  change: (condition: Condition | undefined) => void;
}

function ConditionFields({ parts, populations, condition, threshold, change }: FieldsProps) {
  const { gate, isNot } = condition;
  const { columns } = parts.model.table;
  const set = (changed: Gate) => change({ gate: changed, isNot });
  const column = 'column' in gate ? gate.column : undefined;
  return (
    <fieldset class="gate-condition">
      <div class="gate-line">
        {isEditableInForm(gate) ? (
          <Picker
            label={t('Kind of condition')}
            options={conditionKinds
              .filter(kind => kind !== 'population' || populations.length > 0)
              .map(kind => [kind, KIND_NAMES[kind]()] as const)}
            value={gate.kind}
            choose={kind => set(conditionOf(kind, columns, { column, population: populations[0] ?? '' }))}
          />
        ) : (
          <span class="gate-words">{gateWords(gate, columns)}</span>
        )}
        <IconButton icon="trash" label={t('Remove Condition')} onClick={() => change(undefined)} />
      </div>
      {isEditableInForm(gate) && (
        <Fields parts={parts} populations={populations} gate={gate} threshold={threshold} set={set} />
      )}
      <label class="gate-check">
        <input
          type="checkbox"
          checked={isNot}
          onChange={({ currentTarget }) => change({ gate, isNot: currentTarget.checked })}
        />
        {t('Not')}
      </label>
    </fieldset>
  );
}

interface TypedProps extends Pick<FieldsProps, 'parts' | 'populations' | 'threshold'> {
  gate: Extract<Gate, { kind: (typeof conditionKinds)[number] }>;
  set: (gate: Gate) => void;
}

function Fields({ parts, populations, gate, threshold, set }: TypedProps) {
  const { columns } = parts.model.table;
  if (gate.kind === 'population')
    return (
      <Picker
        label={t({ message: 'Population', comment: 'Named set of objects' })}
        options={populations.map(name => [name, name] as const)}
        value={gate.name}
        choose={name => set({ kind: 'population', name })}
      />
    );
  const needsNumbers = gate.kind === 'range' || gate.kind === 'percentile' || gate.kind === 'statistic';
  return (
    <>
      <ColumnPicker
        label={t('Column')}
        columns={columns}
        offered={columns.filter(({ kind }) => !needsNumbers || kind === 'number')}
        value={gate.column}
        choose={column => set(gate.kind === 'values' ? { ...gate, column, values: [] } : { ...gate, column })}
      />
      {gate.kind === 'range' && (
        <div class="gate-line">
          <NumberField
            parts={parts}
            label={t({ message: 'From', comment: 'Low end of a range of numbers' })}
            value={gate.from}
            setEnd={from => set({ ...gate, from })}
          />
          <NumberField
            parts={parts}
            label={t({ message: 'To', comment: 'High end of a range of numbers' })}
            value={gate.to}
            setEnd={to => set({ ...gate, to })}
          />
        </div>
      )}
      {gate.kind === 'values' && <Values parts={parts} gate={gate} set={set} />}
      {gate.kind === 'text' && (
        <div class="gate-line">
          <Picker
            label={t('Match')}
            options={[
              ['contains', t({ message: 'contains', comment: 'A text contains another' })],
              ['equals', t('is')],
              ['regex', t('matches')],
            ]}
            value={gate.match}
            choose={match => set({ ...gate, match })}
          />
          <TextField
            label={t({ message: 'Text', comment: 'Noun: text to filter by' })}
            value={gate.text}
            set={text => set({ ...gate, text })}
          />
        </div>
      )}
      {gate.kind === 'missing' && (
        <Picker
          label={t({ message: 'Missing', comment: 'Cells without a value' })}
          options={[
            ['missing', t('is empty')],
            ['there', t('has a value')],
          ]}
          value={gate.missing ? 'missing' : 'there'}
          choose={value => set({ ...gate, missing: value === 'missing' })}
        />
      )}
      {(gate.kind === 'percentile' || gate.kind === 'statistic') && (
        <Threshold parts={parts} gate={gate} threshold={threshold} set={set} />
      )}
    </>
  );
}

interface ThresholdProps extends Pick<TypedProps, 'parts' | 'set' | 'threshold'> {
  gate: Extract<Gate, { kind: 'percentile' | 'statistic' }>;
}

function Threshold({ parts, gate, threshold, set }: ThresholdProps) {
  const { columns } = parts.model.table;
  const [least = null, greatest = null] = threshold ?? [];
  const { frozen } = gate;
  return (
    <>
      <div class="gate-line">
        <Picker
          label={t('Side')}
          options={[
            ['above', '≥'],
            ['below', '<'],
          ]}
          value={gate.side}
          choose={side => set({ ...gate, side })}
        />
        {gate.kind === 'percentile' ? (
          <NumberField
            parts={parts}
            label={t('Percentile')}
            value={gate.percent}
            set={value => set({ ...gate, percent: Math.max(0, Math.min(100, value)) })}
          />
        ) : (
          <>
            <Picker
              label={t('Center')}
              options={[
                ['mean', t('mean')],
                ['median', t('median')],
              ]}
              value={gate.center}
              choose={center => set({ ...gate, center, spread: center === 'median' ? 'mad' : 'sd' })}
            />
            <span>+</span>
            <NumberField
              parts={parts}
              label={t('Factor')}
              value={gate.factor}
              set={factor => set({ ...gate, factor })}
            />
            <Picker
              label={t('Spread')}
              options={[
                ['sd', '· SD'],
                ['mad', '· 1.4826 · MAD'],
              ]}
              value={gate.spread}
              choose={spread => set({ ...gate, spread })}
            />
          </>
        )}
      </div>
      <Picker
        label={t('Computed of')}
        options={[
          ['all', t('of all rows')],
          ['parent', t('of the parent')],
          ['image', t('of each image')],
          ['reference', t('of a reference')],
        ]}
        value={gate.of}
        choose={of => set(thresholdOfRows(gate, of, columns))}
      />
      {gate.of === 'reference' && gate.reference && (
        <div class="gate-line">
          <ColumnPicker
            label={t('Column of the reference')}
            columns={columns}
            offered={columns}
            value={gate.reference.column}
            choose={column => set({ ...gate, reference: { column, value: gate.reference?.value ?? '' } })}
          />
          <TextField
            label={t({ message: 'Reference', comment: 'The condition that others are compared with' })}
            value={gate.reference.value}
            set={value => set({ ...gate, reference: { column: gate.reference?.column ?? 0, value } })}
          />
        </div>
      )}
      <label class="gate-check">
        <input
          type="checkbox"
          checked={frozen !== undefined}
          // Thresholds that differ between images can't be frozen at one number.
          disabled={frozen === undefined && (least === null || least !== greatest)}
          onChange={({ currentTarget }) => {
            const isFrozen = currentTarget.checked && least !== null;
            set({ ...gate, frozen: isFrozen ? least : undefined });
          }}
        />
        {frozen !== undefined
          ? t('Frozen at {0}', formatNumber(frozen))
          : least === null || greatest === null
            ? t('Freeze the threshold')
            : least === greatest
              ? t('Freeze the threshold, now {0}', formatNumber(least))
              : t('Of images: {0} to {1}', formatNumber(least), formatNumber(greatest))}
      </label>
    </>
  );
}

function Values({
  parts,
  gate,
  set,
}: Pick<TypedProps, 'parts' | 'set'> & { gate: Extract<Gate, { kind: 'values' }> }) {
  const listedTexts = useSignal<readonly string[]>([]);
  const { columns } = parts.model.table;
  const index = columnsNamed(columns, gate.column)[0]?.index;
  useEffect(() => {
    const reading = new AbortController();
    if (index !== undefined)
      parts
        .textsOf(index, MAX_VALUES, reading.signal)
        .then(texts => (listedTexts.value = texts))
        .catch(() => (listedTexts.value = []));
    return () => reading.abort();
  }, [index]);
  const unlisted = gate.values.filter(text => !listedTexts.value.includes(text));
  return (
    <div class="gate-values" role="group" aria-label={t('Values')}>
      {[...listedTexts.value, ...unlisted, undefined].map(value => (
        <label key={value === undefined ? 'missing' : `=${value}`} class="gate-check">
          <input
            type="checkbox"
            checked={isShown(gate, value)}
            onChange={({ currentTarget }) =>
              set(
                withShown(gate, value, currentTarget.checked) ?? { ...gate, values: [], missing: undefined },
              )
            }
          />
          <span>{value ?? t('(missing)')}</span>
        </label>
      ))}
    </div>
  );
}

interface ColumnPickerProps {
  label: string;
  columns: readonly TableColumn[];
  offered: readonly TableColumn[];
  value: string | number;
  choose: (column: string | number) => void;
}

function ColumnPicker({ label, columns, offered, value, choose }: ColumnPickerProps) {
  const [chosen] = columnsNamed(columns, value);
  return (
    <Picker
      label={label}
      options={[
        ...(chosen ? [] : [['', String(value)] as const]),
        ...offered.map(({ index }) => [String(index), columnName(columns, index)] as const),
      ]}
      value={chosen ? String(chosen.index) : ''}
      choose={index => choose(columnKey(columns, Number(index)))}
    />
  );
}

interface NumberFieldProps {
  parts: FormProps['parts'];
  label: string;
  value: RangeEnd | null | undefined;
  set?: (value: number) => void;
  /** Instead of `set`, for an end of a range: null if the field is empty. */
  setEnd?: (end: RangeEnd | null) => void;
}

function NumberField({ parts, label, value, set, setEnd }: NumberFieldProps) {
  const isInvalid = useSignal(false);
  return (
    <input
      class="input gate-number"
      aria-label={label}
      placeholder={label}
      aria-invalid={isInvalid.value}
      defaultValue={rangeEndText(value ?? null)}
      onInput={({ currentTarget }) => {
        const end = typedRangeEnd(currentTarget.value, parts.model.table.decimalComma);
        isInvalid.value = end === undefined || (end === null && !setEnd);
        if (end === undefined || isInvalid.value) return;
        if (setEnd) setEnd(end);
        else set?.(Number(end));
      }}
    />
  );
}

function TextField({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <input
      class="input"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
