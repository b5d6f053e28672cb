import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../pages/page/l10n';
import { IconButton } from '../../pages/page/widgets/parts';
import { MAX_NAME_LENGTH } from '../gate';

interface NameFieldProps {
  class: string;
  initial: string;
  /** Returns the problem with the name, if any. */
  submitName: (name: string) => string | undefined;
  /** Called after the name was submitted or canceled. */
  end: (isCanceled: boolean) => void;
  /** Shown while the name has no problem. */
  children?: ComponentChildren;
}

/** A field for the name of a population: Enter submits it, Esc cancels. */
export function NameField({ class: classes, initial, submitName, end, children }: NameFieldProps) {
  const problem = useSignal<string | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <form
      class={classes}
      onSubmit={event => {
        event.preventDefault();
        problem.value = submitName(field.current?.value ?? '');
        if (problem.value === undefined) end(false);
      }}
    >
      <input
        class="input"
        ref={field}
        defaultValue={initial}
        maxLength={MAX_NAME_LENGTH}
        aria-label={t('Name of the population')}
        aria-invalid={problem.value !== undefined}
        onKeyDown={event => {
          event.stopPropagation();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          end(true);
        }}
      />
      <IconButton icon="check" label={t('OK')} type="submit" />
      <IconButton icon="close" label={t('Cancel')} onClick={() => end(true)} />
      {problem.value === undefined ? (
        children
      ) : (
        <p class="populations-note error" role="alert">
          {problem.value}
        </p>
      )}
    </form>
  );
}
