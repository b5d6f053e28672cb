import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ComputedColumn } from '../../columns/computedColumn';
import { t } from '../../pages/page/l10n';
import { useLoaded } from '../../pages/page/widgets/loaded';
import { Button, Icon, LinkButton } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import { MAX_FORMULA } from '../formula';
import type { FormulaSpan } from '../formulaTokens';
import { type Completion, completionsAt } from './completion';
import { checkDraft, possibleOf } from './formulaChecks';
import { FormulaPart, reportWords } from './formulaPart';
import formulasCss from './formulas.css';
import type { FormulaDraft, FormulasModel } from './formulasModel';

/** Code that loads when the user first writes or views a formula. */
export const formulasLater = { style: formulasCss, openFormulaEditor, FormulaPart };

/** A placeholder; it isn't translated. */
const EXAMPLE = '([A] - [B]) / [C]';

interface EditorOptions {
  /** The initial draft. */
  begun: FormulaDraft;
  anchor?: Element;
  onClosed: () => void;
}

/** Opens the editor of a formula: a popover at the button, or at the header of a column. */
function openFormulaEditor(formulas: FormulasModel, { begun, ...popover }: EditorOptions): void {
  const label = begun.of === undefined ? t('Add Computed Column') : t('Edit Computed Column');
  openPopover({
    ...popover,
    label,
    className: 'formula-editor',
    view: close => <FormulaEditor {...{ formulas, begun, label, close }} />,
  });
}

interface EditorProps {
  formulas: FormulasModel;
  begun: FormulaDraft;
  label: string;
  close: () => void;
}

function FormulaEditor({ formulas, begun, label, close }: EditorProps) {
  const draft = useSignal(begun);
  const refusal = useSignal('');
  /** Set once the user tried to save: problems of empty fields are shown from then on. */
  const hasTriedToSave = useSignal(false);
  const { column, nameFault } = checkDraft(formulas, draft.value);
  const problem = 'problem' in column ? column.problem : undefined;
  const isNew = begun.of === undefined;
  const change = (changed: Partial<FormulaDraft>) => {
    draft.value = { ...draft.peek(), ...changed };
    refusal.value = '';
    if (isNew) formulas.draft = draft.peek();
  };
  const end = () => {
    if (isNew) formulas.draft = undefined;
    close();
  };
  const save = () => {
    hasTriedToSave.value = true;
    if (problem || nameFault !== undefined) return;
    formulas.save(draft.peek()).then(end, (error: unknown) => (refusal.value = wordsOf(error)));
  };
  const { name, formula } = draft.value;
  const shownNameFault = name !== '' || hasTriedToSave.value ? nameFault : undefined;
  const shownProblem = formula.trim() !== '' || hasTriedToSave.value ? problem : undefined;
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        save();
      }}
    >
      <h2 class="popover-title">{label}</h2>
      <label for="formula-name">{t({ message: 'Name', comment: 'Of a column' })}</label>
      <input
        class="input wide"
        id="formula-name"
        type="text"
        maxLength={200}
        autofocus={begun.name === ''}
        value={name}
        aria-invalid={shownNameFault !== undefined}
        aria-describedby="formula-name-fault"
        onInput={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <p class="filter-refusal" id="formula-name-fault" role="alert">
        {shownNameFault}
      </p>
      <label for="formula-text">{t('Formula')}</label>
      <FormulaField
        formulas={formulas}
        draft={draft.value}
        mark={shownProblem}
        autofocus={begun.name !== ''}
        change={text => change({ formula: text })}
        submit={save}
      />
      <p class="filter-refusal" id="formula-fault" role="alert">
        {shownProblem ? t.reason(shownProblem.reason) : refusal}
      </p>
      <Preview formulas={formulas} draft={draft.value} isValid={problem === undefined} />
      {isNew && <OfferedColumns formulas={formulas} close={close} />}
      <div class="buttons">
        <Button primary type="submit">
          {isNew
            ? t({ message: 'Add', comment: 'A column' })
            : t({ message: 'Apply', comment: 'A changed formula' })}
        </Button>
        <Button onClick={end}>{t('Cancel')}</Button>
      </div>
    </form>
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface FieldProps {
  formulas: FormulasModel;
  draft: FormulaDraft;
  /** The invalid part of the formula. */
  mark: FormulaSpan | undefined;
  autofocus: boolean;
  change: (formula: string) => void;
  submit: () => void;
}

/** The formula being typed, with its problem underlined and completions below. */
function FormulaField({ formulas, draft, mark, autofocus, change, submit }: FieldProps) {
  const { formula, of } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const marked = useRef<HTMLPreElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const completions = useSignal<readonly Completion[]>([]);
  const selected = useSignal(0);
  const isOpen = completions.value.length > 0;
  useLayoutEffect(
    () => list.current?.children[selected.value]?.scrollIntoView({ block: 'nearest' }),
    [completions.value, selected.value],
  );
  const close = () => (completions.value = []);
  const complete = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, isExplicit = false) => {
    const columns = formulas.columns.filter(({ computed, name }) => !computed || name !== of);
    completions.value =
      selectionStart === selectionEnd ? completionsAt(value, selectionStart, columns, isExplicit) : [];
    selected.value = 0;
  };
  const accept = (completion: Completion | undefined) => {
    const { current } = field;
    if (!current || !completion) return;
    const { start, end, insert, caret } = completion;
    current.setRangeText(insert, start, end, 'end');
    current.setSelectionRange(caret, caret);
    current.focus();
    close();
    change(current.value);
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    // Keys during a composition belong to the input method.
    if (event.isComposing) return;
    const { key, shiftKey } = event;
    const count = completions.value.length;
    const move = (step: number) => (selected.value = (selected.value + step + count) % count);
    if (key === ' ' && event.ctrlKey) complete(event.currentTarget, true);
    else if (isOpen && key === 'ArrowDown') move(1);
    else if (isOpen && key === 'ArrowUp') move(-1);
    else if (isOpen && (key === 'Enter' || key === 'Tab') && !shiftKey)
      accept(completions.value[selected.value]);
    else if (isOpen && key === 'Escape') {
      close();
      // Escape closes the list, but not the editor.
      event.stopPropagation();
    } else if (key === 'Enter' && !shiftKey) submit();
    else return;
    event.preventDefault();
  };
  const { start, end } = mark ?? { start: 0, end: 0 };
  return (
    <div class="formula-field">
      <pre class="formula-mark" aria-hidden="true" ref={marked}>
        {formula.slice(0, start)}
        {mark && <mark>{formula.slice(start, end) || ' '}</mark>}
        {formula.slice(end)}
      </pre>
      <textarea
        class="input"
        id="formula-text"
        rows={3}
        spellcheck={false}
        maxLength={MAX_FORMULA}
        placeholder={EXAMPLE}
        autofocus={autofocus}
        ref={field}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls="formula-completions"
        aria-activedescendant={isOpen ? `formula-completion-${selected.value}` : undefined}
        aria-invalid={mark !== undefined}
        aria-describedby="formula-fault"
        value={formula}
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          complete(currentTarget);
        }}
        onKeyDown={onKeyDown}
        onClick={close}
        onBlur={close}
        onScroll={({ currentTarget }) => marked.current?.scrollTo(0, currentTarget.scrollTop)}
      />
      <ul
        class="formula-completions"
        id="formula-completions"
        role="listbox"
        aria-label={t('Completions')}
        hidden={!isOpen}
        ref={list}
      >
        {completions.value.map((completion, at) => (
          <li
            key={`${completion.insert} ${at}`}
            id={`formula-completion-${at}`}
            role="option"
            aria-selected={at === selected.value}
            title={completion.insert}
            // The field keeps the focus.
            onMouseDown={event => event.preventDefault()}
            onClick={() => accept(completion)}
          >
            <Icon name={iconOf(completion)} />
            <span>{completion.label}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function iconOf({ type }: Completion): string {
  if (type === undefined) return 'symbol-method';
  return type === 'number' ? 'symbol-numeric' : 'symbol-string';
}

interface PreviewProps {
  formulas: FormulasModel;
  draft: FormulaDraft;
  isValid: boolean;
}

/**
 * The first values, and notes about all of them. Shows the last loaded values until new ones load.
 */
function Preview({ formulas, draft, isValid }: PreviewProps) {
  const failure = useSignal('');
  const load = async (signal: AbortSignal) => {
    const preview = await formulas.preview(draft, signal);
    failure.value = '';
    return preview;
  };
  const loaded = useLoaded(
    signal => (isValid ? load(signal) : undefined),
    error => (failure.value = wordsOf(error)),
    [draft.formula, isValid],
  );
  const { cells = [], report } = (isValid && loaded) || {};
  return (
    <div class="formula-preview">
      <h3 id="formula-preview">{t('First values')}</h3>
      <ol aria-labelledby="formula-preview">
        {cells.map((cell, at) => (
          <li key={at}>
            {cell === '' ? <i>{t({ message: 'empty', comment: 'A cell without a value' })}</i> : cell}
          </li>
        ))}
      </ol>
      <p class="popover-note" role="status">
        {report && reportWords(report)}
      </p>
      <p class="filter-refusal">{failure}</p>
    </div>
  );
}

/** Offers the computed columns of the table whose formulas were changed last. */
function OfferedColumns({ formulas, close }: Pick<EditorProps, 'formulas' | 'close'>) {
  const last = useLoaded(
    () => formulas.last(),
    () => undefined,
  );
  const offered = possibleOf(formulas, last ?? []);
  if (offered.length === 0) return null;
  const add = (columns: readonly ComputedColumn[]) => {
    close();
    void formulas.add(columns);
  };
  return (
    <div class="formula-offered">
      <h3>{t('From the last table')}</h3>
      <ul>
        {offered.map(column => (
          <li key={column.name}>
            <LinkButton onClick={() => add([column])}>{column.name}</LinkButton>
            <span title={column.formula}> = {column.formula}</span>
          </li>
        ))}
      </ul>
      {offered.length > 1 && <Button onClick={() => add(offered)}>{t('Add All')}</Button>}
    </div>
  );
}
