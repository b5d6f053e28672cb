import { t } from '../../../pages/page/l10n';
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import { MAX_SELECTION_NAME } from '../../storedObjects';
import type { NamedSelection, SelectionNameProblem } from '../state/namedSelections';
import { type InspectorProps, Section } from './sections';

/** Why a selection can't have a name, beside that it is taken. */
const PROBLEMS = {
  empty: t.later('Type a name.'),
  many: t.later('There are too many named selections. Remove one first.'),
  large: t.later('These are too many objects to be kept.'),
} as const;

/** Gives the objects that are selected together a name. */
export function NameSelectionButton({ store, text }: InspectorProps) {
  const openName = (anchor: Element) =>
    openPopover({
      anchor,
      label: text.get('nameSelectionTitle'),
      className: 'name-selection',
      view: close => <NewName store={store} text={text} close={close} />,
    });
  return (
    <Button aria-haspopup="dialog" onClick={({ currentTarget }) => openName(currentTarget)}>
      {text.get('nameSelection')}
    </Button>
  );
}

function NewName({ store, text, close }: InspectorProps & { close: () => void }) {
  const { selection, selections, messages } = store;
  const name = useSignal('');
  const problem = useSignal<SelectionNameProblem | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const add = () => {
    problem.value = selections.add(name.value, selection.several.all.peek());
    if (problem.value) {
      input.current?.focus();
      return;
    }
    close();
    messages.report(text.get('selectionNamed', name.value.trim()));
  };
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        add();
      }}
    >
      <h2 class="popover-title">{text.get('nameSelectionTitle')}</h2>
      <div class="name-line">
        <input
          ref={input}
          type="text"
          class="input"
          autofocus
          maxLength={MAX_SELECTION_NAME}
          aria-label={text.get('selectionName')}
          placeholder={text.get('selectionName')}
          aria-invalid={problem.value !== undefined}
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
        <Button primary onClick={add}>
          {text.get('nameSelectionDo')}
        </Button>
      </div>
      <p class="name-refusal" role="alert">
        {problem.value &&
          (problem.value === 'taken'
            ? text.get('selectionProblem.taken', name.value.trim())
            : PROBLEMS[problem.value]())}
      </p>
      <p class="popover-note">{text.get('selectionsHint')}</p>
    </form>
  );
}

/** Selections that have a name: a click selects their objects again. */
export function NamedSelectionsSection({ store, text }: InspectorProps) {
  const { selections, reading } = store;
  // While masks are read, more and more images are as they were.
  const all = useComputed(() => [reading.progress.value, selections.all] as const).value[1];
  return (
    <Section title={text.get('namedSelections')} hidden={all.length === 0}>
      <ul>
        {all.map(each => (
          <Row key={each.name} store={store} text={text} of={each} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ store, text, of: { name, objects, count } }: InspectorProps & { of: NamedSelection }) {
  return (
    <li class="legend-row">
      <button
        type="button"
        class="link-button legend-name"
        title={text.get('selectNamed', name)}
        disabled={count === 0}
        onClick={() => store.selectObjects(objects)}
      >
        {name}
      </button>
      <span class="legend-count" title={text.count('objects', count)}>
        {text.number(count)}
      </span>
      <IconButton
        icon="trash"
        label={text.get('removeSelection', name)}
        onClick={() => store.selections.remove(name)}
      />
    </li>
  );
}
