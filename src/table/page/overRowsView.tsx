import type { ComponentChildren } from 'preact';
import { t } from '../../pages/page/l10n';
import { Icon, IconButton } from '../../pages/page/widgets/parts';

interface OverRowsViewProps {
  /** Its class; that of its head is `NAME-head`. */
  name: string;
  title: string;
  isBusy: boolean;
  /** Returns to the rows. */
  leave: () => void;
  /** What is beside the title. */
  head: ComponentChildren;
  children: ComponentChildren;
}

/** A view in place of the rows. */
export function OverRowsView({ name, title, isBusy, leave, head, children }: OverRowsViewProps) {
  return (
    <main class={`over-rows ${name}`} aria-label={title} aria-busy={isBusy} tabindex={-1}>
      <div class={`over-rows-head ${name}-head`}>
        <IconButton icon="arrow-left" label={t('Back to Table')} onClick={leave} autofocus />
        <h2>{title}</h2>
        {head}
      </div>
      {children}
    </main>
  );
}

interface EmptyViewProps {
  icon: string;
  words: string;
  hint?: string;
  isError?: boolean;
  isHeading?: boolean;
  children?: ComponentChildren;
}

/** Why a view in place of the rows is empty, and what to do about it. */
export function EmptyView({
  icon,
  words,
  hint,
  isError = false,
  isHeading = false,
  children,
}: EmptyViewProps) {
  return (
    <div class="over-rows-empty">
      <Icon name={icon} spins={icon === 'loading'} />
      {isHeading ? <h3>{words}</h3> : <p role={isError ? 'alert' : undefined}>{words}</p>}
      {hint !== undefined && <p class={isHeading ? '' : 'hint'}>{hint}</p>}
      {children}
    </div>
  );
}
