import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ComputedColumn } from '../../columns/computedColumn';
import { t } from '../../pages/page/l10n';
import { useLoaded } from '../../pages/page/widgets/loaded';
import { Button, Icon, LinkButton } from '../../pages/page/widgets/parts';
import { openPopover } from '../../pages/page/widgets/popover';
import { MAX_FORMULA } from '../formula';
import { problemWords, reportWords } from '../formulaWords';
import { type Completion, completionsAt } from './completion';
import { checkDraft, possibleOf, usableColumns } from './formulaChecks';
import type { FormulaDraft, FormulasModel } from './formulasModel';

/** The same in every language. */
const EXAMPLE = '([A] - [B]) / [C]';

interface EditorOptions {
  anchor?: Element;
  /** The initial draft; else the last one that wasn't added. */
  draft?: FormulaDraft;
  onClosed: () => void;
}

/** Opens the editor of a formula: a popover at the button, or at the header of a column. */
export function openFormulaEditor(formulas: FormulasModel, { anchor, draft, onClosed }: EditorOptions): void {
  const begun = draft ?? formulas.draft ?? { name: '', formula: '' };
  openPopover({
    ...(anchor && { anchor }),
    label: titleOf(begun),
    className: 'formula-editor',
    view: close => <FormulaEditor formulas={formulas} begun={begun} close={close} />,
    onClosed,
  });
}

function titleOf({ of }: FormulaDraft): string {
  return of === undefined ? t('Add Computed Column') : t('Edit Computed Column');
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface EditorProps {
  formulas: FormulasModel;
  begun: FormulaDraft;
  close: () => void;
}

function FormulaEditor({ formulas, begun, close }: EditorProps) {
  const draft = useSignal(begun);
  const refusal = useSignal('');
  /** Shows a problem of the draft once the user pauses, or wants to add it. */
  const isSaving = useSignal(false);
  const { column, nameFault } = checkDraft(formulas, draft.value);
  const problem = 'problem' in column ? column.problem : undefined;
  const isNew = begun.of === undefined;
  const change = (changed: Partial<FormulaDraft>) => {
    draft.value = { ...draft.peek(), ...changed };
    refusal.value = '';
    if (isNew) formulas.draft = draft.peek();
  };
  const save = async () => {
    isSaving.value = true;
    if (problem || nameFault !== undefined) return;
    try {
      await formulas.save(draft.peek());
      if (isNew) formulas.draft = undefined;
      close();
    } catch (error) {
      refusal.value = wordsOf(error);
    }
  };
  const isNamed = draft.value.name !== '';
  const shownNameFault = nameFault !== undefined && (isNamed || isSaving.value) ? nameFault : '';
  const shownProblem = problem && (problem.kind !== 'empty' || isSaving.value) ? problem : undefined;
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 class="popover-title">{titleOf(begun)}</h2>
      <label for="formula-name">{t({ message: 'Name', comment: 'Of a column' })}</label>
      <input
        class="input"
        id="formula-name"
        type="text"
        maxLength={200}
        autofocus={begun.of === undefined && begun.name === ''}
        value={draft.value.name}
        aria-invalid={shownNameFault !== ''}
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
        autofocus={begun.of !== undefined || begun.name !== ''}
        change={formula => change({ formula })}
        submit={() => void save()}
      />
      <p class="filter-refusal formula-fault" id="formula-fault" role="alert">
        {shownProblem ? problemWords(t, shownProblem) : refusal.value}
      </p>
      <Preview formulas={formulas} draft={draft.value} isValid={problem === undefined} />
      {isNew && <Offered formulas={formulas} close={close} />}
      <div class="buttons formula-buttons">
        <Button primary type="submit">
          {isNew
            ? t({ message: 'Add', comment: 'A column' })
            : t({ message: 'Apply', comment: 'A changed formula' })}
        </Button>
        <Button
          onClick={() => {
            formulas.draft = undefined;
            close();
          }}
        >
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  formulas: FormulasModel;
  draft: FormulaDraft;
  /** The part that is wrong. */
  mark: { start: number; end: number } | undefined;
  autofocus: boolean;
  change: (formula: string) => void;
  submit: () => void;
}

/** The formula being typed, with its problem underlined and completions below. */
function FormulaField({ formulas, draft, mark, autofocus, change, submit }: FieldProps) {
  const { formula } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const marked = useRef<HTMLPreElement>(null);
  const completions = useSignal<readonly Completion[]>([]);
  const selected = useSignal(0);
  const complete = (isAsked = false) => {
    const { current } = field;
    if (!current) return;
    const { value, selectionStart, selectionEnd } = current;
    const columns = usableColumns(formulas, draft.of);
    completions.value =
      selectionStart === selectionEnd ? completionsAt(value, selectionStart, columns, isAsked) : [];
    selected.value = 0;
  };
  const accept = (completion: Completion | undefined) => {
    const { current } = field;
    if (!current || !completion) return;
    const { start, end, insert, caret } = completion;
    current.setRangeText(insert, start, end, 'end');
    current.setSelectionRange(caret, caret);
    current.focus();
    completions.value = [];
    change(current.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method's composition aren't the editor's.
    if (event.isComposing) return;
    const count = completions.value.length;
    const move = (by: number) => (selected.value = (selected.value + by + count) % count);
    if (event.key === ' ' && event.ctrlKey) complete(true);
    else if (count > 0 && event.key === 'ArrowDown') move(1);
    else if (count > 0 && event.key === 'ArrowUp') move(-1);
    else if (count > 0 && (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey)
      accept(completions.value[selected.value]);
    else if (count > 0 && event.key === 'Escape') {
      completions.value = [];
      // It closes the list, not the editor.
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey) submit();
    else return;
    event.preventDefault();
  };
  const { start, end } = mark ?? { start: 0, end: 0 };
  const isOpen = completions.value.length > 0;
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
          complete();
        }}
        onKeyDown={onKeyDown}
        onClick={() => (completions.value = [])}
        onBlur={() => (completions.value = [])}
        onScroll={({ currentTarget }) => marked.current?.scrollTo(0, currentTarget.scrollTop)}
      />
      <ul
        class="formula-completions"
        id="formula-completions"
        role="listbox"
        aria-label={t('Completions')}
        hidden={!isOpen}
      >
        {completions.value.map((completion, at) => (
          <CompletionItem
            key={`${completion.insert} ${at}`}
            at={at}
            completion={completion}
            isSelected={at === selected.value}
            accept={() => accept(completion)}
          />
        ))}
      </ul>
    </div>
  );
}

interface ItemProps {
  at: number;
  completion: Completion;
  isSelected: boolean;
  accept: () => void;
}

function CompletionItem({ at, completion: { label, type, insert }, isSelected, accept }: ItemProps) {
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const icon = type === undefined ? 'symbol-method' : type === 'number' ? 'symbol-numeric' : 'symbol-string';
  return (
    <li
      id={`formula-completion-${at}`}
      role="option"
      aria-selected={isSelected}
      ref={item}
      title={insert}
      // The field keeps the focus.
      onMouseDown={event => event.preventDefault()}
      onClick={accept}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </li>
  );
}

interface PreviewProps {
  formulas: FormulasModel;
  draft: FormulaDraft;
  isValid: boolean;
}

/**
 * The first values, and notes about all; values of the last valid formula stay until others come.
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
        {report ? reportWords(t, report).join(' ') : ''}
      </p>
      <p class="filter-refusal">{failure}</p>
    </div>
  );
}

/** The columns of the table that was given some last. */
function Offered({ formulas, close }: Pick<EditorProps, 'formulas' | 'close'>) {
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
