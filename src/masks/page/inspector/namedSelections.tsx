import { t } from '../../../pages/page/l10n';
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import { MAX_SELECTION_NAME } from '../../storedObjects';
import type { NamedSelection, SelectionNameProblem } from '../state/namedSelections';
import { type InspectorProps, Section } from './sections';

/** Why a selection can't get a name; a message about a taken name also names it. */
const PROBLEMS = {
  empty: t.later('Type a name.'),
  many: t.later('There are too many named selections. Remove one first.'),
  large: t.later('Too many objects to save.'),
} as const;

/** Names the objects that are selected together. */
export function NameSelectionButton({ store }: InspectorProps) {
  const openDialog = (anchor: Element) =>
    openPopover({
      anchor,
      label: t('Name Selection'),
      className: 'name-selection',
      view: close => <NameForm store={store} close={close} />,
    });
  return (
    <Button aria-haspopup="dialog" onClick={({ currentTarget }) => openDialog(currentTarget)}>
      {t('Name Selection…')}
    </Button>
  );
}

function NameForm({ store, close }: InspectorProps & { close: () => void }) {
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
    messages.report(t('Selection named “{0}”', name.value.trim()));
  };
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        add();
      }}
    >
      <h2 class="popover-title">{t('Name Selection')}</h2>
      <div class="name-line">
        <input
          ref={input}
          type="text"
          class="input"
          autofocus
          maxLength={MAX_SELECTION_NAME}
          aria-label={t('Name of the selection')}
          placeholder={t('Name of the selection')}
          aria-invalid={problem.value !== undefined}
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
        <Button primary onClick={add}>
          {t({ message: 'Name', comment: 'Verb: name the selection' })}
        </Button>
      </div>
      <p class="name-refusal" role="alert">
        {problem.value &&
          (problem.value === 'taken'
            ? t('Another selection is named “{0}” already.', name.value.trim())
            : PROBLEMS[problem.value]())}
      </p>
      <p class="popover-note">
        {t('A click on its name selects these objects again. Named selections are saved with the result.')}
      </p>
    </form>
  );
}

/** The named selections: a click selects their objects again. */
export function NamedSelectionsSection({ store }: InspectorProps) {
  const { selections, reading } = store;
  // While masks are being read, selections of images gain objects that can be selected.
  const namedSelections = useComputed(() => [reading.progress.value, selections.all] as const).value[1];
  return (
    <Section title={t('Named Selections')} hidden={namedSelections.length === 0}>
      <ul>
        {namedSelections.map(named => (
          <Row key={named.name} store={store} selection={named} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ store, selection: { name, objects, count } }: InspectorProps & { selection: NamedSelection }) {
  return (
    <li class="legend-row">
      <button
        type="button"
        class="link-button legend-name"
        title={t('Select the objects of {0}', name)}
        disabled={count === 0}
        onClick={() => store.selectObjects(objects)}
      >
        {name}
      </button>
      <span class="legend-count" title={t.count(count, '1 object', '{0} objects')}>
        {t.number(count)}
      </span>
      <IconButton icon="trash" label={t('Remove {0}', name)} onClick={() => store.selections.remove(name)} />
    </li>
  );
}
